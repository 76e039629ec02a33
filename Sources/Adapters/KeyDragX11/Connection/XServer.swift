import CXCB
import Glibc

/// Why an X server can't be used.
package enum XError: Error, Hashable, Sendable {
  /// No server answers at this display name; `nil` when DISPLAY is not set either.
  case unreachable(display: String?)
  /// The server took the connection away.
  case connectionLost
  /// The server did not greet, or did not answer, in time.
  case noAnswer
}

/// A connection to an X server, for one thread: requests, replies and events as Swift values.
///
/// The contents of properties that other programs set are cut to a bound before they are copied.
///
/// Requests go out with ``flush()`` or with the next answer that is waited for. Each wait is
/// bounded by ``XPatience``; when it ends without an answer, the connection is lost, and everything
/// answers `nil`, empty or `false` at once. Errors of requests come as events
/// (``Event/failed(resource:)``), since most requests have no answer.
final class XServer {
  /// An event as far as this module needs it.
  ///
  /// Others are read and dropped.
  enum Event {
    /// Of format 32: five words.
    case message(type: XAtom, window: XWindow, words: [UInt32])
    /// The owner is our window.
    case selectionRequest(owner: XWindow, selection: XAtom, SelectionServer.Request)
    /// Another program owns the selection from now on.
    case selectionCleared(XAtom)
    /// A conversion that was asked for has been done, or refused: then there is no property.
    case selectionNotified(requestor: XWindow, target: XAtom, property: XAtom, time: UInt32)
    /// By XFIXES.
    case ownerChanged(XAtom, owner: XWindow, time: UInt32)
    case propertyDeleted(XWindow, XAtom)
    /// Written, or written again with the same value.
    case propertySet(XWindow, XAtom, time: UInt32)
    case destroyed(XWindow)
    /// A request failed; the resource it was about.
    case failed(resource: UInt32)
  }

  /// For the other files of this class alone.
  let connection: OpaquePointer
  private let patience: XPatience
  /// Of the screen that the display's name says.
  let root: XWindow
  /// Which of the display's screens this is about.
  let screenNumber: Int
  /// Resource ids of one client differ in these bits only.
  private let resourceMask: UInt32
  /// Events that came before one that was waited for; those before the second were taken again.
  private var stashed: [Event] = []
  private var nextStashed = 0
  /// The number of the event that tells of a selection's new owner, once that is asked for.
  var ownerEvent: UInt8?

  /// How long a server may take to answer, or to take what is written.
  static let patience = XGreeting.patience

