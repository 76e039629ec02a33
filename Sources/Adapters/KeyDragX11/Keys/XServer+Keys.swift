import CXCB
import CXKB
import Glibc
import KeyDragCore

extension XServer {
  enum KeyEvent {
    case key(KeyOwnershipResolver.Input)
    /// The layout or the modifiers have changed.
    case mapChanged
    /// A press or release, regardless of grabs.
    case raw(MenuChordMonitor.RawKey)
    /// An override-redirect window was mapped.
    case shown(XWindow)
    /// Any top-level window was unmapped.
    case hidden(XWindow)
  }

  /// XInput 2's number, which reports raw keys; `nil` when the server lacks it. Blocks for its
  /// reply.
  func inputExtension() -> UInt8? {
    let input = bounded { keydrag_xinput_number(connection) }
    return input == 0 ? nil : input
  }

  /// Selects map and unmap events of top-level windows (SubstructureNotify on the root), replacing
  /// this connection's earlier selection there.
  ///
  /// - Returns: XInput's number; `nil`, with nothing selected, when the server lacks it.
  func watchShownWindows() -> UInt8? {
    guard let input = inputExtension() else { return nil }
    xcb_change_window_attributes(
      connection, root.rawValue, XCB_CW_EVENT_MASK.rawValue,
      [XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue])
    return input
  }

  /// Starts or stops XInput 2 raw key events, which other programs' grabs do not stop.
  func watchRawKeys(_ isOn: Bool) {
    bounded { keydrag_watch_raw_keys(connection, root.rawValue, isOn ? 1 : 0) }
  }

  /// The next pending event, without blocking.
  ///
  /// Not to be mixed with ``nextEvent()``: each drops events that the other needs.
  ///
  /// - Parameter input: the number from ``watchShownWindows()``.
  func nextKeyEvent(_ input: UInt8?) -> KeyEvent? {
    while let event = xcb_poll_for_event(connection) {
      defer { free(event) }
      switch Int32(event.pointee.response_type & 0x7F) {
      case XCB_KEY_PRESS, XCB_KEY_RELEASE:
        // A release has the same layout.
        let key = UnsafeRawPointer(event).load(as: xcb_key_press_event_t.self)
        return .key(
          KeyOwnershipResolver.Input(
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
        let raw = UnsafeRawPointer(event).load(as: xcb_input_raw_key_press_event_t.self)
        let isPress = Int32(raw.event_type) == XCB_INPUT_RAW_KEY_PRESS
        guard raw.extension == input,
          isPress || Int32(raw.event_type) == XCB_INPUT_RAW_KEY_RELEASE,
          let code = Keycode(exactly: raw.detail), code != 0
        else { continue }
        return .raw(MenuChordMonitor.RawKey(isPress: isPress, code: code, time: raw.time))
      default: continue
      }
    }
    return nil
  }

  /// Grabs keys from all other programs.
  ///
  /// Blocks for the replies of all grabs. Those that succeed stay when others fail.
  ///
  /// - Parameter isStopping: whether the keyboard freezes at each press for ``answerKey(_:time:)``.
  /// - Returns: the presses that another program already holds.
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

  /// Unfreezes the keyboard after an event (XAllowEvents); the time must be the event's.
  func answerKey(isKept: Bool, time: UInt32) {
    // After a kept event it freezes at the next one too, so that a letter typed before Tab was
    // released can be passed on.
    let mode = isKept ? XCB_ALLOW_SYNC_KEYBOARD : XCB_ALLOW_REPLAY_KEYBOARD
    xcb_allow_events(connection, UInt8(mode.rawValue), time)
  }

  /// Keys that are down, including modifiers; empty when the server does not answer.
  func keysDown() -> Set<Keycode> {
    guard let map = reply(xcb_query_keymap_reply, xcb_query_keymap(connection)) else { return [] }
    return withUnsafeBytes(of: map.keys) { bits in
      Set((0...Keycode.max).filter { bits[Int($0) / 8] >> ($0 % 8) & 1 == 1 })
    }
  }

  /// The active layout, from 0; 0 when the server does not answer. Switching keys may take it out
  /// of range, and below 0.
  ///
  /// Blocks for the reply.
  ///
  /// - Parameter input: the number from ``inputExtension()``.
  func layout(_ input: UInt8?) -> Int {
    input == nil ? 0 : Int(bounded { keydrag_layout(connection, root.rawValue) })
  }

  /// Active modifiers and buttons, as in an event's state.
  func modifiersDown() -> UInt16? { queryPointer()?.mask }
}

/// Reads a display's keyboard map. Over its own connection, because the server reports changes and
/// modifiers differently to a client that has asked for it. Belongs to one thread.
final class LayoutReader {
  private let display: String?
  private let patience: Duration
  private var server: XServer

  /// Blocks for the greeting.
  ///
  /// - Parameter patience: timeout for each wait.
  init(display: String?, within patience: Duration = XConnector.patience) throws(Reason) {
    (self.display, self.patience) = (display, patience)
    server = try XServer(display: display, within: patience)
  }

  /// The current map; blocks for several replies. Reconnects when the connection was lost or timed
  /// out.
  func map() throws(Reason) -> KeyboardMap {
    if server.isLost { server = try XServer(display: display, within: patience) }
    // A map that changes while it is read may not parse.
    for _ in 0..<2 where !server.isLost {
      let keymap = server.bounded { Self.keymap(server.connection) }
      // Events are not needed here.
      while let event = xcb_poll_for_event(server.connection) { free(event) }
      guard let keymap else { continue }
      defer { xkb_keymap_unref(keymap) }
      return KeyboardMap(keymap)
    }
    throw server.isLost ? server.loss : .noDisplay
  }

  /// The caller releases the keymap.
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
