import KeyDragCore
import KeyDragDesktop
import KeyDragRuntime
import Synchronization

/// The desktop as the loop's screen: a frame around the current place, with a short label.
final class DesktopView: Screen {
  private let world: DesktopWorld
  private let overlays: [(display: String, overlay: any DragOverlay)]
  private let clock: any Clock<Duration>
  private let state = Mutex(Shown())

  private struct Shown {
    /// Counts updates, so that late answers are dropped.
    var number = 0
    var contents: ScreenContents?
    /// The position of the place at the last look.
    var place: PlaceLocation?
    /// Whether a task is locating the place, and whether it must look again.
    var isLooking = false
    var isOutdated = false
  }

  /// The most looks until a place has come to rest, and the pause after each.
  private static let maxPolls = 10
  private static let pause = Duration.milliseconds(100)

  init(
    world: DesktopWorld, displays: [any Display],
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.world, self.clock) = (world, clock)
    overlays = displays.compactMap { display in
      (try? display.openOverlay()).map { (display.name, $0) }
    }
    for (_, overlay) in overlays { overlay.onOutdated { [weak self] in self?.lookAgain() } }
  }

  func visibleRows(for contents: ScreenContents) -> Int { 1 }

  func show(_ contents: ScreenContents) {
    guard !overlays.isEmpty else { return }
    let isCarrying = contents.phase != .browsing
    let number = state.withLock { state in
      state.number += 1
      // The same place keeps its last position.
      if state.contents?.dropPoint != contents.dropPoint { state.place = nil }
      state.contents = isCarrying ? contents : nil
      return state.number
    }
    guard isCarrying else { return hide() }
    Task {
      // The last known position is shown at once: a program may be slow to answer.
      let last: PlaceLocation?
      if let point = contents.dropPoint {
        last = await known(point)
      } else {
        last = nil
      }
      put(last) { $0.number == number }
      guard let point = contents.dropPoint else { return }
      let now = await world.currentLocation(of: point)
      if now != last { put(now) { $0.number == number } }
    }
  }

  private func known(_ point: DropPointID) async -> PlaceLocation? {
    if let place = state.withLock({ $0.place }) { return place }
    return await world.lastLocation(of: point)
  }

  /// Shows the newest contents at a place, unless it belongs to others by now.
  private func put(_ place: PlaceLocation?, while isTheirs: (Shown) -> Bool) {
    state.withLock { state in
      guard isTheirs(state), let contents = state.contents else { return }
      state.place = place
      let display = place?.anchor.window.display ?? overlays.first?.display
      hide { $0 != display }
      overlays.first { $0.display == display }?.overlay.show(
        OverlayView(
          frame: place?.rectangle, lines: Self.lines(contents), verdict: contents.verdict,
          help: contents.help),
        in: place?.anchor, then: nil)
    }
  }

  private func hide(where isHidden: (String) -> Bool = { _ in true }) {
    for (display, overlay) in overlays where isHidden(display) { overlay.hide(then: nil) }
  }

  /// Handles a resized window: the place may be elsewhere in it, now or after the program's layout.
  private func lookAgain() {
    let isFirst = state.withLock { state in
      state.isOutdated = true
      defer { state.isLooking = true }
      return !state.isLooking
    }
    guard isFirst else { return }
    Task {
      while let point = next() {
        var last: PlaceLocation?
        for _ in 0..<Self.maxPolls {
          let now = await world.currentLocation(of: point)
          if let last, last == now { break }
          put(now) { $0.contents?.dropPoint == point }
          last = now
          try? await clock.sleep(for: Self.pause)
        }
      }
    }
  }

  /// The next place to locate; `nil` for none.
  private func next() -> DropPointID? {
    state.withLock { state in
      guard state.isOutdated, let point = state.contents?.dropPoint else {
        (state.isOutdated, state.isLooking) = (false, false)
        return nil
      }
      state.isOutdated = false
      return point
    }
  }

  func hold(_ contents: ScreenContents) {}

  func repaint() {}

  /// The frame and its label are in no accessibility tree.
  var isRead: Bool { false }

  /// The name being typed, the place with its answer, the items held, and the location.
  static func lines(_ contents: ScreenContents) -> [String] {
    let title = contents.title.isEmpty ? nil : contents.title
    return [contents.finding, contents.label, contents.carried, title].compactMap(\.self)
  }
}
