import KeyDragCore
import KeyDragThreads

/// Shows a frame and a label above all windows of a display. Clicks, keys and drags pass through;
/// no window manager or screen reader notices it, and nothing is left behind. Calls return at once;
/// requests that arrive faster than they can be drawn are skipped.
final class Overlay: DragOverlay {
  private let thread: WorkerThread<OverlayRenderer>

  init(display: String? = nil) throws(Reason) {
    // At its end the connection is closed, and the server removes the windows.
    thread = try WorkerThread { _ throws(Reason) in
      try OverlayRenderer(display: display)
    } run: {
      $0.run(on: $1)
    }
  }

  func show(
    _ view: OverlayView, in anchor: OverlayAnchor? = nil, then: (@Sendable () -> Void)? = nil
  ) { want((view, anchor), then) }

  func hide(then: (@Sendable () -> Void)? = nil) { want(nil, then) }

  func onOutdated(_ handler: @escaping @Sendable () -> Void) {
    thread.post { $0.onOutdated = handler }
  }

  func end() { thread.stop() }

  private func want(_ wanted: OverlayRenderer.Target?, _ then: (@Sendable () -> Void)?) {
    if !thread.post({ $0.want(wanted, then) }) { then?() }
  }
}

private final class OverlayRenderer {
  private let canvas: OverlayCanvas
  private let server: XServer
  private let windowType: (name: XAtom, type: XAtom)
  /// The selection that the XSETTINGS manager owns, and the property with the settings.
  private let settings: (manager: XAtom, values: XAtom)

  typealias Target = (view: OverlayView, anchor: OverlayAnchor?)

  private struct Drawing: Equatable {
    var view: OverlayView
    var sight: OverlayWindowTracker.WindowVisibility
    var place: ScreenRectangle?
  }

  private var drawn: Drawing?
  private let watch: OverlayWindowTracker
  private var wanted: Target?
  var onOutdated: (@Sendable () -> Void)?
  private var isStale = false
  private var answers: [@Sendable () -> Void] = []
  private var windows: [XWindow] = []

  init(display: String?) throws(Reason) {
    server = try XServer(display: display)
    // Without it, clicks could not pass through.
    guard server.has("SHAPE"), let canvas = OverlayCanvas(server) else {
      throw server.isLost ? server.loss : .noDisplay
    }
    self.canvas = canvas
    watch = OverlayWindowTracker(server)
    let atoms = server.atoms([
      "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_NOTIFICATION",
      "_XSETTINGS_S\(server.screenNumber)", "_XSETTINGS_SETTINGS",
    ])
    windowType = (atoms[0], atoms[1])
    settings = (atoms[2], atoms[3])
    if server.isLost { throw server.loss }
    server.disableTimeout()
  }

  func run(on thread: EventLoop) {
    // The first text loads the fonts: better now than at the first drop point.
    _ = OverlayPainter(
      metrics: OverlayMetrics(dotsPerInch: 96, textScale: 1), style: OverlayStyle(nil)
    ).label("a", on: canvas.sampleSurface, room: 100)
    thread.run(reading: server.descriptor, deadline: { nil }, handle: step)
    for answer in answers { answer() }
  }

  func want(_ wanted: Target?, _ then: (@Sendable () -> Void)?) {
    self.wanted = wanted
    isStale = true
    if let then { answers.append(then) }
  }

  private func step() -> Bool {
    while true {
      let hasChanged = server.takeEvents()
      if server.isLost { return false }
      if isStale {
        isStale = false
        watch.follow(wanted?.anchor?.window)
        // The same place may have been requested again.
        if drawn == nil || drawn != drawing { draw() }
        answer()
        tellOutdated(since: wanted?.anchor?.rectangle)
      } else if hasChanged {
        follow()
      } else {
        break
      }
    }
    return true
  }

  private func follow() {
    guard wanted != nil, let before = watch.lookAgain(), let now = watch.sight else { return }
    draw()
    if before.isShown {
      tellOutdated(since: before.rectangle)
    } else if now.isShown {
      onOutdated?()
    }
  }

  private func tellOutdated(since before: ScreenRectangle?) {
    guard let before, let now = watch.sight, now.isShown, let rectangle = now.rectangle,
      (before.width, before.height) != (rectangle.width, rectangle.height)
    else { return }
    onOutdated?()
  }

  private func answer() {
    if !answers.isEmpty {
      server.sync()
      for answer in answers { answer() }
      answers = []
    }
  }

  private func draw() {
    let old = windows
    windows = wanted.map { show($0.view, $0.anchor) } ?? []
    // After the new ones are shown, to avoid flicker.
    for window in old { server.destroy(window) }
    server.flush()
    drawn = drawing
  }

