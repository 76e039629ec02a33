/// Sorts windows as the user would meet them. Pure.
enum WindowOrder {
  /// The active one first, then from the top of the stack down, then those outside the stack.
  ///
  /// - Parameter stack: bottom first; may name unknown windows, or one twice.
  static func sorted(_ windows: [XWindow], active: XWindow?, stack: [XWindow]) -> [XWindow] {
    let known = Set(windows)
    var taken: Set<XWindow> = []
    let order = (active.map { [$0] } ?? []) + stack.reversed() + windows
    return order.filter { known.contains($0) && taken.insert($0).inserted }
  }
}
