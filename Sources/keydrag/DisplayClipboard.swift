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

  /// Calls `use` with the connection, from a thread of its own: opening it may take a while.
  private func reach(
    _ use: @escaping @Sendable (ClipboardKeeper) -> Void, else fail: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      if let known = keeper.withLock({ $0 }) { return use(known) }
      guard let new = try? ClipboardKeeper(holder: .own) else { return fail() }
      keeper.withLock { $0 = new }
      use(new)
    }
  }

  func read(
    _ forms: [String], _ reply: @escaping @Sendable (Result<[SelectedForm], Reason>) -> Void
  ) {
    reach {
      $0.read(forms, reply)
    } else: {
      reply(.failure(.noDisplay))
    }
  }

  func put(_ forms: [SelectedForm], _ reply: @escaping @Sendable (Reason?) -> Void) {
    reach {
      $0.put(forms, reply)
    } else: {
      reply(.noDisplay)
    }
  }

  func settle() { keeper.withLock { $0 }?.settle() }
}
