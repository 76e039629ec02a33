import CXCB
import Glibc

extension XServer {
  /// Raises and focuses a window without the window manager; ``DesktopWindows/activate(_:)`` is the
  /// usual way.
  func bringForward(_ window: XWindow) {
    var above = XCB_STACK_MODE_ABOVE.rawValue
    bounded {
      xcb_configure_window(
        connection, window.rawValue, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), &above)
    }
    bounded {
      xcb_set_input_focus(
        connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window.rawValue,
        xcb_timestamp_t(XCB_CURRENT_TIME))
    }
  }

  /// `nil` for the root and for a destroyed window.
  func parent(of window: XWindow) -> XWindow? {
    let cookie = xcb_query_tree(connection, window.rawValue)
    guard let reply = answer(xcb_query_tree_reply, cookie) else { return nil }
    defer { free(reply) }
    return reply.pointee.parent == 0 ? nil : XWindow(rawValue: reply.pointee.parent)
  }

  /// The focused window; when the focus follows the pointer, the one under it. 0 is None, 1 is
  /// PointerRoot (SetInputFocus). `nil` also when the server does not answer.
  func focus() -> XWindow? {
    let cookie = xcb_get_input_focus(connection)
    guard let reply = answer(xcb_get_input_focus_reply, cookie) else { return nil }
    defer { free(reply) }
    switch reply.pointee.focus {
    case 0: return nil
    case UInt32(XCB_INPUT_FOCUS_POINTER_ROOT.rawValue): return windowUnderPointer()
    case let window: return XWindow(rawValue: window)
    }
  }

  /// Whether the topmost window that takes clicks at a point of the screen is this one or contains
  /// it. Blocks for several replies; the stack may change meanwhile.
  func isOnTop(_ window: XWindow, at point: (x: Int, y: Int)) -> Bool {
    var top = window
    for _ in 0..<XServer.deepestFrame {
      guard let parent = parent(of: top), parent != root else { break }
      top = parent
    }
    let hasShapes = has("SHAPE")
    let windows = Array(children(of: root).reversed())
    let hit = zip(windows, shapes(of: windows)).first { child, shape in
      guard let shape, shape.isMapped else { return false }
      let (x, y) = (point.x - shape.x, point.y - shape.y)
      return x >= 0 && y >= 0 && x < shape.width && y < shape.height
        && (!hasShapes || takesInput(child, at: (x, y)))
    }
    return hit?.0 == top
  }

  /// No window manager nests a window in more frames than this.
  private static let deepestFrame = 8

  /// The root's child under the pointer; `nil` over the bare root.
  private func windowUnderPointer() -> XWindow? {
    let cookie = xcb_query_pointer(connection, root.rawValue)
    guard let reply = answer(xcb_query_pointer_reply, cookie) else { return nil }
    defer { free(reply) }
    return reply.pointee.child == 0 ? nil : XWindow(rawValue: reply.pointee.child)
  }
}
