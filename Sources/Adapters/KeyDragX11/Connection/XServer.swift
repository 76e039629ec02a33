import CXCB
import Glibc
import KeyDragCore

/// A connection to an X server for one thread: requests, replies and events as Swift values.
///
/// Properties of other programs are truncated before they are copied.
///
/// Requests go out with ``flush()`` or with the next reply that is awaited. Each wait is bounded by
/// ``XWaitTimeout``; a timeout loses the connection, and everything returns `nil`, empty or `false` at
/// once. Errors arrive as events (``Event/failed(resource:)``), since most requests have no reply.
final class XServer {
  /// The events that this module needs; others are dropped.
  enum Event {
    /// Format 32: five words.
    case message(type: XAtom, window: XWindow, words: [UInt32])
    /// Addressed to our window as the owner.
    case selectionRequest(owner: XWindow, selection: XAtom, SelectionServer.Request)
    case selectionCleared(XAtom)
    /// A conversion succeeded, or was refused: then the property is none.
    case selectionNotified(requestor: XWindow, target: XAtom, property: XAtom, time: UInt32)
    /// By XFIXES.
    case ownerChanged(XAtom, owner: XWindow, time: UInt32)
    case propertyDeleted(XWindow, XAtom)
    /// Written, possibly with the same value.
    case propertySet(XWindow, XAtom, time: UInt32)
    case destroyed(XWindow)
    /// A request about this resource failed.
    case failed(resource: UInt32)
  }

  /// Internal only for this class's extensions.
  let connection: OpaquePointer
  private let patience: XWaitTimeout
  /// As it was connected to; empty for DISPLAY.
  let name: String
  /// Part of the connection's setup.
  let screen: UnsafeMutablePointer<xcb_screen_t>
  let root: XWindow
  let screenNumber: Int
  /// The bits in which resource ids of one client differ.
  private let resourceMask: UInt32
  /// Events read while another was awaited; those before `nextQueued` have been taken.
  private var queuedEvents: [Event] = []
  private var nextQueued = 0
  /// Without this extension windows are rectangles.
  private(set) lazy var hasShapes = has("SHAPE")
  /// Event number of XFIXES owner changes, once subscribed.
  var ownerEvent: UInt8?

  static let patience = XConnector.patience

