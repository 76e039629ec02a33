extension Phrasebook {
  /// The name of a task place, as displayed, spoken and typed.
  ///
  /// - Parameter program: the one that ``TaskPoint/openWith`` starts.
  package func name(of task: TaskPoint, program: String? = nil) -> String {
    taskName(task, program: program)
  }
}
