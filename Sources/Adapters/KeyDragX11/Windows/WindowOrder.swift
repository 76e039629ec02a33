/// In which order windows are told: as a person would meet them.
///
/// Pure.
enum WindowOrder {
  /// The active one first, then from the top of the stack down, then those that no stack holds.
  ///
  /// - Parameter stack: undermost first; may name windows that are not among these, or one twice.
  static func sorted(_ windows: [XWindow], active: XWindow?, stack: [XWindow]) -> [XWindow] {
    let known = Set(windows)
    var taken: Set<XWindow> = []
    let order = (active.map { [$0] } ?? []) + stack.reversed() + windows
    return order.filter { known.contains($0) && taken.insert($0).inserted }
  }
}
