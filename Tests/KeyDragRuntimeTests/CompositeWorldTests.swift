import KeyDragCore
import Synchronization
import Testing

@testable import KeyDragRuntime

/// A world that notes what it is asked, and answers from a list.
private class PlainWorld: World, @unchecked Sendable {
  // Unchecked because it is set up before it is joined, and what changes is behind the mutex.
  let name: String
  let owner: IDOwner
  var owners: [IDOwner] { [owner] }
  let requests = Mutex<[WorldRequest]>([])
  var listing: Listing?
  var history = HistoryResult.nothing
  var lines: Result<[HistoryLine], Reason> = .success([])
  var shownWindows: [ContainerDescriptor] = []
  var keepsHistory = true
  private let observer = Mutex<(@Sendable (WorldReport) -> Void)?>(nil)

  init(_ name: String, _ owner: IDOwner) { (self.name, self.owner) = (name, owner) }

  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    self.observer.withLock { $0 = observer }
  }

  func tell(_ report: WorldReport) { observer.withLock { $0 }?(report) }

  func close() {}

  fileprivate func note(_ request: WorldRequest) { requests.withLock { $0.append(request) } }

  func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    note(.list(subject, includingHidden: includingHidden))
    if let listing { told(.listed(listing)) }
  }

  func hide(_ container: ContainerID) { note(.close(container)) }

  func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    note(.prepare(sources))
    return PreparedItems(
      items: sources.map { item($0) }, refused: [DeliveryFailure(name: name, reason: .gone)],
      taskPoints: [
        DropPointDescriptor(
          id: DropPointID(.max, of: owner), name: "Trash",
          container: ContainerID(.max, of: owner), task: .trash)
      ])
  }

  func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async -> [Answer] {
    if loading != nil { return inquiry.stops.map { Answer($0, .refused(.wrongType)) } }
    note(.ask(inquiry))
    return inquiry.stops.map { Answer($0, DropProposal(.all, offers: .all)) }
  }

  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    if loading == nil { note(.deliver(id, order)) }
    told(
      .finished(
        DeliveryResult(
          outcome: loading == nil ? .delivered : .refused, route: .files,
          delivered: order.items.count,
          landings: [
            Landing(
              container: ContainerID(1, of: owner), source: DragSourceID(9, of: owner),
              name: "landed")
          ])))
  }

  func cancel(_ delivery: DeliveryID) { note(.cancelDelivery(delivery)) }

  func undo(entry: Int64?) async -> HistoryResult {
    note(.undo(entry: entry))
    return history
  }

  func redo(entry: Int64?) async -> HistoryResult {
    note(.redo(entry: entry))
    return history
  }

  func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    note(.history(limit: limit))
    return lines
  }

  func move(_ source: DragSourceID, to index: Int) async -> Result<Int, Reason> {
    note(.reorder(source, toIndex: index))
    return .success(index)
  }

  func windows() async -> [ContainerDescriptor] {
    note(.windows)
    return shownWindows
  }

  func show(_ delivery: DeliveryID) async throws(ListingError) -> RevealedLanding {
    note(.show(delivery))
    return RevealedLanding(name: name)
  }

  func item(_ source: DragSourceID) -> DragItem {
    DragItem(
      source: source, name: "\(name) \(source.rawValue)", kind: .file, types: ["a/b"],
      typeName: "", container: ContainerID(1, of: owner), tree: nil)
  }
}

/// One that takes and gives.
private final class TakingWorld: PlainWorld, ItemLoading, @unchecked Sendable {
  let asked = Mutex<[(ProposalRequest, any ItemLoading)]>([])
  let taken = Mutex<[(DeliveryOrder, any ItemLoading)]>([])
  let opened = Mutex<[DragSourceID]>([])

  override func answers(
    to inquiry: ProposalRequest, from loading: (any ItemLoading)?
  ) async -> [Answer] {
    guard let loading else { return await super.answers(to: inquiry, from: nil) }
    asked.withLock { $0.append((inquiry, loading)) }
    return inquiry.stops.map { Answer($0, DropProposal(.all, offers: .copy)) }
  }