  /// Blocks for at most `patience`.
  ///
  /// - Parameters:
  ///   - display: `nil` for DISPLAY.
  ///   - patience: timeout for the greeting, then for each reply.
  /// - Throws: `noDisplay` or `notResponding`.
  init(display: String?, within patience: Duration = XConnector.patience) throws(Reason) {
    let (connection, number) = try XConnector.connect(display, within: patience)
    guard xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection) else {
      xcb_disconnect(connection)
      throw .noDisplay
    }
    var screens = xcb_setup_roots_iterator(setup)
    for _ in 0..<number where screens.rem > 1 { xcb_screen_next(&screens) }
    // A screen number out of range selects the last screen.
    guard let screen = screens.data else {
      xcb_disconnect(connection)
      throw .noDisplay
    }
    self.connection = connection
    name = display ?? ""
    self.patience = XWaitTimeout(
      descriptor: xcb_get_file_descriptor(connection), limit: patience)
    self.screen = screen
    root = XWindow(rawValue: screen.pointee.root)
    screenNumber = Int(number)
    resourceMask = setup.pointee.resource_id_mask
  }

  deinit {
    patience.forget()
    xcb_disconnect(connection)
  }

  /// For poll(2): readable when events are pending, except those read ahead with a reply, see
  /// ``hasQueuedEvent()``.
  var descriptor: Int32 { xcb_get_file_descriptor(connection) }

  /// Whether it is on this machine: pictures take long over a network.
  var isLocal: Bool {
    var peer = sockaddr()
    var length = socklen_t(MemoryLayout<sockaddr>.size)
    return getpeername(descriptor, &peer, &length) == 0 && Int32(peer.sa_family) == AF_UNIX
  }

  /// Permanent.
  var isLost: Bool { xcb_connection_has_error(connection) != 0 }

  /// Why the connection was lost; meaningful only when ``isLost``.
  var loss: Reason { patience.hasTimedOut ? .notResponding : .noDisplay }

  /// Removes the timeout, for a thread that nobody waits for and that resumes when the server does.
  func disableTimeout() { patience.end() }

  /// May block for room to write, within the limit.
  func flush() { bounded { xcb_flush(connection) } }

  // MARK: Waiting

  /// Runs a call that may block on the server: for a reply, for room to write, or for the query the
  /// library makes when an extension is first used.
  @discardableResult
  func bounded<Value>(_ body: () -> Value) -> Value { patience.bound(body) }

  /// A function of the library that waits for a reply.
  typealias Ask<Cookie, Reply> = (
    OpaquePointer?, Cookie, UnsafeMutablePointer<UnsafeMutablePointer<xcb_generic_error_t>?>?
  ) -> UnsafeMutablePointer<Reply>?

  /// Waits for a reply; `nil` when there is none or it times out, which loses the connection. The
  /// caller frees it.
  func answer<Cookie, Reply>(
    _ ask: Ask<Cookie, Reply>, _ cookie: Cookie
  ) -> UnsafeMutablePointer<Reply>? {
    bounded { ask(connection, cookie, nil) }
  }

  /// The same for a reply without a list behind it.
  func reply<Cookie, Reply>(_ ask: Ask<Cookie, Reply>, _ cookie: Cookie) -> Reply? {
    guard let reply = answer(ask, cookie) else { return nil }
    defer { free(reply) }
    return reply.pointee
  }

  /// The number of an extension's first event; `nil` when the server lacks it. Using a missing
  /// extension ends the connection.
  func firstEvent(of name: String) -> UInt8? {
    let cookie = xcb_query_extension(connection, UInt16(clamping: name.utf8.count), name)
    return reply(xcb_query_extension_reply, cookie).flatMap {
      $0.present != 0 ? $0.first_event : nil
    }
  }

  /// Whether the server has an extension. Blocks for one reply.
  func has(_ name: String) -> Bool { firstEvent(of: name) != nil }

  /// Whether two resources belong to the same client, by the upper bits of their ids; makes no
  /// request.
  func isSameClient(_ one: XWindow, _ other: XWindow) -> Bool {
    one.rawValue & ~resourceMask == other.rawValue & ~resourceMask
  }

  // MARK: Atoms and properties

  /// Interns names in one round trip; `none` for each that fails.
  func atoms(_ names: [String]) -> [XAtom] {
    let cookies = bounded {
      names.map { name in
        xcb_intern_atom(connection, 0, UInt16(clamping: name.utf8.count), name)
      }
    }
    return cookies.map { cookie in
      reply(xcb_intern_atom_reply, cookie).map { XAtom(rawValue: $0.atom) } ?? .none
    }
  }

  /// A property's bytes; `nil` when it is missing or of another format (8, 16 or 32 bits).
  ///
  /// - Parameter longest: in 32-bit words; the rest is cut off.
  func property(
    _ name: XAtom, of window: XWindow, format: UInt8, longest: UInt32
  ) -> (type: XAtom, bytes: [UInt8])? {
    let cookie = xcb_get_property(
      connection, 0, window.rawValue, name.rawValue, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0,
      longest)
    guard let reply = answer(xcb_get_property_reply, cookie) else { return nil }
    defer { free(reply) }
    guard reply.pointee.format == format, let value = xcb_get_property_value(reply) else {
      return nil
    }
    let length = Int(xcb_get_property_value_length(reply))
    return (
      XAtom(rawValue: reply.pointee.type),
      Array(UnsafeRawBufferPointer(start: value, count: max(length, 0)))
    )
  }

  /// At most `most` 32-bit values; empty when the property is missing.
  func words(_ name: XAtom, of window: XWindow, most: UInt32) -> [UInt32] {
    guard let (_, bytes) = property(name, of: window, format: 32, longest: most) else { return [] }
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  /// At most 2,048 bytes of a format 8 property, in its own encoding.
  func text(_ name: XAtom, of window: XWindow) -> [UInt8]? {
    property(name, of: window, format: 8, longest: 512)?.bytes
  }

  /// Replaces the value. `bytes` holds whole units of the format, in native byte order.
  func setProperty(
    _ name: XAtom, of window: XWindow, type: XAtom, format: UInt8, bytes: [UInt8]
  ) {
    let count = UInt32(bytes.count / Int(format / 8))
    bounded {
      _ = bytes.withUnsafeBytes { buffer in
        xcb_change_property(
          connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window.rawValue, name.rawValue,
          type.rawValue, format, count, buffer.baseAddress)
      }
    }
  }

  func setWords(_ name: XAtom, of window: XWindow, type: XAtom, _ words: [UInt32]) {
    setProperty(
      name, of: window, type: type, format: 32, bytes: words.withUnsafeBytes { Array($0) })
  }

  // MARK: Windows

  /// An override-redirect window that is never mapped, with property events selected. Window
  /// managers ignore it (ICCCM 4.1.10).
  func makeHiddenWindow() -> XWindow {
    let id = xcb_generate_id(connection)
    let values: [UInt32] = [1, XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue]
    xcb_create_window(
      connection, UInt8(XCB_COPY_FROM_PARENT), id, root.rawValue, -10, -10, 1, 1, 0,
      UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), UInt32(XCB_COPY_FROM_PARENT),
      XCB_CW_OVERRIDE_REDIRECT.rawValue | XCB_CW_EVENT_MASK.rawValue, values)
    return XWindow(rawValue: id)
  }

  func destroy(_ window: XWindow) { xcb_destroy_window(connection, window.rawValue) }

  /// Selects destruction events of a window, and with `properties` its property events. Replaces
  /// this connection's earlier selection there. Harmless for a destroyed window: an error arrives
  /// as an event.
  func watch(_ window: XWindow, properties: Bool = false) {
    var mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
    if properties { mask |= XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue }
    xcb_change_window_attributes(
      connection, window.rawValue, XCB_CW_EVENT_MASK.rawValue, [mask])
  }

  /// From the parent out to the top level, without the root.
  func ancestors(of window: XWindow, most: Int = XServer.deepestFrame) -> [XWindow] {
    var result: [XWindow] = []
    while result.count < most, let next = parent(of: result.last ?? window), next != root {
      result.append(next)
    }
    return result
  }

  /// No window manager nests a window in more frames than this.
  static let deepestFrame = 8

  /// Children from the bottom of the stack up, at most 4,096; empty for a destroyed window.
  func children(of window: XWindow) -> [XWindow] {
    let cookie = xcb_query_tree(connection, window.rawValue)
    guard let reply = answer(xcb_query_tree_reply, cookie) else { return [] }
    defer { free(reply) }
    guard let first = xcb_query_tree_children(reply) else { return [] }
    let count = min(Int(xcb_query_tree_children_length(reply)), 4096)
    return UnsafeBufferPointer(start: first, count: count).map { XWindow(rawValue: $0) }
  }

  struct Shape {
    /// Relative to the parent, in pixels, without the border.
    var x, y, width, height: Int
    /// Viewable: the window and all its ancestors are mapped.
    var isMapped: Bool
    /// Override-redirect, such as menus and tooltips.
    var isUnmanaged: Bool
    /// Has pixels of its own: others only take input.
    var isDrawn: Bool
  }

  /// The shapes of several windows, in one round trip; `nil` for a destroyed window.
  func shapes(of windows: [XWindow]) -> [Shape?] {
    let cookies = bounded {
      windows.map { window in
        (
          xcb_get_geometry(connection, window.rawValue),
          xcb_get_window_attributes(connection, window.rawValue)
        )
      }
    }
    return cookies.map { geometry, attributes in
      let shape = reply(xcb_get_geometry_reply, geometry)
      let state = reply(xcb_get_window_attributes_reply, attributes)
      guard let shape, let state else { return nil }
      let border = Int(shape.border_width)
      return Shape(
        x: Int(shape.x) + border, y: Int(shape.y) + border,
        width: Int(shape.width), height: Int(shape.height),
        isMapped: state.map_state == XCB_MAP_STATE_VIEWABLE.rawValue,
        isUnmanaged: state.override_redirect != 0,
        isDrawn: UInt32(state._class) == XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue)
    }
  }

  /// The pixels of the part of a window that is on the screen; `nil` where there is none, and where
  /// a pixel has not 32 bits.
  func picture(of window: XWindow) -> WindowPicture? {
    guard let place = rectangle(of: window), let size = shapes(of: [root]).first.flatMap({ $0 }),
      let part = place.intersection(
        ScreenRectangle(x: 0, y: 0, width: size.width, height: size.height))
    else { return nil }
    let cookie = xcb_get_image(
      connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window.rawValue,
      Int16(clamping: part.x - place.x), Int16(clamping: part.y - place.y),
      UInt16(clamping: part.width), UInt16(clamping: part.height), .max)
    guard let reply = answer(xcb_get_image_reply, cookie) else { return nil }
    defer { free(reply) }
    let count = Int(xcb_get_image_data_length(reply))
    guard count == part.width * part.height * 4, let data = xcb_get_image_data(reply) else {
      return nil
    }
    let pixels = UnsafeRawBufferPointer(start: data, count: count).bindMemory(to: UInt32.self)
    return WindowPicture(width: part.width, pixels: Array(pixels))
  }

  /// Whether nothing lies over a window, or its pixels are kept apart from what does (EWMH,
  /// _NET_WM_CM_Sn). Blocks for several replies.
  func isUncovered(_ window: XWindow) -> Bool {
    if atoms(["_NET_WM_CM_S\(screenNumber)"]).contains(where: { owner(of: $0) != nil }) {
      return true
    }
    guard let place = rectangle(of: window) else { return false }
    let top = ancestors(of: window).last ?? window
    let above = Array(children(of: root).drop { $0 != top }.dropFirst())
    return shapes(of: above).allSatisfy { shape in
      guard let shape, shape.isMapped else { return true }
      let other = ScreenRectangle(
        x: shape.x, y: shape.y, width: shape.width, height: shape.height)
      return !shape.isDrawn || place.intersection(other) == nil
    }
  }

  /// A window's rectangle without its frame, in root coordinates; `nil` when destroyed. Covered and
  /// minimised windows have one too.
  func rectangle(of window: XWindow) -> ScreenRectangle? {
    let geometry = xcb_get_geometry(connection, window.rawValue)
    let place = xcb_translate_coordinates(connection, window.rawValue, root.rawValue, 0, 0)
    let shape = reply(xcb_get_geometry_reply, geometry)
    let origin = reply(xcb_translate_coordinates_reply, place)
    guard let shape, let origin else { return nil }
    return ScreenRectangle(
      x: Int(origin.dst_x), y: Int(origin.dst_y), width: Int(shape.width),
      height: Int(shape.height))
  }

  // MARK: The pointer

  struct Held: OptionSet {
    let rawValue: UInt8
    static let modifier = Held(rawValue: 1)
    static let button = Held(rawValue: 2)
  }

  /// The pointer's position in root coordinates, and what is held down; `nil` when the server does
  /// not answer.
  func pointer() -> (point: RootPoint, held: Held)? {
    guard let reply = queryPointer() else { return nil }
    let mask = UInt32(reply.mask)
    // Lock and Mod2 (NumLock) stay on without being held.
    let still = XCB_MOD_MASK_LOCK.rawValue | XCB_MOD_MASK_2.rawValue
    var held: Held = []
    if mask & 0xFF & ~still != 0 { held.insert(.modifier) }
    if mask & 0x1F00 != 0 { held.insert(.button) }
    return (RootPoint(x: Int(reply.root_x), y: Int(reply.root_y)), held)
  }

  func queryPointer() -> xcb_query_pointer_reply_t? {
    reply(xcb_query_pointer_reply, xcb_query_pointer(connection, root.rawValue))
  }

  /// Warps the pointer, with the next flush.
  func movePointer(to point: RootPoint) {
    xcb_warp_pointer(connection, 0, root.rawValue, 0, 0, 0, 0, point.x, point.y)
  }

  // MARK: Selections and messages

  /// Takes a selection and verifies the ownership: the server ignores a time older than the owner's
  /// without an error (SetSelectionOwner).
  func own(_ selection: XAtom, by window: XWindow, time: UInt32) -> Bool {
    xcb_set_selection_owner(connection, window.rawValue, selection.rawValue, time)
    return owner(of: selection) == window
  }

  /// Gives a selection up, if it is still ours as of this time.
  func disown(_ selection: XAtom, time: UInt32) {
    xcb_set_selection_owner(connection, 0, selection.rawValue, time)
  }

  /// Sends a client message of five words to the client that owns the receiver.
  func send(_ type: XAtom, _ words: [UInt32], about window: XWindow, to receiver: XWindow) {
    send(type, words, about: window, to: receiver, mask: 0)
  }

  /// Sends a message to the window manager, with the event mask that EWMH requires for the root
  /// window.
  func sendToManager(_ type: XAtom, _ words: [UInt32], about window: XWindow) {
    let mask =
      XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue
    send(type, words, about: window, to: root, mask: mask)
  }

  /// Missing words are 0.
  private func send(
    _ type: XAtom, _ words: [UInt32], about window: XWindow, to receiver: XWindow, mask: UInt32
  ) {
    var event = xcb_client_message_event_t()
    event.response_type = UInt8(XCB_CLIENT_MESSAGE)
    event.format = 32
    event.window = window.rawValue
    event.type = type.rawValue
    withUnsafeMutableBytes(of: &event.data) { data in
      words.prefix(5).withUnsafeBytes { data.copyMemory(from: $0) }
    }
    send(&event, to: receiver, mask: mask)
  }

  /// Answers a SelectionRequest; `none` as the property refuses it (ICCCM 2.2).
  func notify(_ requestor: XWindow, selection: XAtom, target: XAtom, property: XAtom, time: UInt32)
  {
    var event = xcb_selection_notify_event_t()
    event.response_type = UInt8(XCB_SELECTION_NOTIFY)
    event.time = time
    event.requestor = requestor.rawValue
    event.selection = selection.rawValue
    event.target = target.rawValue
    event.property = property.rawValue
    send(&event, to: requestor)
  }

  /// Refuses a SelectionRequest.
  func refuse(_ request: SelectionServer.Request, of selection: XAtom) {
    notify(
      request.requestor, selection: selection, target: request.target, property: .none,
      time: request.time)
  }

  /// Copies 32 bytes, the size of an event on the wire, whatever the structure's size.
  private func send<T>(_ event: inout T, to window: XWindow, mask: UInt32 = 0) {
    var bytes = [CChar](repeating: 0, count: 32)
    withUnsafeBytes(of: &event) { source in
      bytes.withUnsafeMutableBytes { $0.copyMemory(from: .init(rebasing: source.prefix(32))) }
    }
    bounded { xcb_send_event(connection, 0, window.rawValue, mask, bytes) }
  }

  // MARK: Events

  /// The next pending event, without blocking; events read ahead with a reply come first.
  func nextEvent() -> Event? {
    if nextQueued < queuedEvents.count {
      defer { nextQueued += 1 }
      return queuedEvents[nextQueued]
    }
    if nextQueued > 0 { (queuedEvents, nextQueued) = ([], 0) }
    while let event = xcb_poll_for_event(connection) {
      defer { free(event) }
      if let known = read(event) { return known }
    }
    return nil
  }

  /// Whether an event was read ahead with a reply and is pending: the descriptor does not show it.
  func hasQueuedEvent() -> Bool {
    if nextQueued < queuedEvents.count { return true }
    while let event = xcb_poll_for_queued_event(connection) {
      defer { free(event) }
      guard let known = read(event) else { continue }
      (queuedEvents, nextQueued) = ([known], 0)
      return true
    }
    return false
  }

  /// The server's current time, from a zero-length append to a property of our own window (ICCCM
  /// 2.1). Blocks for a round trip; other events are stashed.
  func time(by window: XWindow, property: XAtom) throws(Reason) -> UInt32 {
    xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_APPEND.rawValue), window.rawValue, property.rawValue,
      XCB_ATOM_STRING.rawValue, 8, 0, nil)
    flush()
    var others: [Event] = []
    defer { (queuedEvents, nextQueued) = (others + queuedEvents[nextQueued...], 0) }
    // By the clock: other events meanwhile must not use up the limit.
    let end = ContinuousClock.now + patience.limit
    while true {
      while let event = nextEvent() {
        if case .propertySet(window, property, let time) = event { return time }
        others.append(event)
      }
      if isLost { throw loss }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let rest = (end - ContinuousClock.now) / .milliseconds(1)
      guard rest > 0 else { throw .notResponding }
      poll(&wait, 1, Int32(rest.rounded(.up)))
    }
  }

  /// `nil` for events that nobody here needs. Ignores the type's upper bit, which marks events sent
  /// by a program.
  private func read(_ event: UnsafeMutablePointer<xcb_generic_event_t>) -> Event? {
    func cast<T>(_ type: T.Type) -> T { UnsafeRawPointer(event).load(as: T.self) }
    let number = event.pointee.response_type & 0x7F
    if number == ownerEvent {
      let change = cast(xcb_xfixes_selection_notify_event_t.self)
      return .ownerChanged(
        XAtom(rawValue: change.selection), owner: XWindow(rawValue: change.owner),
        time: change.timestamp)
    }
    switch Int32(number) {
    case 0: return .failed(resource: cast(xcb_value_error_t.self).bad_value)
    case XCB_CLIENT_MESSAGE:
      var message = cast(xcb_client_message_event_t.self)
      guard message.format == 32 else { return nil }
      let words = withUnsafeBytes(of: &message.data) { Array($0.bindMemory(to: UInt32.self)) }
      return .message(
        type: XAtom(rawValue: message.type), window: XWindow(rawValue: message.window),
        words: words)
    case XCB_SELECTION_REQUEST:
      let request = cast(xcb_selection_request_event_t.self)
      return .selectionRequest(
        owner: XWindow(rawValue: request.owner), selection: XAtom(rawValue: request.selection),
        SelectionServer.Request(
          requestor: XWindow(rawValue: request.requestor), target: XAtom(rawValue: request.target),
          property: XAtom(rawValue: request.property), time: request.time))
    case XCB_SELECTION_CLEAR:
      return .selectionCleared(
        XAtom(rawValue: cast(xcb_selection_clear_event_t.self).selection))
    case XCB_SELECTION_NOTIFY:
      let notice = cast(xcb_selection_notify_event_t.self)
      return .selectionNotified(
        requestor: XWindow(rawValue: notice.requestor), target: XAtom(rawValue: notice.target),
        property: XAtom(rawValue: notice.property), time: notice.time)
    case XCB_PROPERTY_NOTIFY:
      let change = cast(xcb_property_notify_event_t.self)
      let (window, name) = (XWindow(rawValue: change.window), XAtom(rawValue: change.atom))
      return change.state == XCB_PROPERTY_DELETE.rawValue
        ? .propertyDeleted(window, name) : .propertySet(window, name, time: change.time)
    case XCB_DESTROY_NOTIFY:
      return .destroyed(XWindow(rawValue: cast(xcb_destroy_notify_event_t.self).window))
    default: return nil
    }
  }
}
