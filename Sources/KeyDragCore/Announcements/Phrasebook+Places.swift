extension Phrasebook {
  /// The name of a place that starts a task, as it is shown, said and typed to find it.
  ///
  /// `program` is the one that ``TaskPoint/openWith`` starts.
  package func name(of task: TaskPoint, program: String? = nil) -> String {
    taskName(task, program: program)
  }
}
