import KeyDragCore

/// The window that a place is in: the frame goes where it goes.
package struct OverlayAnchor: Hashable, Sendable {
  package var window: WindowID
  /// The window's rectangle when the place in it was found; `nil` where that is not known, and the
  /// frame stays put.
  package var rectangle: ScreenRectangle?

  package init(window: WindowID, rectangle: ScreenRectangle?) {
    self.window = window
    self.rectangle = rectangle
  }
}

/// Follows one window at a time: where it is, and whether it is to be seen.
///
/// For the overlay's thread alone.
final class OverlayWatch {
  /// The present state of a window, as far as it is known.
  struct Sight: Equatable {
    /// `nil` for a window that is no more.
    var rectangle: ScreenRectangle?
    /// Whether it is on the screen, though perhaps covered or beside it.
    var isShown: Bool

    /// The present place of something that was found when the window was elsewhere; `nil` while the
    /// window is not to be seen.
    func moved(_ place: ScreenRectangle, since found: ScreenRectangle?) -> ScreenRectangle? {
      guard isShown, let rectangle else { return nil }
      guard let found else { return place }
      // Programs may say any numbers.
      return ScreenRectangle(
        x: place.x &+ (rectangle.x - found.x), y: place.y &+ (rectangle.y - found.y),
        width: place.width, height: place.height)
    }
  }

  private let server: XServer
  private let state, hidden: XAtom
  private var window: XWindow?
  /// The window and what its window manager has put around it.
  private var watched: [XWindow] = []
  private(set) var sight: Sight?

  /// No window manager nests a window in more frames than this.
  private static let deepest = 8

  init(_ server: XServer) {
    self.server = server
    let atoms = server.atoms(["_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"])
    (state, hidden) = (atoms[0], atoms[1])
  }

  /// Follows this window instead of the one before, and looks where it is.
  func follow(_ id: WindowID?) {
    let wanted = id.map { XWindow(rawValue: $0.rawValue) }
    if wanted != window {
      window = wanted
      watchAround()
    }
    sight = look()
  }

  /// Looks again.
  ///
  /// - Returns: what there was before, where it is another.
  func lookAgain() -> Sight? {
    guard let before = sight, let now = look(), now != before else { return nil }
    // A window manager that begins or ends puts other frames around it.
    watchAround()
    sight = now
    return before
  }

  private func watchAround() {
    var around: [XWindow] = []
    var next = window
    while let inner = next, inner != server.root, around.count < Self.deepest {
      around.append(inner)
      next = server.parent(of: inner)
    }
    for gone in watched where !around.contains(gone) { server.watchNothing(of: gone) }
    // Only what has come: between this and a look nothing is missed.
    for new in around where !watched.contains(new) { server.watch(new, properties: true) }
    watched = around
  }

  private func look() -> Sight? {
    guard let window else { return nil }
    let rectangle = server.rectangle(of: window)
    let isMapped = server.shapes(of: [window]).first?.map(\.isMapped) == true
    // Some window managers leave a window that is minimized on the screen, and say so.
    let isHidden = isMapped && server.words(state, of: window, most: 32).contains(hidden.rawValue)
    return Sight(
      rectangle: rectangle.map {
        ScreenRectangle(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
      }, isShown: isMapped && !isHidden)
  }
}
