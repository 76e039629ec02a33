import KeyDragThreads

#if DEBUG || FUZZERS
  import CAtspi

  @testable import KeyDragAccessibility
  @testable import KeyDragBus
  @testable import KeyDragCore
  @testable import KeyDragPeer
  @testable import KeyDragX11

  /// Readers of what other programs send.
  extension FuzzReader {
    /// Frames of another KeyDrag program.
    static let peers = FuzzReader(
      name: "peer messages",
      words: [
        "{\"kind\":\"", "\"body\":{", "null", "[", "]", "{", "}", "true", "1e400", "-1",
        "18446744073709551616",
        "\"drag\":", "\"items\":[", "\"points\":", "\\u0000", "\\ud800",
        "\"stop\":{\"point\":1,\"position\":2}",
      ],
      seeds: peerMessages.compactMap(PeerCodec.bytes).map { PeerFraming.bytes(message: $0) }
        + [PeerFraming.bytes(piece: [1, 2, 3], load: 7)]
    ) { bytes in
      var reader = PeerFrameReader()
      var understood = 0
      do {
        // As they would arrive: here a piece, there the rest.
        for part in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
          reader.append(part)
          while let frame = try reader.next() {
            guard case .message(let body) = frame else { continue }
            understood += read(message: body) ? 1 : 0
          }
        }
      } catch {}
      // Most changes hit the frame's own length.
      return read(message: Array(bytes.dropFirst(PeerFraming.headerSize))) || understood > 0
    }

    private static func read(message body: [UInt8]) -> Bool {
      guard let message = try? PeerCodec.message(body) else { return false }
      must(message.checked == message, "unchecked")
      if let again = PeerCodec.bytes(message) {
        must((try? PeerCodec.message(again)) == message, "written as another")
      }
      return true
    }

    static let peerMessages: [PeerMessage] = [
      .hello(PeerHello(version: 2, program: "Files")), .sorry(PeerRejection(why: .unknownKind)),
      .list,
      .items(
        PeerItems(
          drag: 1, first: 0,
          items: [
            PeerItem(
              name: "a", kind: 0, types: ["text/plain"], typeName: "text", size: 9, file: "61")
          ])),
      .ask(
        PeerQuestion(
          question: 1, drag: 1, stops: [PeerStop(point: 1, position: 2)], wish: "copy",
          isFinal: true)),
      .deliver(
        PeerOrder(
          delivery: 1, drag: 1, stop: PeerStop(point: 1, position: 2), operation: "copy",
          clash: "keep-both")),
      .places(
        PeerPlaces(
          container: 3, name: "Far", enclosing: 1, isOrdered: true,
          points: [PeerPoint(id: .max, name: "Basket", positions: 7, leadsTo: 3)])),
      .answers(
        PeerAnswers(
          question: 1,
          answers: [
            PeerAnswer(
              stop: PeerStop(point: 1, position: 2), verdict: .some, reason: nil,
              refused: [2: .wrongType], offers: 1, clashes: ["a"], becomes: [], steps: ["text"],
              files: [FileCount(ending: ".vcf", count: 3)], irreversible: nil)
          ])),
      .progressed(PeerProgress(delivery: 1, items: 1, bytes: 3, total: nil, share: 500)),
      .finished(
        PeerResult(
          delivery: 1, outcome: "partly", delivered: 1,
          failures: [DeliveryFailure(name: "b", reason: .noSpace)], bytes: 3, total: 9,
          verified: true, landed: ["a 2"], renamed: ["a 2"], lost: [])),
      .load(PeerLoad(load: 1, delivery: 1, item: 0, type: "text/plain")),
      .more(PeerMore(load: 1, most: 9)),
    ]

    // MARK: X11

    /// What happens in a drag, a byte each: messages of a target, requests of a program that takes, the
    /// time that passes.
    static let dragMessages = FuzzReader(
      name: "drag messages", seeds: [Array(0..<128), [4, 9, 1, 0, 7, 2, 5]]
    ) {
      bytes in
      guard let atoms = XdndAtoms(XdndAtoms.names.indices.map { XAtom(rawValue: UInt32($0) + 1) })
      else { return false }
      var rest = bytes[...]
      func word() -> UInt32 {
        defer { rest = rest.dropFirst() }
        // Numbers that are known as well as any others.
        guard let byte = rest.first else { return 0 }
        return byte < 0xF0 ? UInt32(byte % 32) : UInt32(byte) << 24 | 0x5A5A
      }
      let types = [XAtom(rawValue: 30), XAtom(rawValue: 31)]
      var handshake = XdndHandshake(source: XWindow(rawValue: 1), types: types)
      var server = SelectionServer(types: types, atoms: atoms, ownedSince: 3, portion: 8)
      let target = XdndHandshake.Target(window: XWindow(rawValue: 2), version: 5)
      var now: Milliseconds = 0
      var isRead = false
      var loads: [SelectionServer.LoadID] = []
      func note(_ actions: [SelectionServer.Action]) {
        for case .load(_, let id) in actions { loads.append(id) }
      }
      while !rest.isEmpty {
        now += Milliseconds(word())
        switch word() % 12 {
        case 0:
          _ = handshake.hover(
            over: target, at: RootPoint(x: Int(word()), y: 4), operation: .copy, now: now)
        case 1: _ = handshake.drop(now: now)
        case 2: _ = handshake.leave()
        case 3, 4:
          let words = (0..<5).map { _ in word() }
          let type = XAtom(rawValue: word())
          if let message = XdndMessage(type: type, words: words, version: 5, atoms: atoms) {
            isRead = true
            _ = handshake.receive(message, now: now)
          }
        case 5: _ = handshake.tick(now: max(now, handshake.deadline ?? now))
        case 6: handshake.dataRequested(now: now)
        case 7: _ = handshake.windowVanished(XWindow(rawValue: word()))
        case 8:
          note(
            server.take(
              SelectionServer.Request(
                requestor: XWindow(rawValue: word()), target: XAtom(rawValue: word()),
                property: XAtom(rawValue: word()), time: word())))
        case 9:
          let pairs = (0..<word() % 8).map { _ in
            (target: XAtom(rawValue: word()), property: XAtom(rawValue: word()))
          }
          note(
            server.take(
              SelectionServer.Request(
                requestor: XWindow(rawValue: word()), target: atoms.multiple,
                property: XAtom(rawValue: word()), time: word()), pairs: pairs))
        case 10:
          if let id = loads.popLast() {
            note(server.loaded(id, word() % 4 == 0 ? nil : Array(bytes.prefix(Int(word())))))
          }
        default:
          note(server.propertyDeleted(XAtom(rawValue: word()), of: XWindow(rawValue: word())))
        }
      }
      _ = server.abandon()
      must(!server.isBusy, "something is still given")
      return isRead
    }

    /// Values of properties: a selection that is read form by form, the settings of a desktop, and a
    /// clipboard handed on.
    static let dragProperties = FuzzReader(
      name: "drag properties",
      words: ["\0\0\0\0", "Xft/DPI", "keydrag-clipboard-1\n", "\u{1}\0\0\0"],
      seeds: [
        Array(0..<96),
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 7, 0] + Array("Xft/DPI".utf8) + [
          0, 0, 0, 0, 0, 0, 128, 1, 0,
        ],
        SerializedClipboard(
          forms: [.init(target: XAtom(rawValue: 3), type: XAtom(rawValue: 4), bytes: [1, 2])],
          time: 9
        ).bytes ?? [],
      ]
    ) { bytes in
      let settings = XSettings(bytes)
      if let dots = settings?.dotsPerInch(usual: 96) { must(dots > 0, "no density") }
      let parcel = SerializedClipboard(bytes)
      if let parcel { must(parcel.bytes == bytes, "written as another") }
      return read(selection: bytes[...]) || settings != nil || parcel != nil
    }

    private static func read(selection bytes: ArraySlice<UInt8>) -> Bool {
      var rest = bytes
      func byte() -> Int { Int(rest.popFirst() ?? 0) }
      func atom() -> XAtom { XAtom(rawValue: UInt32(byte() % 12)) }
      let words = SelectionFetch.Vocabulary(
        targets: XAtom(rawValue: 1), timestamp: XAtom(rawValue: 2), incr: XAtom(rawValue: 3),
        commands: [XAtom(rawValue: 4)], texts: [XAtom(rawValue: 5)])
      var fetch = SelectionFetch(
        wanted: byte() % 2 == 0 ? nil : [atom(), atom()], vocabulary: words)
      var now: Milliseconds = 0
      var ends = 0
      var actions = fetch.start(now: now)
      while true {
        for case .end(let result) in actions {
          ends += 1
          if case .success(let forms) = result { must(!forms.isEmpty, "nothing was read") }
        }
        guard !rest.isEmpty else { break }
        var asked: XAtom?
        for case .convert(let form) in actions { asked = form }
        now += Milliseconds(byte() % 8)
        switch byte() % 6 {
        case 0: actions = fetch.notified(atom(), isThere: byte() % 4 > 0, now: now)
        case 1: actions = fetch.written(now: now)
        case 2: actions = fetch.tick(now: fetch.deadline ?? now)
        case 3 where byte() % 8 == 0: actions = fetch.ownerVanished()
        case 4 where asked != nil:
          actions = fetch.notified(asked ?? .none, isThere: true, now: now)
        default:
          let count = byte() % 40
          let value = SelectionFetch.Value(
            type: atom(), format: [8, 16, 32, 0][byte() % 4], bytes: Array(rest.prefix(count)),
            isWhole: byte() % 8 > 0)
          rest = rest.dropFirst(count)
          actions = fetch.took(byte() % 16 == 0 ? nil : value, now: now)
        }
      }
      must(ends <= 1, "ended twice")
      return ends == 1
    }

    // MARK: The bus

    /// Messages as they come over the bus, and what is read of them.
    static let busReplies = FuzzReader(
      name: "bus replies",
      words: [
        "l\u{2}\u{1}\u{1}", "(so)", "a(so)", "au", "{ss}", "v", ":1.42", "/org/a11y/atspi/null",
      ],
      seeds: busSeeds
    ) { bytes in
      var error = DBusError()
      dbus_error_init(&error)
      let pointer = bytes.withUnsafeBytes { buffer in
        dbus_message_demarshal(
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), &error)
      }
      dbus_error_free(&error)
      guard let pointer else { return false }
      let message = BusMessage(owning: pointer)
      _ = message.isDisconnection
      _ = message.call
      if let signal = message.signal(of: { _ in true }) {
        let changes = ProgramChanges()
        changes.watch([ElementID(program: signal.sender, path: signal.path)])
        changes.take(signal)
      }
      let values = message.answer(limit: 1_000).values
      mustBeSafe(AtspiReplyDecoder.name(values))
      for (key, value) in AtspiReplyDecoder.attributes(values).attributes {
        mustBeSafe(key + value)
      }
      _ = AtspiReplyDecoder.rectangle(values)
      _ = AtspiReplyDecoder.role(values)
      _ = AtspiReplyDecoder.states(values)
      _ = AtspiReplyDecoder.elements(values)
      _ = AtspiReplyDecoder.element(values)
      _ = AtspiReplyDecoder.labels(values) { _ in true }
      _ = AtspiReplyDecoder.number(values)
      _ = CachedElements(values)
      for (_, events) in RegisteredEvents.listeners(values?.first) {
        _ = RegisteredEvents.hasShowing(events)
        _ = RegisteredEvents.hasAnnouncement(events)
      }
      return true
    }

    private static var busSeeds: [[UInt8]] {
      let element = BusValue.tuple([.string(":1.42"), .path("/org/a11y/atspi/accessible/7")])
      let item = BusValue.tuple([
        element, element, element, .int32(0), .int32(3), .strings(["Accessible"]), .string("Inbox"),
        .uint32(43), .string(""), .words([1, 2]),
      ])
      let replies: [[BusValue]] = [
        [.variant(.string("Inbox"))], [.uint32(43)], [.words([3, 4])], [element], [.int32(-1)],
        [.tuple([.int32(1), .int32(2), .int32(3), .int32(4)])],
        [.array(of: "(so)", [element, element])],
        [.texts(["posinset": "3", "tag": "li"])], [.array(of: "((so)(so)(so)iiassusau)", [item])],
        [.array(of: "(ss)", [.tuple([.string(":1.9"), .string("Object:StateChanged:")])])],
        [.array(of: "(ua(so))", [.tuple([.uint32(2), .array(of: "(so)", [element])])])],
      ]
      guard let call = BusMessage(.ping, to: ":1.42", startsService: false) else { return [] }
      dbus_message_set_serial(call.pointer, 7)
      let messages =
        replies.map { call.reply(.values($0)) } + [
          call, call.reply(.error("org.freedesktop.DBus.Error.NoReply", "late")),
          BusMessage(
            "/org/a11y/atspi/accessible/7", "org.a11y.atspi.Event.Object", "StateChanged",
            [.string("focused"), .int32(1), .int32(0), .variant(element)]),
        ]
      return messages.compactMap { message in
        guard let message else { return nil }
        if dbus_message_get_serial(message.pointer) == 0 {
          dbus_message_set_serial(message.pointer, 8)
        }
        dbus_message_set_sender(message.pointer, ":1.42")
        var start: UnsafeMutablePointer<CChar>?
        var size: Int32 = 0
        guard dbus_message_marshal(message.pointer, &start, &size) != 0, let start else {
          return nil
        }
        defer { dbus_free(start) }
        return UnsafeRawBufferPointer(start: start, count: Int(size)).map { $0 }
      }
    }
  }
#endif
