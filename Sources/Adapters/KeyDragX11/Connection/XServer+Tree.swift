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
    reply(xcb_query_tree_reply, xcb_query_tree(connection, window.rawValue))
      .flatMap { $0.parent == 0 ? nil : XWindow(rawValue: $0.parent) }
  }

  /// The focused window; when the focus follows the pointer, the one under it. 0 is None, 1 is
  /// PointerRoot (SetInputFocus). `nil` also when the server does not answer.
  func focus() -> XWindow? {
    switch reply(xcb_get_input_focus_reply, xcb_get_input_focus(connection))?.focus {
    case nil, 0: return nil
    case UInt32(XCB_INPUT_FOCUS_POINTER_ROOT.rawValue): return windowUnderPointer()
    case let window?: return XWindow(rawValue: window)
    }
  }

  /// Whether the topmost window that takes clicks at a point of the screen is this one or contains
  /// it. Blocks for several replies; the stack may change meanwhile.
  func isOnTop(_ window: XWindow, at point: (x: Int, y: Int)) -> Bool {
    child(of: root, at: point)?.window == ancestors(of: window).last ?? window
  }

  /// The topmost child that takes clicks at a point, in pixels relative to the window. Frames,
  /// labels and notifications that clicks pass through are left out.
  func child(
    of window: XWindow, at point: (x: Int, y: Int), mappedOnly: Bool = true
  ) -> (window: XWindow, shape: Shape)? {
    let stack = Array(children(of: window).reversed())
    for (child, shape) in zip(stack, shapes(of: stack)) {
      guard let shape, shape.isMapped || !mappedOnly else { continue }
      let (x, y) = (point.x - shape.x, point.y - shape.y)
      if x >= 0, y >= 0, x < shape.width, y < shape.height,
        !hasShapes || takesInput(child, at: (x, y))
      {
        return (child, shape)
      }
    }
    return nil
  }

  /// The root's child under the pointer; `nil` over the bare root.
  private func windowUnderPointer() -> XWindow? {
    queryPointer().flatMap { $0.child == 0 ? nil : XWindow(rawValue: $0.child) }
  }
}
