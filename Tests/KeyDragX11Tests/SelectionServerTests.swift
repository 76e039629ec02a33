import Testing

@testable import KeyDragX11

@Suite("Serving the data of a drag")
struct SelectionServerTests {
  private let place = XAtom(rawValue: 301)
  private var server = SelectionServer(
    types: [uriList, plainText], atoms: atoms, ownedSince: 1_000, portion: 4)

  private func request(
    _ target: XAtom, _ property: XAtom? = nil, time: UInt32 = 1_001
  ) -> SelectionServer.Request {
    SelectionServer.Request(
      requestor: window, target: target, property: property ?? place, time: time)
  }

  private func words(_ action: SelectionServer.Action?) -> [UInt32] {
    guard case .write(_, _, _, 32, let bytes) = action else { return [] }
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  private mutating func load(_ request: SelectionServer.Request, _ bytes: [UInt8]?)
    -> [SelectionServer.Action]
  {
    let actions = server.take(request)
    guard case .load(_, let id) = actions.first else { return actions }
    return server.loaded(id, bytes)
  }

  @Test("TARGETS lists what there is, and every type in its order")
  mutating func targets() {
    let actions = server.take(request(atoms.targets))
    #expect(words(actions.first).suffix(2) == [uriList.rawValue, plainText.rawValue])
    #expect(words(actions.first).contains(atoms.multiple.rawValue))
    #expect(
      actions.last == .notify(window, target: atoms.targets, property: place, time: 1_001))
  }

