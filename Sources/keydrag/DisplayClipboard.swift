import Dispatch
import KeyDragCore
import KeyDragWayland
import KeyDragX11
import Synchronization

/// The clipboard of the X server, connected on first use: a start waits for no display.
final class DisplayClipboard: ClipboardAccess {
  private let keeper = Mutex<ClipboardCoordinator?>(nil)
  private let queue = DispatchQueue(label: "keydrag.clipboard.display")

  /// Whether the X server's clipboard is the one that the person copies into and pastes from.
  ///
  /// A Wayland session may join it to its own only while an X11 window has the keyboard. The
  /// terminal has to be such a window then, as `WINDOWID` tells.
  ///
  /// - Parameter session: evaluated only where it decides.
  static func isShared(
    _ environment: [String: String], _ session: @autoclosure () -> WaylandSession?
  ) -> Bool {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    guard isSet("DISPLAY") else { return false }
    return isSet("WINDOWID") || session()?.joinsClipboards ?? true
  }

  /// The connection, opened on a queue because that may take a while.
  private func reached() async throws(Reason) -> ClipboardCoordinator {
    try await answered { reply in
      queue.async { [self] in
        if let known = keeper.withLock({ $0 }) { return reply(.success(known)) }
        guard let new = try? ClipboardCoordinator(holder: .own) else {
          return reply(.failure(.noDisplay))
        }
        keeper.withLock { $0 = new }
        reply(.success(new))
      }
    }
  }

  func read(_ forms: [String]) async throws(Reason) -> [SelectedForm] {
    try await reached().read(forms)
  }

  func put(_ forms: [SelectedForm]) async throws(Reason) { try await reached().put(forms) }

  func settle() { keeper.withLock { $0 }?.settle() }
}
