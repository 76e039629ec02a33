import CXCB
import CXKB
import Glibc

/// The keyboard of a server: its map, grabs, and what is pressed.
extension XServer {
  /// An event of the keyboard, as far as the keys on hold need it.
  ///
  /// Everything else is passed over.
  enum KeyEvent {
    case key(KeyJudge.Input)
    /// Another layout, or other modifiers.
    case mapChanged
    /// A key that was pressed or let go, whoever has grabbed the keyboard.
    case raw(MenuPresses.RawKey)
    /// A window that no window manager looks after was shown.
    case shown(XWindow)
    /// Any window at the top, of whatever kind.
    case hidden(XWindow)
  }

  /// The number of the extension that tells of keys whoever has grabbed the keyboard, and of layouts;
  /// `nil` where there is none.
  ///
  /// XInput 2. Blocks for its answer.
  func inputExtension() -> UInt8? {
    let input = bounded { keydrag_xinput_number(connection) }
    return input == 0 ? nil : input
  }

  /// Has windows at the top told as they are shown and hidden.
  ///
  /// By SubstructureNotify on the root; replaces what was told of the root before.
  ///
  /// - Returns: the number of the extension that tells of keys whoever has grabbed the keyboard;
  ///   `nil` where there is none, and no windows are told then.
  func watchShownWindows() -> UInt8? {
    guard let input = inputExtension() else { return nil }
    xcb_change_window_attributes(
      connection, root.rawValue, XCB_CW_EVENT_MASK.rawValue,
      [XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue])
    return input
  }

  /// Has each press and release of a key told, also while another program has grabbed the keyboard;
  /// or not any more.
  ///
  /// XInput 2 raw events, which grabs of other programs do not stop.
  func watchRawKeys(_ isOn: Bool) {
    bounded { keydrag_watch_raw_keys(connection, root.rawValue, isOn ? 1 : 0) }
  }

  /// The next such event that is there; `nil` when there is none, without waiting.
  ///
  /// Not to be mixed with ``nextEvent()``: each takes events that the other would want.
  ///
  /// - Parameter input: the extension's number that ``watchShownWindows()`` gave.
  func nextKeyEvent(_ input: UInt8?) -> KeyEvent? {
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
      case XCB_MAP_NOTIFY:
        let change = UnsafeRawPointer(event).load(as: xcb_map_notify_event_t.self)
        if change.override_redirect != 0 { return .shown(XWindow(rawValue: change.window)) }
      case XCB_UNMAP_NOTIFY:
        let change = UnsafeRawPointer(event).load(as: xcb_unmap_notify_event_t.self)
        return .hidden(XWindow(rawValue: change.window))
      case XCB_GE_GENERIC:
        // A release has the same shape.
        let raw = UnsafeRawPointer(event).load(as: xcb_input_raw_key_press_event_t.self)
        let isPress = Int32(raw.event_type) == XCB_INPUT_RAW_KEY_PRESS
        guard raw.extension == input,
          isPress || Int32(raw.event_type) == XCB_INPUT_RAW_KEY_RELEASE,
          let code = Keycode(exactly: raw.detail), code != 0
        else { continue }
        return .raw(MenuPresses.RawKey(isPress: isPress, code: code, time: raw.time))
      default: continue
      }
    }
    return nil
  }

  /// Takes keys from all other programs.
  ///
  /// Blocks for the answers of all grabs. Those that succeed are kept where others fail.
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

  /// Gives keys back; harmless for those that are not ours.
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
  ///
  /// XAllowEvents; the time has to be that of the event.
  func answerKey(isKept: Bool, time: UInt32) {
    // After a kept one it waits at the next event too, so that a letter typed before Tab was let go
    // can be handed on.
    let mode = isKept ? XCB_ALLOW_SYNC_KEYBOARD : XCB_ALLOW_REPLAY_KEYBOARD
    xcb_allow_events(connection, UInt8(mode.rawValue), time)
  }

  /// The keys that are down, modifiers and all; empty when the server does not say.
  ///
  /// Blocks for the answer.
  func keysDown() -> Set<Keycode> {
    guard let reply = answer(xcb_query_keymap_reply, xcb_query_keymap(connection)) else {
      return []
    }
    defer { free(reply) }
    return withUnsafeBytes(of: &reply.pointee.keys) { bits in
      Set((0...Keycode.max).filter { bits[Int($0) / 8] >> ($0 % 8) & 1 == 1 })
    }
  }

  /// The layout that is on, from 0 on; 0 where the server does not say. Where several keys lead on to
  /// another one it may be beyond the last, and below 0.
  ///
  /// Blocks for the answer.
  ///
  /// - Parameter input: the number that ``inputExtension()`` gave.
  func layout(_ input: UInt8?) -> Int {
    input == nil ? 0 : Int(bounded { keydrag_layout(connection, root.rawValue) })
  }

  /// The modifiers that are on now, as in the state of an event.
  ///
  /// Blocks for the answer; buttons are among them.
  func modifiersDown() -> UInt16? {
    let cookie = xcb_query_pointer(connection, root.rawValue)
    guard let reply = answer(xcb_query_pointer_reply, cookie) else { return nil }
    defer { free(reply) }
    return reply.pointee.mask
  }
}

/// Asks a display for the meaning of its keys.
///
/// Over a connection of its own, for the server tells changes and modifiers in another way to one that
/// has asked so. Belongs to one thread, as its connection does.
final class LayoutReader {
  private let display: String?
  private let patience: Duration
  private var server: XServer

  /// Blocks for a greeting.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - patience: how long it may say nothing, each time.
  init(display: String?, within patience: Duration = XGreeting.patience) throws(XError) {
    (self.display, self.patience) = (display, patience)
    server = try XServer(display: display, within: patience)
  }

  /// The present meaning; blocks for some answers. Connects anew where the display has ended the
  /// connection, or has not answered in time.
  func map() throws(XError) -> KeyboardMap {
    if server.isLost { server = try XServer(display: display, within: patience) }
    // A map that changes while it is read may not be understood.
    for _ in 0..<2 where !server.isLost {
      let keymap = server.bounded { Self.keymap(server.connection) }
      // Nothing that came besides is wanted.
      while let event = xcb_poll_for_event(server.connection) { free(event) }
      guard let keymap else { continue }
      defer { xkb_keymap_unref(keymap) }
      return KeyboardMap(keymap)
    }
    throw server.isLost ? server.loss : .unreachable(display: display)
  }

  /// Gives a map of the library's, which the caller lets go of.
  private static func keymap(_ connection: OpaquePointer) -> OpaquePointer? {
    let flags = XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue
    guard
      xkb_x11_setup_xkb_extension(
        connection, UInt16(XKB_X11_MIN_MAJOR_XKB_VERSION), UInt16(XKB_X11_MIN_MINOR_XKB_VERSION),
        XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS, nil, nil, nil, nil) == 1,
      let context = keydrag_xkb_context(xkb_context_flags(flags))
    else { return nil }
    defer { xkb_context_unref(context) }
    let device = xkb_x11_get_core_keyboard_device_id(connection)
    guard device >= 0 else { return nil }
    return xkb_x11_keymap_new_from_device(
      context, connection, device, XKB_KEYMAP_COMPILE_NO_FLAGS)
  }
}