  @Test("What may be kept by others says so, and answers the request itself with nothing")
  func saving() {
    let save = SelectionServer.Saving(target: XAtom(rawValue: 400), null: XAtom(rawValue: 401))
    var owner = SelectionServer(
      types: [plainText], isDrag: false, saving: save, atoms: atoms, ownedSince: 1_000)
    #expect(words(owner.take(request(atoms.targets)).first).contains(400))
    #expect(
      owner.take(request(save.target)) == [
        .write(window, property: place, type: save.null, format: 32, bytes: []),
        .notify(window, target: save.target, property: place, time: 1_001),
      ])
    var other = SelectionServer(types: [plainText], isDrag: false, atoms: atoms, ownedSince: 1_000)
    #expect(!words(other.take(request(atoms.targets)).first).contains(400))
    #expect(
      other.take(request(save.target))
        == [.notify(window, target: save.target, property: .none, time: 1_001)])
  }

  @Test("Small data is written whole, then told")
  mutating func whole() {
    let actions = load(request(uriList), [1, 2, 3, 4])
    #expect(
      actions == [
        .write(window, property: place, type: uriList, format: 8, bytes: [1, 2, 3, 4]),
        .notify(window, target: uriList, property: place, time: 1_001),
      ])
    #expect(!server.isBusy)
  }

  @Test("Large data goes in portions, each after the one before was taken, and ends with nothing")
  mutating func portions() {
    var actions = load(request(uriList), [1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(actions.first == .watch(window))
    #expect(words(actions[1]) == [9])
    var taken: [[UInt8]] = []
    repeat {
      actions = server.propertyDeleted(place, of: window)
      if case .write(_, _, uriList, 8, let bytes) = actions.first { taken.append(bytes) }
    } while server.isBusy
    #expect(taken == [[1, 2, 3, 4], [5, 6, 7, 8], [9], []])
    #expect(actions.last == .unwatch(window))
    #expect(server.propertyDeleted(place, of: window).isEmpty)
  }

  @Test("What goes in portions tells how much of it has been taken, and is given with its last one")
  mutating func taken() {
    var actions = load(request(uriList), [1, 2, 3, 4, 5, 6])
    var told: [Int] = []
    while true {
      for case .taken(let bytes, let total) in actions {
        #expect(total == 6)
        told.append(bytes)
      }
      guard server.isBusy else { break }
      #expect(!server.hasServedForm)
      actions = server.propertyDeleted(place, of: window)
    }
    #expect(told == [0, 0, 4, 6])
    #expect(server.hasServedForm)
    server.resetServedForm()
    #expect(!server.hasServedForm)
    _ = load(request(uriList), [1])
    #expect(server.hasServedForm)
  }

  @Test(
    "Given up, what waits is refused, no more portions come, and no part ends as if it were all")
  mutating func abandon() {
    _ = load(request(uriList), [1, 2, 3, 4, 5, 6])
    _ = server.propertyDeleted(place, of: window)
    _ = server.take(request(plainText, XAtom(rawValue: 302)))
    #expect(server.isBusy)
    let actions = server.abandon()
    #expect(actions.contains(.unwatch(window)))
    #expect(
      actions.contains(.notify(window, target: plainText, property: .none, time: 1_001)))
    #expect(!server.isBusy && !server.hasServedForm)
    #expect(server.propertyDeleted(place, of: window).isEmpty)
  }

  @Test("Two transfers to one window do not mix")
  mutating func twoTransfers() {
    let other = XAtom(rawValue: 302)
    _ = load(request(uriList), [1, 1, 1, 1, 1])
    _ = load(request(plainText, other), [2, 2, 2, 2, 2])
    guard
      case .write(_, other, plainText, 8, [2, 2, 2, 2]) =
        server.propertyDeleted(other, of: window).first
    else {
      Issue.record("another transfer's data")
      return
    }
    #expect(server.isBusy)
    server.windowVanished(window)
    #expect(!server.isBusy)
  }

  @Test("No data, an unknown type, a request from before this drag: each is refused at once")
  mutating func refused() {
    let refusal = SelectionServer.Action.notify(
      window, target: uriList, property: .none, time: 1_001)
    #expect(load(request(uriList), nil) == [refusal])
    #expect(
      server.take(request(XAtom(rawValue: 999)))
        == [.notify(window, target: XAtom(rawValue: 999), property: .none, time: 1_001)])
    #expect(
      server.take(request(uriList, time: 999))
        == [.notify(window, target: uriList, property: .none, time: 999)])
    #expect(server.take(request(atoms.timestamp, time: 0)).count == 2)
  }

  @Test("A program that asks without end gets no for an answer, and nothing grows")
  mutating func flood() {
    var loads = 0
    for _ in 0..<1_000 {
      if case .load = server.take(request(uriList)).first { loads += 1 }
    }
    #expect(loads == 64)
  }

  @Test("A load that answers twice, or for nobody, does nothing the second time")
  mutating func twice() throws {
    guard case .load(_, let id) = server.take(request(uriList)).first else { return }
    #expect(server.loaded(id, [1]).count == 2)
    #expect(server.loaded(id, [1]).isEmpty)
  }

  @Test("Several conversions in one request are told when all are there; failures are marked")
  mutating func multiple() {
    let pairs = [
      (uriList, XAtom(rawValue: 401)), (XAtom(rawValue: 999), XAtom(rawValue: 402)),
      (atoms.timestamp, XAtom(rawValue: 403)),
    ]
    let first = server.take(request(atoms.multiple), pairs: pairs)
    #expect(!first.contains { if case .notify = $0 { true } else { false } })
    guard case .load(_, let id) = first.first else {
      Issue.record("no load: \(first)")
      return
    }
    let last = server.loaded(id, [1])
    #expect(
      words(last.dropLast().last) == [
        uriList.rawValue, 401, 999, 0, atoms.timestamp.rawValue, 403,
      ])
    #expect(
      last.last == .notify(window, target: atoms.multiple, property: place, time: 1_001))
    #expect(server.take(request(atoms.multiple), pairs: []).count == 2)
  }

  @Test("DELETE is answered without data; an old client's property is the type itself")
  mutating func odd() {
    #expect(server.take(request(atoms.delete)).count == 2)
    let old = request(uriList, XAtom.none)
    #expect(old.property == uriList)
  }
}