  /// Blocks for at most `patience`.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - patience: how long a server may take to greet, and then to answer.
  /// - Throws: `unreachable` or `noAnswer`.
  init(display: String?, within patience: Duration = XGreeting.patience) throws(XError) {
    let (connection, number) = try XGreeting.connect(display, within: patience)
    guard xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection) else {
      xcb_disconnect(connection)
      throw .unreachable(display: display)
    }
    var screens = xcb_setup_roots_iterator(setup)
    for _ in 0..<number where screens.rem > 1 { xcb_screen_next(&screens) }
    // A screen number beyond the last gives the last.
    guard let screen = screens.data else {
      xcb_disconnect(connection)
      throw .unreachable(display: display)
    }
    self.connection = connection
    self.patience = XPatience(
      descriptor: xcb_get_file_descriptor(connection), limit: patience)
    root = XWindow(rawValue: screen.pointee.root)
    screenNumber = Int(number)
    resourceMask = setup.pointee.resource_id_mask
  }

  deinit {
    patience.forget()
    xcb_disconnect(connection)
  }

  /// Readable when events wait. For poll(2). Events that were read with an answer do not make it
  /// readable: see ``hasReadAhead()``.
  var descriptor: Int32 { xcb_get_file_descriptor(connection) }

  /// For good.
  var isLost: Bool { xcb_connection_has_error(connection) != 0 }

  /// Why there is no answer any more, where the connection is lost.
  ///
  /// Only of use where ``isLost`` is true.
  var loss: XError { patience.hasGivenUp ? .noAnswer : .connectionLost }

  /// From here on it is waited for as long as it takes: for a thread that nobody waits for, and
  /// that goes on when the server does.
  func waitOn() { patience.end() }

  /// Writes requests to the server; may wait for room, within the bound.
  func flush() { bounded { xcb_flush(connection) } }

  // MARK: Waiting

  /// Does what may wait for the server: for an answer, for room to write, or for what the library
  /// asks by itself when an extension is used for the first time.
  @discardableResult
  func bounded<Value>(_ body: () -> Value) -> Value { patience.bound(body) }

  /// Waits for the answer to a request; `nil` when there is none, and when it does not come in
  /// time: then the connection is lost.
  func answer<Cookie, Reply>(
    _ ask: (
      OpaquePointer?, Cookie, UnsafeMutablePointer<UnsafeMutablePointer<xcb_generic_error_t>?>?
    ) -> UnsafeMutablePointer<Reply>?, _ cookie: Cookie
  ) -> UnsafeMutablePointer<Reply>? {
    bounded { ask(connection, cookie, nil) }
  }

  /// Whether two resources belong to the same program.
  ///
  /// By the bits that the server has given the program; no request is made.
  func isSameClient(_ one: XWindow, _ other: XWindow) -> Bool {
    one.rawValue & ~resourceMask == other.rawValue & ~resourceMask
  }

  // MARK: Atoms and properties

  /// Makes those that are not there. `none` for each that could not be had. All are asked before
  /// the first answer is waited for: one round trip.
  func atoms(_ names: [String]) -> [XAtom] {
    let cookies = bounded {
      names.map { name in
        xcb_intern_atom(connection, 0, UInt16(clamping: name.utf8.count), name)
      }
    }
    return cookies.map { cookie in
      guard let reply = answer(xcb_intern_atom_reply, cookie) else { return .none }
      defer { free(reply) }
      return XAtom(rawValue: reply.pointee.atom)
    }
  }

  /// A property's bytes; `nil` when it is not there or of another format.
  ///
  /// Format is 8, 16 or 32 bits. Blocks for the answer.
  ///
  /// - Parameter longest: in 32-bit words; what is beyond is left out.
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

  /// At most `most` numbers of 32 bits; empty for a property that is not there.
  func words(_ name: XAtom, of window: XWindow, most: UInt32) -> [UInt32] {
    guard let (_, bytes) = property(name, of: window, format: 32, longest: most) else { return [] }
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  /// At most 2,048 bytes of a property of format 8, in whatever encoding it has.
  func text(_ name: XAtom, of window: XWindow) -> [UInt8]? {
    property(name, of: window, format: 8, longest: 512)?.bytes
  }

  /// Replaces the value. `bytes` holds whole units of the format, in this machine's order.
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

  /// Replaces the value by numbers of 32 bits.
  func setWords(_ name: XAtom, of window: XWindow, type: XAtom, _ words: [UInt32]) {
    setProperty(
      name, of: window, type: type, format: 32, bytes: words.withUnsafeBytes { Array($0) })
  }

  // MARK: Windows

  /// A window that is never shown: override-redirect, with property changes told.
  ///
  /// The window manager leaves override-redirect windows alone (ICCCM 4.1.10).
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

  /// Has the end of a window, and with `properties` also its property changes, told.
  ///
  /// Replaces what was told of that window to this connection before. Harmless for a window that is
  /// gone: an error comes as an event.
  func watch(_ window: XWindow, properties: Bool = false) {
    var mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
    if properties { mask |= XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue }
    xcb_change_window_attributes(
      connection, window.rawValue, XCB_CW_EVENT_MASK.rawValue, [mask])
  }

  /// A window's children, undermost first; at most 4,096.
  ///
  /// Blocks for the answer; empty for a window that is gone.
  func children(of window: XWindow) -> [XWindow] {
    let cookie = xcb_query_tree(connection, window.rawValue)
    guard let reply = answer(xcb_query_tree_reply, cookie) else { return [] }
    defer { free(reply) }
    guard let first = xcb_query_tree_children(reply) else { return [] }
    let count = min(Int(xcb_query_tree_children_length(reply)), 4096)
    return UnsafeBufferPointer(start: first, count: count).map { XWindow(rawValue: $0) }
  }

  /// The geometry and mapping needed to know whether a point is in a window.
  struct Shape {
    /// Relative to the parent.
    ///
    /// Of the inside, without its border; pixels.
    var x, y, width, height: Int
    /// Viewable: it and all around it are mapped.
    var isMapped: Bool
    /// Menus, tooltips and the like: no window manager looks after it.
    var isUnmanaged: Bool
  }

  /// The shapes of several windows, asked in one go; `nil` for a window that is no more.
  ///
  /// Blocks for the answers, which are asked before the first is waited for.
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
      let shape = answer(xcb_get_geometry_reply, geometry)
      let state = answer(xcb_get_window_attributes_reply, attributes)
      defer {
        free(shape)
        free(state)
      }
      guard let shape, let state else { return nil }
      let border = Int(shape.pointee.border_width)
      return Shape(
        x: Int(shape.pointee.x) + border, y: Int(shape.pointee.y) + border,
        width: Int(shape.pointee.width), height: Int(shape.pointee.height),
        isMapped: state.pointee.map_state == XCB_MAP_STATE_VIEWABLE.rawValue,
        isUnmanaged: state.pointee.override_redirect != 0)
    }
  }

  /// A window's rectangle on the screen, without its frame; `nil` when it is no more.
  ///
  /// In root coordinates; covered and minimised windows have one too.
  func rectangle(of window: XWindow) -> RootRectangle? {
    let geometry = xcb_get_geometry(connection, window.rawValue)
    let place = xcb_translate_coordinates(connection, window.rawValue, root.rawValue, 0, 0)
    let shape = answer(xcb_get_geometry_reply, geometry)
    let origin = answer(xcb_translate_coordinates_reply, place)
    defer {
      free(shape)
      free(origin)
    }
    guard let shape, let origin else { return nil }
    return RootRectangle(
      x: Int(origin.pointee.dst_x), y: Int(origin.pointee.dst_y),
      width: Int(shape.pointee.width), height: Int(shape.pointee.height))
  }

  // MARK: The pointer

  /// The kinds of keys and buttons that a hand holds down.
  struct Held: OptionSet {
    let rawValue: UInt8
    static let modifier = Held(rawValue: 1)
    static let button = Held(rawValue: 2)
  }

  /// The position of the pointer, and what is held down.
  ///
  /// Pixels of the root window; `nil` where the server does not answer.
  func pointer() -> (point: RootPoint, held: Held)? {
    let cookie = xcb_query_pointer(connection, root.rawValue)
    guard let reply = answer(xcb_query_pointer_reply, cookie) else { return nil }
    defer { free(reply) }
    let mask = UInt32(reply.pointee.mask)
    // Lock and Mod2 (NumLock) stay on without a hand on them.
    let still = XCB_MOD_MASK_LOCK.rawValue | XCB_MOD_MASK_2.rawValue
    var held: Held = []
    if mask & 0xFF & ~still != 0 { held.insert(.modifier) }
    if mask & 0x1F00 != 0 { held.insert(.button) }
    return (RootPoint(x: Int(reply.pointee.root_x), y: Int(reply.pointee.root_y)), held)
  }

  /// By a warp: the pointer jumps. Not sent before the next flush.
  func movePointer(to point: RootPoint) {
    xcb_warp_pointer(connection, 0, root.rawValue, 0, 0, 0, 0, point.x, point.y)
  }

  // MARK: Selections and messages

  /// Takes a selection, and asks whether it was given: an older time than the owner's is ignored
  /// without an error (SetSelectionOwner).
  func own(_ selection: XAtom, by window: XWindow, time: UInt32) -> Bool {
    xcb_set_selection_owner(connection, window.rawValue, selection.rawValue, time)
    let cookie = xcb_get_selection_owner(connection, selection.rawValue)
    guard let reply = answer(xcb_get_selection_owner_reply, cookie) else { return false }
    defer { free(reply) }
    return reply.pointee.owner == window.rawValue
  }

  /// Gives a selection back, where it is still ours by this time.
  func disown(_ selection: XAtom, time: UInt32) {
    xcb_set_selection_owner(connection, 0, selection.rawValue, time)
  }

  /// Sends a client message of five words to one window, whose client alone gets it.
  func send(_ type: XAtom, _ words: [UInt32], about window: XWindow, to receiver: XWindow) {
    send(type, words, about: window, to: receiver, mask: 0)
  }

  /// Sends a message to whoever manages the windows.
  ///
  /// With the mask that the EWMH wants for messages to the root window.
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

  /// Answers a SelectionRequest; `none` as property is a refusal (ICCCM 2.2).
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

  /// An event is 32 bytes on the wire, whatever its structure holds.
  private func send<T>(_ event: inout T, to window: XWindow, mask: UInt32 = 0) {
    var bytes = [CChar](repeating: 0, count: 32)
    withUnsafeBytes(of: &event) { source in
      bytes.withUnsafeMutableBytes { $0.copyMemory(from: .init(rebasing: source.prefix(32))) }
    }
    bounded { xcb_send_event(connection, 0, window.rawValue, mask, bytes) }
  }

  // MARK: Events

  /// The next event that is there; `nil` when there is none, without waiting.
  ///
  /// In the order in which they came, those first that were read while an answer was waited for.
  func nextEvent() -> Event? {
    if nextStashed < stashed.count {
      defer { nextStashed += 1 }
      return stashed[nextStashed]
    }
    if nextStashed > 0 { (stashed, nextStashed) = ([], 0) }
    while let event = xcb_poll_for_event(connection) {
      defer { free(event) }
      if let known = read(event) { return known }
    }
    return nil
  }

  /// Whether an event has been read, with an answer that was waited for, and not been taken: the
  /// descriptor tells nothing of it.
  func hasReadAhead() -> Bool {
    if nextStashed < stashed.count { return true }
    while let event = xcb_poll_for_queued_event(connection) {
      defer { free(event) }
      guard let known = read(event) else { continue }
      (stashed, nextStashed) = ([known], 0)
      return true
    }
    return false
  }

  /// The server's time now: an empty change of a text property of our own window tells it.
  ///
  /// ICCCM 2.1: zero-length appends are the usual way to get a timestamp. Blocks for a round trip;
  /// other events wait their turn.
  func time(by window: XWindow, property: XAtom) throws(XError) -> UInt32 {
    xcb_change_property(
      connection, UInt8(XCB_PROP_MODE_APPEND.rawValue), window.rawValue, property.rawValue,
      XCB_ATOM_STRING.rawValue, 8, 0, nil)
    flush()
    var others: [Event] = []
    defer { (stashed, nextStashed) = (others + stashed[nextStashed...], 0) }
    // By the clock: what else happens meanwhile must not use up the patience.
    let end = ContinuousClock.now + patience.limit
    while true {
      while let event = nextEvent() {
        if case .propertySet(window, property, let time) = event { return time }
        others.append(event)
      }
      if isLost { throw loss }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let rest = (end - ContinuousClock.now) / .milliseconds(1)
      guard rest > 0 else { throw .noAnswer }
      poll(&wait, 1, Int32(rest.rounded(.up)))
    }
  }

  /// `nil` for events that nobody here needs. The upper bit of the type, of events that a program
  /// sent, is left out.
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
