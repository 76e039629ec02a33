import KeyDragCore

/// Tracks the position and visibility of one window at a time. For the overlay's thread only.
final class OverlayWindowTracker {
  struct WindowVisibility: Equatable {
    /// `nil` for a destroyed window.
    var rectangle: ScreenRectangle?
    /// Mapped and not minimised, though perhaps covered or off screen.
    var isShown: Bool

    /// The current place of something found when the window was elsewhere; `nil` while the window
    /// is hidden.
    func moved(_ place: ScreenRectangle, since found: ScreenRectangle?) -> ScreenRectangle? {
      guard isShown, let rectangle else { return nil }
      guard let found else { return place }
      // Programs may report any numbers.
      return ScreenRectangle(
        x: place.x &+ (rectangle.x - found.x), y: place.y &+ (rectangle.y - found.y),
        width: place.width, height: place.height)
    }
  }

  private let server: XServer
  private let state, hidden: XAtom
  private var window: XWindow?
  /// The window and its window manager's frames.
  private var watched: [XWindow] = []
  private(set) var sight: WindowVisibility?

  init(_ server: XServer) {
    self.server = server
    let atoms = server.atoms(["_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"])
    (state, hidden) = (atoms[0], atoms[1])
  }

  func follow(_ id: WindowID?) {
    let wanted = id.map { XWindow(rawValue: $0.rawValue) }
    if wanted != window {
      window = wanted
      watchAround()
    }
    sight = look()
  }

  /// Reads the state again.
  ///
  /// - Returns: the previous state, if it has changed.
  func lookAgain() -> WindowVisibility? {
    guard let before = sight, let now = look(), now != before else { return nil }
    // A window manager that starts or ends puts other frames around it.
    watchAround()
    sight = now
    return before
  }

  private func watchAround() {
    let around = window.map { [$0] + server.ancestors(of: $0) } ?? []
    for gone in watched where !around.contains(gone) { server.watchNothing(of: gone) }
    // Selected before the next read, so that no change is missed.
    for new in around where !watched.contains(new) { server.watch(new, properties: true) }
    watched = around
  }

  private func look() -> WindowVisibility? {
    guard let window else { return nil }
    let rectangle = server.rectangle(of: window)
    let isMapped = server.shapes(of: [window]).first?.map(\.isMapped) == true
    // Some window managers leave a minimised window mapped, and set this state.
    let isHidden = isMapped && server.words(state, of: window, most: 32).contains(hidden.rawValue)
    return WindowVisibility(rectangle: rectangle, isShown: isMapped && !isHidden)
  }
}