  override func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    guard let loading else { return super.deliver(id, order, from: nil, told: told) }
    taken.withLock { $0.append((order, loading)) }
    told(.started(DeliveryProgress()))
  }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    opened.withLock { $0.append(source) }
    return ItemStream(Array("\(name) \(source.rawValue)".utf8))
  }

  func filePath(of source: DragSourceID) -> [UInt8]? { Array("/\(name)/\(source.rawValue)".utf8) }
}

@Suite struct CompositeWorldTests {
  private let first = TakingWorld("first", .app)
  private let second = TakingWorld("second", .files)
  private let third = PlainWorld("third", .windows)
  private let joined: CompositeWorld
  private let heard = Heard()

  private final class Heard: Sendable {
    let reports = Mutex<[WorldReport]>([])
    func add(_ report: WorldReport) { reports.withLock { $0.append(report) } }
    var all: [WorldReport] { reports.withLock { $0 } }
  }

  init() {
    joined = CompositeWorld([first, second, third])
    joined.observe { [heard] in heard.add($0) }
  }

  /// The owner of each world's numbers; nobody has those of the last.
  private static let owners: [IDOwner] = [.app, .files, .windows, .peers]

  private func source(_ number: UInt64, _ world: Int) -> DragSourceID {
    DragSourceID(number, of: Self.owners[world])
  }

  private func stop(
    _ number: UInt64, _ world: Int, _ position: DropPosition = .on
  ) -> DropStop {
    DropStop(DropPointID(number, of: Self.owners[world]), position)
  }

  private func container(_ number: UInt32, _ world: Int) -> ContainerID {
    ContainerID(number, of: Self.owners[world])
  }

  /// What a request is answered with; for one that has no answer, and for a drop, what is told at
  /// once.
  private func ask(_ request: WorldRequest) async -> [WorldReport] {
    heard.reports.withLock { $0 = [] }
    switch request {
    case .deliver, .close, .cancelDelivery:
      joined.perform(request, id: RequestID(4)) { [heard] in heard.add($0) }
    default:
      // Fails where it is answered twice.
      await withCheckedContinuation { continuation in
        joined.perform(request, id: RequestID(4)) { [heard] report in
          heard.add(report)
          continuation.resume()
        }
      }
    }
    return heard.all
  }

  private func item(_ number: UInt64, _ world: Int) -> DragItem {
    DragItem(
      source: source(number, world), name: "n", kind: .file, types: ["a/b"], typeName: "",
      container: container(1, world), tree: container(1, world))
  }

  @Test("What two worlds number alike is told apart by its owner", arguments: [0, 1])
  func listing(index: Int) async {
    let world = index == 0 ? first : second
    let listing = Listing(
      container: ContainerDescriptor(id: container(5, index), name: "Inner"), sources: nil,
      dropPoints: nil)
    world.listing = listing
    let point = stop(5, index).point
    for request in [
      WorldRequest.list(.container(container(5, index)), includingHidden: true),
      .list(.inside(source(5, index)), includingHidden: true),
      .list(.opened(point), includingHidden: false),
    ] {
      #expect(await ask(request) == [.listed(RequestID(4), listing)])
      #expect(world.requests.withLock { $0.last } == request)
    }
    #expect((index == 0 ? second : first).requests.withLock { $0 } == [])
  }

  @Test("What is asked has begun when the call returns, in the order in which it is asked")
  func order() {
    let listed = WorldRequest.list(.container(container(5, 0)), includingHidden: false)
    let requests = [
      listed, .close(container(5, 0)), .windows, .prepare([source(1, 0)]), .undo(entry: nil),
      listed, .redo(entry: nil), .close(container(5, 0)),
    ]
    for (index, request) in requests.enumerated() {
      joined.perform(request, id: RequestID(index)) { _ in }
      #expect(first.requests.withLock { $0 } == Array(requests[...index]))
    }
  }

