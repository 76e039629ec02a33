import KeyDragCore

/// Places the frame and the label on the screen. Pure. Rectangles reported by programs may be any
/// numbers.
struct OverlayLayout {
  /// All monitors together, from 0, 0.
  let screen: ScreenRectangle
  /// Never empty.
  let monitors: [ScreenRectangle]
  let metrics: OverlayMetrics

  init(screen: ScreenRectangle, monitors: [ScreenRectangle], metrics: OverlayMetrics) {
    self.screen = screen
    let seen = monitors.compactMap { $0.intersection(screen) }
    self.monitors = seen.isEmpty ? [screen] : seen
    self.metrics = metrics
  }

  // MARK: The frame

  /// The frame's outer edge: around the rectangle where there is room, inside at the screen's edge;
  /// `nil` when the rectangle is off screen.
  func frame(around rectangle: ScreenRectangle) -> ScreenRectangle? {
    let inner = OverlayLayout.bounded(rectangle)
    guard !inner.isEmpty, let seen = inner.intersection(screen) else { return nil }
    let band = metrics.band
    let wide = ScreenRectangle(
      x: seen.x - band, y: seen.y - band, width: seen.width + 2 * band,
      height: seen.height + 2 * band)
    guard let outer = wide.intersection(screen) else { return nil }
    return enlarged(outer)
  }

  /// The frame around a place in a window. A place off all monitors has its frame at the nearest
  /// edge of the window's monitor.
  func frame(around rectangle: ScreenRectangle, in window: ScreenRectangle?) -> ScreenRectangle? {
    let place = OverlayLayout.bounded(rectangle)
    let isSeen = monitors.contains { $0.intersection(place) != nil }
    // A place outside its window counts as nowhere, whatever its program reports.
    guard !isSeen, let window, let part = place.intersection(OverlayLayout.bounded(window)) else {
      return frame(around: rectangle)
    }
    let monitor = monitor(of: nil, in: window)
    let smallest = metrics.smallestFrame
    return enlarged(
      OverlayLayout.moved(
        ScreenRectangle(
          x: part.x, y: part.y, width: min(part.width, smallest),
          height: min(part.height, smallest)), into: monitor), on: monitor)
  }

  private func enlarged(
    _ frame: ScreenRectangle, on outer: ScreenRectangle? = nil
  ) -> ScreenRectangle {
    let outer = outer ?? screen
    let width = min(max(frame.width, metrics.smallestFrame), outer.width)
    let height = min(max(frame.height, metrics.smallestFrame), outer.height)
    return OverlayLayout.moved(
      ScreenRectangle(
        x: frame.x - (width - frame.width) / 2, y: frame.y - (height - frame.height) / 2,
        width: width, height: height), into: outer)
  }

  func sides(of frame: ScreenRectangle) -> [ScreenRectangle] {
    let band = min(metrics.band, frame.width / 2, frame.height / 2)
    let height = frame.height - 2 * band
    return [
      ScreenRectangle(x: frame.x, y: frame.y, width: frame.width, height: band),
      ScreenRectangle(
        x: frame.x, y: frame.y + frame.height - band, width: frame.width, height: band),
      ScreenRectangle(x: frame.x, y: frame.y + band, width: band, height: height),
      ScreenRectangle(
        x: frame.x + frame.width - band, y: frame.y + band, width: band, height: height),
    ].filter { !$0.isEmpty }
  }

  // MARK: The label

  /// The monitor that shows most of the frame, or else of the window; if none does, the nearest
  /// one. The first one without either.
  func monitor(of frame: ScreenRectangle?, in window: ScreenRectangle? = nil) -> ScreenRectangle {
    guard let subject = (frame ?? window).map(OverlayLayout.bounded) else { return monitors[0] }
    var best = (monitors[0], area: 0)
    for monitor in monitors {
      let area = monitor.intersection(subject).map { $0.width * $0.height } ?? 0
      if area > best.area { best = (monitor, area) }
    }
    if best.area > 0 { return best.0 }
    let near = monitors.min {
      OverlayLayout.distance($0, subject) < OverlayLayout.distance($1, subject)
    }
    return near ?? monitors[0]
  }

  /// The place of a label of a given size: below the frame, above it, or beside it, and always
  /// whole on its monitor. Without room, at the monitor's edge farther from the frame.
  func label(
    width: Int, height: Int, beside frame: ScreenRectangle?, in window: ScreenRectangle? = nil,
    isRightToLeft: Bool
  ) -> ScreenRectangle {
    let monitor = monitor(of: frame, in: window)
    let label = ScreenRectangle(
      x: 0, y: 0, width: min(width, monitor.width), height: min(height, monitor.height))
    guard let frame else {
      return moved(
        label, monitor.x + (monitor.width - label.width) / 2,
        monitor.y + monitor.height - label.height - metrics.gap, into: monitor)
    }
    let gap = metrics.gap
    let (left, right) = (frame.x - gap - label.width, frame.x + frame.width + gap)
    let start = isRightToLeft ? frame.x + frame.width - label.width : frame.x
    let places = [
      (start, frame.y + frame.height + gap), (start, frame.y - gap - label.height),
      (isRightToLeft ? left : right, frame.y), (isRightToLeft ? right : left, frame.y),
    ]
    for (x, y) in places {
      let place = moved(label, x, y, into: monitor)
      if place.intersection(frame) == nil { return place }
    }
    let isLow = frame.center.y >= monitor.center.y
    return moved(
      label, start, isLow ? monitor.y + gap : monitor.y + monitor.height - label.height - gap,
      into: monitor)
  }

  private func moved(
    _ rectangle: ScreenRectangle, _ x: Int, _ y: Int, into outer: ScreenRectangle
  ) -> ScreenRectangle {
    OverlayLayout.moved(
      ScreenRectangle(x: x, y: y, width: rectangle.width, height: rectangle.height), into: outer)
  }

  // MARK: Rectangles

  /// Beyond any screen, and far from overflow.
  private static let farthest = 1 << 20

  private static func bounded(_ rectangle: ScreenRectangle) -> ScreenRectangle {
    func clamp(_ value: Int) -> Int { min(max(value, -farthest), farthest) }
    func end(_ start: Int, _ length: Int) -> Int {
      let (sum, isOver) = start.addingReportingOverflow(length)
      return isOver ? farthest : clamp(sum)
    }
    let (x, y) = (clamp(rectangle.x), clamp(rectangle.y))
    return ScreenRectangle(
      x: x, y: y, width: end(rectangle.x, rectangle.width) - x,
      height: end(rectangle.y, rectangle.height) - y)
  }

  /// Horizontal plus vertical gap.
  private static func distance(_ one: ScreenRectangle, _ other: ScreenRectangle) -> Int {
    let across = max(one.x - other.x - other.width, other.x - one.x - one.width, 0)
    let down = max(one.y - other.y - other.height, other.y - one.y - one.height, 0)
    return across + down
  }

  private static func moved(
    _ rectangle: ScreenRectangle, into outer: ScreenRectangle
  ) -> ScreenRectangle {
    var rectangle = rectangle
    rectangle.x = max(min(rectangle.x, outer.x + outer.width - rectangle.width), outer.x)
    rectangle.y = max(min(rectangle.y, outer.y + outer.height - rectangle.height), outer.y)
    return rectangle
  }
}
