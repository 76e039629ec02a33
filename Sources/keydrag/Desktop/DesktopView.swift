import KeyDragCore
import KeyDragDesktop
import KeyDragRuntime
import KeyDragX11
import Synchronization

/// The desktop as the loop's screen: a frame around the place reached with a few words beside it.
final class DesktopView: Screen {
  private let world: DesktopWorld
  private let overlay: Overlay?
  private let clock: any Clock<Duration>
  private let state = Mutex(Shown())

  private struct Shown {
    /// Counts what is shown, so that an answer that comes late is dropped.
    var number = 0
    var contents: ScreenContents?
    /// The position of the place at the last look.
    var place: PlaceLocation?
    /// Whether it is looked where the place is by now, and whether it is to be looked once more.
    var isLooking = false
    var isOutdated = false
  }

  /// How often it is looked where a place has come to rest, and how long after each look.
  private static let mostLooks = 10
  private static let pause = Duration.milliseconds(100)

  init(
    world: DesktopWorld,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.world, self.clock) = (world, clock)
    overlay = try? Overlay()
    overlay?.onOutdated { [weak self] in self?.lookAgain() }
  }

  func visibleRows(for contents: ScreenContents) -> Int { 1 }

  func show(_ contents: ScreenContents) {
    guard let overlay else { return }
    let isCarrying = contents.phase != .browsing
    let number = state.withLock { state in
      state.number += 1
      // The same place is where it was at the last look.
      if state.contents?.dropPoint != contents.dropPoint { state.place = nil }
      state.contents = isCarrying ? contents : nil
      return state.number
    }
    guard isCarrying else { return overlay.hide() }
    Task {
      // The last known position is shown at once: a program may take its time to answer.
      let last: PlaceLocation?
      if let point = contents.dropPoint {
        last = await known(point)
      } else {
        last = nil
      }
      put(last) { $0.number == number }
      guard let point = contents.dropPoint else { return }
      let now = await world.whereabouts(of: point)
      if now != last { put(now) { $0.number == number } }
    }
  }

  private func known(_ point: DropPointID) async -> PlaceLocation? {
    if let place = state.withLock({ $0.place }) { return place }
    return await world.lastWhereabouts(of: point)
  }

  /// Shows the newest contents with a place, unless it is not theirs any more.
  private func put(_ place: PlaceLocation?, while isTheirs: (Shown) -> Bool) {
    state.withLock { state in
      guard isTheirs(state), let contents = state.contents else { return }
      state.place = place
      overlay?.show(
        OverlayView(
          frame: place?.rectangle, lines: Self.lines(contents), verdict: contents.verdict,
          help: contents.help),
        in: place.map { OverlayAnchor(window: $0.window, rectangle: $0.windowRectangle) })
    }
  }

  /// The window of the place has another size: the place may be elsewhere in it, now or once the
  /// program has put all that is in it in order.
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
        for _ in 0..<Self.mostLooks {
          let now = await world.whereabouts(of: point)
          if let last, last == now { break }
          put(now) { $0.contents?.dropPoint == point }
          last = now
          try? await clock.sleep(for: Self.pause)
        }
      }
    }
  }

  /// Which place is to be looked for; `nil` where none is any more.
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

  /// The name that is being typed, the place with its answer, what is held, and where the place is.
  static func lines(_ contents: ScreenContents) -> [String] {
    let title = contents.title.isEmpty ? nil : contents.title
    return [contents.finding, contents.label, contents.carried, title].compactMap(\.self)
  }
}