  @Test("The windows of all worlds are told together, and asked as they are reached")
  func windows() async {
    var window = ContainerDescriptor(id: container(5, 1), name: "Notes", app: "Editor")
    window.isAskedOnArrival = true
    second.shownWindows = [window]
    third.shownWindows = [ContainerDescriptor(id: container(6, 2), name: "Mail")]
    guard case .windows(RequestID(4), let found)? = await ask(.windows).first else {
      Issue.record("not told")
      return
    }
    #expect(found.map(\.id) == [container(5, 1), container(6, 2)])
    #expect(found.map(\.isAskedOnArrival) == [true, false])
    #expect(heard.all.count == 1)
  }

  @Test("What was delivered last is undone first, whichever world it went to")
  func undoNewest() async {
    let entry = HistoryEntry(
      number: 3, operation: .copy, names: ["a"], count: 1, place: "", time: 0, isUndone: false)
    first.history = .refused(entry, .changed)
    second.history = .done(entry)
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), first.history)])
    let order = DeliveryOrder(
      items: [item(4, 1)], stop: stop(6, 1), operation: .move)
    _ = await ask(.deliver(DeliveryID(3), order))
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), second.history)])
    second.history = .nothing
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), first.history)])
  }

  @Test("H08: where what was done last can't be undone that is said, and nothing older is undone")
  func undoNothingOlder() async {
    let entry = HistoryEntry(
      number: 3, operation: .copy, names: ["a"], count: 1, place: "", time: 0, isUndone: false)
    second.history = .done(entry)
    third.keepsHistory = false
    for (number, world) in [1, 2, 1].enumerated() {
      let stop = self.stop(6, world)
      _ = await ask(
        .deliver(
          DeliveryID(number + 1),
          DeliveryOrder(items: [item(4, world)], stop: stop, operation: .copy)))
    }
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), .done(entry))])
    let undos = second.requests.withLock { $0.count }
    for _ in 0..<2 {
      #expect(
        await ask(.undo(entry: nil)) == [.undone(RequestID(4), .refused(nil, .operationNotOffered))]
      )
    }
    #expect(second.requests.withLock { $0.count } == undos, "it is not even asked")
    #expect(
      await ask(.undo(entry: 3)) == [.undone(RequestID(4), .done(entry))], "by its name it is")
    #expect(await ask(.redo(entry: nil)) == [.redone(RequestID(4), .done(entry))])
    #expect(
      await ask(.undo(entry: nil)) == [.undone(RequestID(4), .done(entry))], "it is the newest now")
  }

  @Test("What belongs to no world is gone")
  func nobodys() async {
    let list = await ask(.list(.container(container(5, 3)), includingHidden: false))
    #expect(list == [.unreadable(RequestID(4), name: "", .gone)])
    let stop = self.stop(1, 3)
    let answers = await ask(.ask(ProposalRequest(items: [item(1, 0)], wish: nil, stops: [stop])))
    #expect(answers == [.answered(RequestID(4), [Answer(stop, .refused(.gone))])])
    #expect(
      await ask(.reorder(source(1, 3), toIndex: 1))
        == [.moved(RequestID(4), source(1, 3), .failure(.gone))])
  }

  @Test("H23: things of several worlds are picked up in the order given, without any world's tasks")
  func gathering() async {
    let ids = [source(3, 1), source(1, 0), source(2, 1), source(8, 2)]
    guard case .prepared(_, let preparation)? = await ask(.prepare(ids)).first else {
      Issue.record("not prepared")
      return
    }
    #expect(preparation.items.map(\.source) == ids)
    #expect(Set(preparation.refused.map(\.name)) == ["first", "second", "third"])
    #expect(preparation.taskPoints == [])
    guard case .prepared(_, let own)? = await ask(.prepare([ids[0]])).first else { return }
    #expect(own.taskPoints.map(\.id) == [stop(.max, 1).point])
  }

  @Test("A question goes to the worlds of its stops, and is answered once, in order")
  func asking() async {
    let stops = [stop(5, 2), stop(6, 1), stop(7, 0)]
    let reports = await ask(.ask(ProposalRequest(items: [item(4, 1)], wish: .move, stops: stops)))
    guard case .answered(_, let answers)? = reports.first, reports.count == 1 else {
      Issue.record("not answered once: \(reports)")
      return
    }
    #expect(answers.map(\.stop) == stops)
    #expect(answers[0].proposal == .refused(.wrongType), "that world takes nothing from others")
    #expect(answers[1].proposal.offers == .all, "it is its own")
    #expect(answers[2].proposal.offers == .copy)
    let own = second.requests.withLock { $0 }
    guard case .ask(let inquiry)? = own.first else { return }
    #expect(inquiry.items == [item(4, 1)])
    #expect(inquiry.stops == [stop(6, 1)])
    let foreign = first.asked.withLock { $0.map(\.0) }
    #expect(foreign.first?.items.first?.source == source(4, 1))
    #expect(foreign.first?.stops == [stop(7, 0)])
  }

  @Test("T06 What asks while its delivery runs is shown by the world that has it")
  func running() async {
    let stop = self.stop(6, 1)
    let order = DeliveryOrder(items: [item(4, 0)], stop: stop, operation: .copy)
    #expect(await ask(.show(DeliveryID(3))) == [.unreadable(RequestID(4), name: "", .gone)])
    _ = await ask(.deliver(DeliveryID(3), order))
    #expect(
      await ask(.show(DeliveryID(3))) == [.shown(RequestID(4), RevealedLanding(name: second.name))])
  }

  @Test("What is dropped in another world is loaded from its own", arguments: [(0, 1), (1, 0)])
  func loading(from owner: Int, to target: Int) async throws {
    let worlds = [first, second]
    let stop = self.stop(6, target, .after)
    let items = [item(4, owner), item(5, target)]
    let order = DeliveryOrder(items: items, stop: stop, operation: .copy, clash: .skip)
    #expect(
      await ask(.deliver(DeliveryID(3), order))
        == [.delivery(DeliveryID(3), .started(DeliveryProgress()))])
    let (taken, loading) = try #require(worlds[target].taken.withLock { $0.first })
    #expect(taken == order)
    let foreign = items[0].source
    let stream = try await loading.open(foreign, as: "a/b", progress: LoadProgress())
    let name = worlds[owner].name
    #expect(try await stream.next(100) == Array("\(name) 4".utf8))
    #expect(loading.filePath(of: foreign) == Array("/\(name)/4".utf8))
    #expect(loading.filePath(of: source(1, 3)) == nil)
    _ = await ask(.cancelDelivery(DeliveryID(3)))
    #expect(worlds[target].requests.withLock { $0 } == [.cancelDelivery(DeliveryID(3))])
    #expect(worlds[owner].requests.withLock { $0 } == [])
  }

  @Test("A drop within a world goes to it as it is, and what landed is told")
  func delivering() async {
    let stop = self.stop(6, 1)
    let order = DeliveryOrder(items: [item(4, 1)], stop: stop, operation: .move)
    guard
      case .delivery(_, .finished(let result))? = await ask(.deliver(DeliveryID(3), order)).first
    else {
      Issue.record("not delivered")
      return
    }
    #expect(result.landings.first?.source == source(9, 1))
    #expect(result.landings.first?.container == container(1, 1))
    #expect(second.taken.withLock { $0.isEmpty })
  }

  @Test("A refusal of a world that takes nothing from others is no delivery that could be undone")
  func refusing() async {
    let stop = self.stop(6, 2)
    let order = DeliveryOrder(items: [item(4, 1)], stop: stop, operation: .copy)
    guard
      case .delivery(_, .finished(let result))? = await ask(.deliver(DeliveryID(3), order)).first
    else {
      Issue.record("not refused")
      return
    }
    #expect(result.outcome == .refused)
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), .nothing)], "nothing was done")
  }

  @Test("Undo goes to the first world that has something to undo")
  func undo() async {
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), .nothing)])
    second.history = .refused(nil, .journalNewer)
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), .refused(nil, .journalNewer))])
    #expect(await ask(.redo(entry: 7)) == [.redone(RequestID(4), .refused(nil, .journalNewer))])
  }

  @Test("S16, H08: what was put in another order is undone first, and what was undone last redone")
  func undoOrder() async {
    func entry(_ name: String) -> HistoryEntry {
      HistoryEntry(
        number: 1, operation: .move, names: [name], count: 1, place: "", time: 0, isUndone: false)
    }
    first.history = .done(entry("file"))
    second.history = .done(entry("row"))
    _ = await ask(.reorder(source(1, 1), toIndex: 1))
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), second.history)])
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), first.history)])
    #expect(await ask(.redo(entry: nil)) == [.redone(RequestID(4), first.history)])
    #expect(await ask(.redo(entry: nil)) == [.redone(RequestID(4), second.history)])
    #expect(await ask(.undo(entry: nil)) == [.undone(RequestID(4), second.history)])
  }

  @Test("H08: the history is that of all worlds, the one with the newest first")
  func historyOfAll() async {
    func line(_ name: String) -> HistoryLine {
      HistoryLine(
        HistoryEntry(
          number: 1, operation: .move, names: [name], count: 1, place: "", time: 0,
          isUndone: false), when: "")
    }
    first.lines = .success([line("file")])
    second.lines = .success([line("row")])
    third.lines = .failure(.journalNewer)
    #expect(
      await ask(.history(limit: 5)) == [
        .history(RequestID(4), .success([line("file"), line("row")]))
      ])
    _ = await ask(.reorder(source(1, 1), toIndex: 1))
    #expect(await ask(.history(limit: 1)) == [.history(RequestID(4), .success([line("row")]))])
    first.lines = .success([])
    second.lines = .success([])
    #expect(await ask(.history(limit: 5)) == [.history(RequestID(4), .failure(.journalNewer))])
  }

  @Test("The history is told where one world has any")
  func historyLines() async {
    #expect(await ask(.history(limit: 5)) == [.history(RequestID(4), .success([]))])
    let entry = HistoryEntry(
      number: 7, operation: .copy, names: ["a.txt"], count: 1, place: "Docs", time: 0,
      isUndone: false)
    second.lines = .success([HistoryLine(entry, when: "10:00")])
    #expect(await ask(.history(limit: 5)) == [.history(RequestID(4), second.lines)])
  }

  @Test("A session's places are shown to others as it knows them, without its sources and tasks")
  func offered() async {
    let count = Counter()
    joined.onOfferChange { count.add() }
    #expect(joined.offeredPlaces(containers: 9, points: 9) == [])
    let points = (1...4).map {
      DropPointDescriptor(
        id: DropPointID($0), name: "p", container: container(5, 0), task: $0 == 4 ? .trash : nil)
    }
    first.listing = Listing(
      container: ContainerDescriptor(id: container(5, 0), name: "Five"),
      sources: [
        DragSourceDescriptor(
          id: DragSourceID(1), name: "s", container: container(5, 0), kind: .file)
      ], dropPoints: points)
    _ = await ask(.list(.container(container(5, 0)), includingHidden: false))
    let shown = joined.offeredPlaces(containers: 9, points: 9)
    #expect(shown.map(\.container.name) == ["Five"])
    #expect(shown.first?.sources == nil)
    #expect(shown.first?.dropPoints?.map(\.id.rawValue) == [1, 2, 3])
    #expect(joined.offeredPlaces(containers: 9, points: 2).first?.dropPoints?.count == 2)
    #expect(joined.offeredPlaces(containers: 0, points: 2) == [])
    first.tell(.changed([.dropPointVanished(DropPointID(2), container: container(5, 0))]))
    first.tell(.changed([.sourceVanished(DragSourceID(1), container: container(5, 0))]))
    #expect(
      joined.offeredPlaces(containers: 9, points: 9).first?.dropPoints?.map(\.id.rawValue)
        == [1, 3])
    joined.hide(container(5, 0))
    #expect(joined.offeredPlaces(containers: 9, points: 9) == [])
    #expect(count.value == 3)
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}