  /// The drawing to make; `nil` without a view, or for one without a window.
  private var drawing: Drawing? {
    guard let wanted, wanted.anchor != nil, let sight = watch.sight else { return nil }
    return Drawing(
      view: wanted.view, sight: sight, place: place(wanted.view, wanted.anchor))
  }

  /// The frame's current place, moved along with its window; `nil` for nowhere.
  private func place(_ view: OverlayView, _ anchor: OverlayAnchor?) -> ScreenRectangle? {
    guard let frame = view.frame, let sight = watch.sight else { return view.frame }
    return sight.moved(frame, since: anchor?.rectangle)
  }

  private func show(_ view: OverlayView, _ anchor: OverlayAnchor?) -> [XWindow] {
    let window = watch.sight?.rectangle
    let place = place(view, anchor)
    guard let screen = server.rectangle(of: server.root), !screen.isEmpty else { return [] }
    let monitors = server.monitors()
    let words = Words(view)
    var metrics = metrics(monitors)
    var shown: [XWindow] = []
    while true {
      let layout = OverlayLayout(
        screen: screen, monitors: monitors.map(\.rectangle), metrics: metrics)
      let painter = OverlayPainter(metrics: metrics, style: OverlayStyle(view.verdict))
      let frame = place.flatMap { layout.frame(around: $0, in: window) }
      let monitor = layout.monitor(of: frame, in: window)
      guard let (label, writer) = write(words, painter, monitor) else {
        if let frame { shown += show(frame, layout, painter) }
        return shown
      }
      // Text too large for a small monitor shrinks rather than being cut off.
      let fits = label.width <= monitor.width && label.height <= monitor.height
      if !fits, let smaller = metrics.smaller {
        metrics = smaller
        continue
      }
      if let frame { shown += show(frame, layout, painter) }
      let place = layout.label(
        width: label.width, height: label.height, beside: frame, in: window,
        isRightToLeft: label.isRightToLeft)
      shown += picture(at: place) { writer.paint(label, on: $0) }
      return shown
    }
  }

  private struct Words {
    let label: String
    let help: [String]

    init(_ view: OverlayView) {
      label = OverlayText.paragraphs(view.lines)
      help = OverlayText.help(view.help)
    }
  }

  private func write(
    _ words: Words, _ painter: OverlayPainter, _ monitor: ScreenRectangle
  ) -> (OverlayPainter.Label, OverlayPainter)? {
    let surface = canvas.sampleSurface
    guard words.help.isEmpty else {
      // No verdict: the help is about the keys, not about the place.
      let writer = OverlayPainter(metrics: painter.metrics, style: OverlayStyle(nil))
      let room = (monitor.width, monitor.height)
      return writer.help(words.help, on: surface, room: room).map { ($0, writer) }
    }
    guard !words.label.isEmpty else { return nil }
    return painter.label(words.label, on: surface, room: monitor.width).map { ($0, painter) }
  }

  private func show(
    _ frame: ScreenRectangle, _ layout: OverlayLayout, _ painter: OverlayPainter
  ) -> [XWindow] {
    layout.sides(of: frame).flatMap { side in
      picture(at: side) { painter.paint(side: side, of: frame, on: $0) }
    }
  }

  private func picture(at place: ScreenRectangle, _ draw: (OpaquePointer) -> Void) -> [XWindow] {
    guard !place.isEmpty,
      let pixmap = canvas.picture(width: place.width, height: place.height, draw)
    else { return [] }
    defer { server.forget(pixmap: pixmap) }
    return [server.showPicture(pixmap, at: place, types: windowType)]
  }

  /// Read each time: the user may change the settings between two drags.
  private func metrics(_ monitors: [XServer.Monitor]) -> OverlayMetrics {
    // 64 KiB is more than any desktop writes there.
    let resources = server.property(.resourceManager, of: server.root, format: 8, longest: 16_384)
    return OverlayMetrics(
      settings: personSettings(),
      dotsPerInch: OverlayMetrics.dotsPerInch(
        resources: resources?.bytes ?? [], pixels: monitors.first?.rectangle.width ?? 0,
        millimeters: monitors.first?.millimeters ?? 0))
  }

  private func personSettings() -> XSettings? {
    guard let owner = server.owner(of: settings.manager) else { return nil }
    let longest = UInt32(XSettings.mostBytes / 4)
    let found = server.property(settings.values, of: owner, format: 8, longest: longest)
    return found.flatMap { XSettings($0.bytes) }
  }
}
