import KeyDragCore

/// Estimates the inset of an element's contents from its border, by the sizes of what is in it: a
/// pure value. A widget mostly fills its parent, so that the remainder is border and padding.
struct LostInset: Hashable, Sendable {
  /// The likeliest inset of the upper left corner.
  var shift: ScreenPoint
  /// The possible error in each direction.
  var doubt: ScreenPoint

  /// - Parameter inside: its contents, reported as if they began at its border.
  init(of own: ReportedRectangle, around inside: [ReportedRectangle]) {
    func range(_ start: Int, _ free: Int?) -> ClosedRange<Int> {
      // A child that begins before the contents is drawn over the padding.
      let least = max(0, -start)
      return least...max(least, free ?? 0)
    }
    // An element that is not drawn may report any size.
    let inside = inside.filter { $0.width <= own.width * 2 }
    guard let left = inside.map({ $0.x - own.x }).min(),
      let top = inside.map({ $0.y - own.y }).min(),
      let right = inside.map({ $0.x + $0.width - own.x }).max(),
      let bottom = inside.map({ $0.y + $0.height - own.y }).max()
    else {
      (shift, doubt) = (ScreenPoint(x: 0, y: 0), ScreenPoint(x: 0, y: 0))
      return
    }
    // Scrolled contents extend beyond the view, and a list may have room below its rows.
    let across = right > own.width ? nil : own.width - right
    let down = bottom > own.height || top < -own.height / 2 ? nil : own.height - bottom
    let least = [across, down].compactMap { $0 }.min()
    let (x, y) = (range(left, least), range(down == nil ? 0 : top, least))
    shift = ScreenPoint(
      x: (x.lowerBound + x.upperBound) / 2, y: (y.lowerBound + y.upperBound) / 2)
    doubt = ScreenPoint(
      x: (x.upperBound - x.lowerBound + 1) / 2, y: (y.upperBound - y.lowerBound + 1) / 2)
  }
}
