import CXCB
import Glibc

extension XServer {
  /// Moves the pointer without any program seeing the motion, as the source of a manual drag does
  /// by its grab: Qt lists that were dragged over start a drag of their own at the next motion they
  /// see.
  ///
  /// Uses a grab that ends before this returns; another program's grab, such as a menu's, still
  /// receives the motion. Blocks for replies, so that the pointer is at its new place afterwards.
  func movePointerSilently(to point: RootPoint) {
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = bounded {
      xcb_grab_pointer(connection, 0, root.rawValue, 0, mode, mode, 0, 0, 0)
    }
    let isOurs =
      reply(xcb_grab_pointer_reply, cookie)?.status == UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue)
    movePointer(to: point)
    // The server has sent the motion events by the time it replies.
    _ = pointer()
    if isOurs { bounded { xcb_ungrab_pointer(connection, 0) } }
    flush()
  }

  /// Moves the pointer as a hand would: XTEST, unlike a warp, sends motion events to programs that
  /// follow it in a drag. Flushed at once.
  func drag(to point: RootPoint) {
    bounded {
      xcb_test_fake_input(
        connection, UInt8(XCB_MOTION_NOTIFY), 0, 0, root.rawValue, point.x, point.y, 0)
    }
    flush()
  }

  /// Presses or releases the logical first button. Every press must be released: a button that
  /// stays down blocks the desktop.
  func press(_ isDown: Bool) {
    let type = UInt8(isDown ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE)
    bounded { xcb_test_fake_input(connection, type, firstButton, 0, 0, 0, 0, 0) }
    flush()
  }

  /// The physical button mapped to logical button 1, which differs for left-handed users.
  private var firstButton: UInt8 {
    let cookie = xcb_get_pointer_mapping(connection)
    guard let reply = answer(xcb_get_pointer_mapping_reply, cookie) else { return 1 }
    defer { free(reply) }
    let length = Int(xcb_get_pointer_mapping_map_length(reply))
    let map = UnsafeBufferPointer(start: xcb_get_pointer_mapping_map(reply), count: max(length, 0))
    return map.firstIndex(of: 1).map { UInt8(clamping: $0 + 1) } ?? 1
  }

  /// The cursor's name; empty when it has none, `nil` when the server can't tell. By XFIXES 2 or
  /// newer, which refuses clients that have not announced a version. At most 255 bytes.
  func pictureName() -> String? {
    let version = bounded { xcb_xfixes_query_version(connection, 4, 0) }
    free(answer(xcb_xfixes_query_version_reply, version))
    let cookie = xcb_xfixes_get_cursor_image_and_name(connection)
    guard let reply = answer(xcb_xfixes_get_cursor_image_and_name_reply, cookie) else {
      return nil
    }
    defer { free(reply) }
    let length = Int(xcb_xfixes_get_cursor_image_and_name_name_length(reply))
    let name = xcb_xfixes_get_cursor_image_and_name_name(reply)
    return String(
      decoding: UnsafeRawBufferPointer(start: name, count: min(max(length, 0), 255)),
      as: UTF8.self)
  }
}
