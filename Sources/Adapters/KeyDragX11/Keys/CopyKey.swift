import CXCB
import Glibc
import KeyDragCore
import KeyDragThreads

/// Presses Ctrl+C as a hand would (XTEST), each time over its own connection. One thread per press,
/// because keys may be held for two seconds. Safe from any thread.
final class CopyKey: KeyPressing {
  private let display: String?

  init(display: String? = nil) { self.display = display }

  /// `false` when the window no longer has the focus, or the keyboard lacks the key.
  func pressCopy(in window: WindowID) async -> Bool {
    let (display, target) = (display, XWindow(rawValue: window.rawValue))
    return await answer { reply in
      let isRunning = BackgroundThread.start { reply(Self.press(in: target, display)) }
      if !isRunning { reply(false) }
    }
  }

  /// Waits for held modifiers, which would make it another shortcut. Blocks for at most 2 s plus
  /// the server's replies.
  private static func press(in window: XWindow, _ display: String?) -> Bool {
    guard let server = try? XServer(display: display), server.has("XTEST"),
      let map = try? LayoutReader(display: display).map(), let control = map.leftControl,
      // The active layout first: in another one the same key may be another command.
      let key = ([server.layout(server.inputExtension())] + Array(0..<map.layoutCount)).lazy
        .compactMap({ map.presses(of: KeyStroke(.character("c"), .ctrl), layout: $0).first }).first
    else { return false }
    var hands = InputReleaseWait(since: MonotonicClock.now)
    while let pointer = server.pointer() {
      switch hands.look(pointer.held, now: MonotonicClock.now) {
      case .wait: usleep(UInt32(InputReleaseWait.pause) * 1_000)
      case .giveUp: return false
      case .goOn:
        guard server.hasFocus(window) else { return false }
        server.type([control, key.code])
        return !server.isLost
      }
    }
    return false
  }
}

extension XServer {
  /// Whether the focus is on a window or a descendant, up to 32 levels deep.
  fileprivate func hasFocus(_ window: XWindow) -> Bool {
    focus().map { ([$0] + ancestors(of: $0, most: 32)).contains(window) } ?? false
  }

  fileprivate func type(_ codes: [Keycode]) {
    for code in codes { fake(XCB_KEY_PRESS, code) }
    for code in codes.reversed() { fake(XCB_KEY_RELEASE, code) }
    flush()
    // The events have arrived before the connection ends.
    _ = pointer()
  }

  private func fake(_ type: Int32, _ code: Keycode) {
    bounded { xcb_test_fake_input(connection, UInt8(type), code, 0, 0, 0, 0, 0) }
  }
}
