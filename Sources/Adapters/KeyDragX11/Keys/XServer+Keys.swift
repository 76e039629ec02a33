import CXCB
import Glibc

/// The keyboard of a server: its map, grabs, and what is pressed.
extension XServer {
  /// What happens to the keyboard, as far as the keys on hold need it.
  enum KeyEvent {
    case key(KeyJudge.Input)
    /// Another layout, or other modifiers.
    case mapChanged
  }

  /// The next such event that is there; `nil` when there is none, without waiting.
  func nextKeyEvent() -> KeyEvent? {
    while let event = xcb_poll_for_event(connection) {
      defer { free(event) }
      switch Int32(event.pointee.response_type & 0x7F) {
      case XCB_KEY_PRESS, XCB_KEY_RELEASE:
        // A release has the same shape.
        let key = UnsafeRawPointer(event).load(as: xcb_key_press_event_t.self)
        return .key(
          KeyJudge.Input(
            isPress: Int32(event.pointee.response_type & 0x7F) == XCB_KEY_PRESS,
            code: key.detail, state: key.state, time: key.time))
      case XCB_MAPPING_NOTIFY:
        let change = UnsafeRawPointer(event).load(as: xcb_mapping_notify_event_t.self)
        if change.request != XCB_MAPPING_POINTER.rawValue { return .mapChanged }
      default: continue
      }
    }
    return nil
  }

  /// What the keys mean now; `nil` when the server does not say.
  func keyboardMap() -> KeyboardMap? {
    guard let setup = xcb_get_setup(connection) else { return nil }
    let (first, last) = (setup.pointee.min_keycode, setup.pointee.max_keycode)
    guard last >= first else { return nil }
    let mapping = xcb_get_keyboard_mapping(connection, first, last - first + 1)
    let modifiers = xcb_get_modifier_mapping(connection)
    let keys = answer(xcb_get_keyboard_mapping_reply, mapping)
    let rows = answer(xcb_get_modifier_mapping_reply, modifiers)
    defer {
      free(keys)
      free(rows)
    }
    guard let keys, let rows, let keysyms = xcb_get_keyboard_mapping_keysyms(keys),
      let codes = xcb_get_modifier_mapping_keycodes(rows)
    else { return nil }
    return KeyboardMap(
      first: first,
      keysyms: UnsafeBufferPointer(
        start: keysyms, count: Int(xcb_get_keyboard_mapping_keysyms_length(keys))
      ).map(Keysym.init(rawValue:)),
      width: Int(keys.pointee.keysyms_per_keycode),
      modifiers: Array(
        UnsafeBufferPointer(
          start: codes, count: Int(xcb_get_modifier_mapping_keycodes_length(rows)))))
  }

  /// Takes keys from all other programs.
  ///
  /// - Parameter isStopping: whether the keyboard waits at each press for ``answerKey(_:time:)``.
  /// - Returns: those that another program has already.
  func grab(
    _ presses: Set<KeyboardMap.Press>, locks: Set<UInt16>, isStopping: Bool
  ) -> Set<KeyboardMap.Press> {
    let mode = isStopping ? XCB_GRAB_MODE_SYNC : XCB_GRAB_MODE_ASYNC
    let cookies = bounded {
      presses.flatMap { press in
        locks.map { lock in
          (
            press,
            xcb_grab_key_checked(
              connection, 0, root.rawValue, press.modifiers | lock, press.code,
              UInt8(XCB_GRAB_MODE_ASYNC.rawValue), UInt8(mode.rawValue))
          )
        }
      }
    }
    var taken: Set<KeyboardMap.Press> = []
    for (press, cookie) in cookies {
      guard let error = bounded({ xcb_request_check(connection, cookie) }) else { continue }
      taken.insert(press)
      free(error)
    }
    return taken
  }

  func ungrab(_ presses: Set<KeyboardMap.Press>, locks: Set<UInt16>) {
    bounded {
      for press in presses {
        for lock in locks {
          xcb_ungrab_key(connection, press.code, root.rawValue, press.modifiers | lock)
        }
      }
    }
  }

  /// Lets the keyboard go on after a press or release at which it waits.
  func answerKey(isKept: Bool, time: UInt32) {
    // After a kept one it waits at the next event too, so that a letter typed before Tab was let go
    // can be handed on.
    let mode = isKept ? XCB_ALLOW_SYNC_KEYBOARD : XCB_ALLOW_REPLAY_KEYBOARD
    xcb_allow_events(connection, UInt8(mode.rawValue), time)
  }

  /// The keys that are down, modifiers and all; empty when the server does not say.
  func keysDown() -> Set<Keycode> {
    guard let reply = answer(xcb_query_keymap_reply, xcb_query_keymap(connection)) else {
      return []
    }
    defer { free(reply) }
    return withUnsafeBytes(of: &reply.pointee.keys) { bits in
      Set((0...Keycode.max).filter { bits[Int($0) / 8] >> ($0 % 8) & 1 == 1 })
    }
  }

  /// The modifiers and layout that are on now, as in the state of an event.
  func modifiersDown() -> UInt16? {
    let cookie = xcb_query_pointer(connection, root.rawValue)
    guard let reply = answer(xcb_query_pointer_reply, cookie) else { return nil }
    defer { free(reply) }
    return reply.pointee.mask
  }
}
