import CXCB
import Glibc

extension XServer {
  /// The window around this one; `nil` for the root and for a window that is no more.
  func parent(of window: XWindow) -> XWindow? {
    let cookie = xcb_query_tree(connection, window.rawValue)
    guard let reply = xcb_query_tree_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    return reply.pointee.parent == 0 ? nil : XWindow(rawValue: reply.pointee.parent)
  }

  /// The window that has the keyboard; where the keyboard follows the pointer, the one under it.
  func focus() -> XWindow? {
    let cookie = xcb_get_input_focus(connection)
    guard let reply = xcb_get_input_focus_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    switch reply.pointee.focus {
    case 0: return nil
    case UInt32(XCB_INPUT_FOCUS_POINTER_ROOT.rawValue): return windowUnderPointer()
    case let window: return XWindow(rawValue: window)
    }
  }

  /// The child of the root under the pointer.
  private func windowUnderPointer() -> XWindow? {
    let cookie = xcb_query_pointer(connection, root.rawValue)
    guard let reply = xcb_query_pointer_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    return reply.pointee.child == 0 ? nil : XWindow(rawValue: reply.pointee.child)
  }
}
