import CXCB
import Glibc

extension XServer {
  /// `nil` when nobody owns it.
  func owner(of selection: XAtom) -> XWindow? {
    reply(
      xcb_get_selection_owner_reply, xcb_get_selection_owner(connection, selection.rawValue)
    ).flatMap { $0.owner == 0 ? nil : XWindow(rawValue: $0.owner) }
  }

  /// Grabs the server until ``releaseServer()``: no other program is served. Only for a few
  /// requests, and never while waiting for another program.
  func holdServer() { xcb_grab_server(connection) }

  func releaseServer() {
    xcb_ungrab_server(connection)
    flush()
  }

  /// Asks the owner to convert the selection into a property (ICCCM 2.4). The answer is a
  /// SelectionNotify event; its property is none when the owner refused.
  func convert(
    _ selection: XAtom, to target: XAtom, property: XAtom, of requestor: XWindow, time: UInt32
  ) {
    xcb_convert_selection(
      connection, requestor.rawValue, selection.rawValue, target.rawValue, property.rawValue, time)
  }

  /// Reads a property, and deletes it once read whole; `nil` when it does not exist.
  ///
  /// Deletion tells the owner of an INCR transfer to continue (ICCCM 2.7.2); the server deletes
  /// only with the last byte (GetProperty).
  ///
  /// - Parameter most: bytes to read; the rest stays there.
  func take(_ property: XAtom, of window: XWindow, most: Int) -> SelectionFetch.Value? {
    let words = UInt32(clamping: most / 4 + 1)
    let cookie = xcb_get_property(
      connection, 1, window.rawValue, property.rawValue, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0,
      words)
    guard let reply = answer(xcb_get_property_reply, cookie) else { return nil }
    defer { free(reply) }
    guard reply.pointee.type != 0 else { return nil }
    let length = max(Int(xcb_get_property_value_length(reply)), 0)
    let value = xcb_get_property_value(reply)
    return SelectionFetch.Value(
      type: XAtom(rawValue: reply.pointee.type), format: reply.pointee.format,
      bytes: Array(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : length)),
      isWhole: reply.pointee.bytes_after == 0 && length <= most)
  }

  /// The names of atoms, in one round trip; `nil` for a number that is no atom.
  func names(of atoms: [XAtom]) -> [[UInt8]?] {
    let cookies = bounded { atoms.map { xcb_get_atom_name(connection, $0.rawValue) } }
    return cookies.map { cookie in
      guard let reply = answer(xcb_get_atom_name_reply, cookie) else { return nil }
      defer { free(reply) }
      let length = max(Int(xcb_get_atom_name_name_length(reply)), 0)
      return Array(UnsafeRawBufferPointer(start: xcb_get_atom_name_name(reply), count: length))
    }
  }

  /// Subscribes to `ownerChanged` events of a selection; `false` when the server lacks XFIXES.
  /// Blocks for two replies.
  func followOwner(of selection: XAtom, by window: XWindow) -> Bool {
    guard let first = firstEvent(of: "XFIXES") else { return false }
    // XFIXES refuses clients that have not announced their version.
    let version = bounded { xcb_xfixes_query_version(connection, 4, 0) }
    free(answer(xcb_xfixes_query_version_reply, version))
    ownerEvent = first + UInt8(XCB_XFIXES_SELECTION_NOTIFY)
    xcb_xfixes_select_selection_input(
      connection, window.rawValue, selection.rawValue,
      XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER.rawValue)
    return true
  }

  // MARK: Serving

  /// The conversions that a MULTIPLE request names: pairs of target and property (ICCCM 2.6.2); at
  /// most 64.
  func pairs(of request: SelectionServer.Request) -> [(target: XAtom, property: XAtom)] {
    let words = words(request.property, of: request.requestor, most: 128)
    return stride(from: 0, to: words.count - 1, by: 2).map {
      (XAtom(rawValue: words[$0]), XAtom(rawValue: words[$0 + 1]))
    }
  }

  /// Carries out an action that concerns the server, not loading, deletion or progress. Does not
  /// flush.
  func carryOut(_ action: SelectionServer.Action, selection: XAtom) {
    switch action {
    case .write(let window, let property, let type, let format, let bytes):
      setProperty(property, of: window, type: type, format: format, bytes: bytes)
    case .notify(let requestor, let target, let property, let time):
      notify(requestor, selection: selection, target: target, property: property, time: time)
    case .watch(let requestor): watch(requestor, properties: true)
    case .unwatch(let requestor): watch(requestor)
    case .load, .taken: break
    }
  }
}
