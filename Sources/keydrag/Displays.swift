import KeyDragCore
import KeyDragWayland
import KeyDragX11

/// The display servers of this session.
enum Displays {
  /// The clipboard that a person copies into and pastes from, connected on first use; `nil` where
  /// none is known to be that one.
  ///
  /// A Wayland session may join the X server's to its own only while an X11 window has the
  /// keyboard. The terminal has to be such a window then, as `WINDOWID` tells.
  ///
  /// - Parameter session: evaluated only where it decides.
  static func clipboard(
    _ environment: [String: String], _ session: @autoclosure () -> WaylandSession?
  ) -> (any ClipboardAccess)? {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    guard isSet("DISPLAY"), isSet("WINDOWID") || session()?.joinsClipboards ?? true else {
      return nil
    }
    return ClipboardCoordinator(holder: .own)
  }
}
