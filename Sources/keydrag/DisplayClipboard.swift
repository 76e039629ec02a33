import Dispatch
import KeyDragCore
import KeyDragWayland
import KeyDragX11
import Synchronization

/// The clipboard of the X server, reached when it is first needed: a start waits for no display.
final class DisplayClipboard: ClipboardAccess {
  private let keeper = Mutex<ClipboardKeeper?>(nil)
  private let queue = DispatchQueue(label: "keydrag.clipboard.display")

  /// Whether the X server's clipboard is the one that the person copies into and pastes from.
  ///
  /// Where a Wayland session joins it to its own only while a window of an X11 program has the keyboard,
  /// the terminal has to have such a window, and tells its number.
  ///
  /// - Parameter session: looked for only where it decides.
  static func isShared(
    _ environment: [String: String], _ session: @autoclosure () -> WaylandSession?
  ) -> Bool {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    guard isSet("DISPLAY") else { return false }
    return isSet("WINDOWID") || session()?.joinsClipboards ?? true
  }

  /// The connection, opened on a thread of its own: that may take a while.
  private func reached() async throws(Reason) -> ClipboardKeeper {
    try await answered { reply in
      queue.async { [self] in
        if let known = keeper.withLock({ $0 }) { return reply(.success(known)) }
        guard let new = try? ClipboardKeeper(holder: .own) else {
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
