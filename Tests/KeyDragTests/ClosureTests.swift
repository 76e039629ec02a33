import Dispatch
import Synchronization
import Testing

@testable import KeyDrag

@Suite("An app's closures may take their time")
struct ClosureTests {
  private static func source(_ name: String) -> DragHost.Source {
    DragHost.Source(name) {
      // Somewhere else, as a database would be.
      await Task.yield()
      return try ItemProvider(
        suggestedName: name, representations: [Representation("text/plain", bytes: [65])])
    }
  }

  private static func point(
    _ name: String, _ proposal: @escaping @Sendable (DragHost.DropInfo) async -> DropProposal
  ) -> DragHost.DropPoint {
    DragHost.DropPoint(name, proposal: proposal) { _ in }
  }

  /// Places that take copies, each after it has waited.
  private static func host(_ count: Int, _ wait: @escaping @Sendable (Int) -> Void) -> DragHost {
    let host = DragHost()
    let shelf = host.addContainer("Shelf")
    for number in 0..<count {
      host.register(
        point("\(number)") { _ in
          wait(number)
          return DropProposal(.all, offers: .copy)
        }, in: shelf)
    }
    return host
  }

  private static func inquiry(_ host: DragHost) -> (ProposalRequest, [DropPointID]) {
    let points = host.registry.entries.values.flatMap { $0.dropPoints ?? [] }.map(\.id)
    return (ProposalRequest(items: [], wish: nil, stops: points.map { DropStop($0) }), points)
  }

  @Test(
    "H11: a place that blocks holds up no other, is answered for, and is not asked again until then"
  )
  func blocks() async throws {
    let host = DragHost()
    let shelf = host.addContainer("Shelf")
    let gate = DispatchSemaphore(value: 0)
    let calls = Mutex(0)
    host.register(
      Self.point("Stuck") { _ in
        calls.withLock { $0 += 1 }
        gate.wait()
        return DropProposal(.all, offers: .copy)
      }, in: shelf)
    for number in 0..<100 {
      host.register(Self.point("\(number)") { _ in DropProposal(.all, offers: .copy) }, in: shelf)
    }
    let world = HostWorld(host, patience: .seconds(2))
    let (inquiry, points) = Self.inquiry(host)
    for _ in 0..<20 {
      let answers = await world.answers(to: inquiry) { _ in }
      #expect(answers.map(\.stop.point) == points)
      #expect(answers[0].proposal == .refused(.notResponding))
      #expect(answers.dropFirst().allSatisfy { $0.proposal.offers == .copy })
    }
    #expect(calls.withLock { $0 } == 1)
    gate.signal()
    gate.signal()
    while await world.answers(to: inquiry, told: { _ in })[0].proposal.offers != .copy {}
    #expect(calls.withLock { $0 } == 2)
  }

  @Test("What the others say is told while one still waits")
  func toldAsTheyCome() async {
    let gate = DispatchSemaphore(value: 0)
    let host = Self.host(10) { if $0 == 0 { gate.wait() } }
    // It waits until the others have been told, or for longer than any test.
    let world = HostWorld(host, patience: .seconds(600))
    let told = Mutex(0)
    let answers = await world.answers(to: Self.inquiry(host).0) { new in
      let isAll = told.withLock { told in
        told += new.count
        return told == 9
      }
      if isAll { gate.signal() }
    }
    #expect(answers.count == 10)
    #expect(answers.allSatisfy { $0.proposal.offers == .copy })
  }

  @Test("More places that block than there are threads leave the others their answers")
  func manyBlock() async {
    let gate = DispatchSemaphore(value: 0)
    let host = Self.host(40) { if $0 % 4 != 3 { gate.wait() } }
    let world = HostWorld(host, patience: .seconds(2))
    let answers = await world.answers(to: Self.inquiry(host).0) { _ in }
    for (number, answer) in answers.enumerated() {
      #expect((answer.proposal.offers == .copy) == (number % 4 == 3), "\(number)")
    }
    for _ in 0..<40 { gate.signal() }
  }

  @Test("Where nearly every place blocks, the question ends all the same")
  func allBlock() async {
    let host = DragHost()
    let shelf = host.addContainer("Shelf")
    let gate = DispatchSemaphore(value: 0)
    let calls = Mutex(0)
    for number in 0..<500 {
      host.register(
        Self.point("\(number)") { _ in
          calls.withLock { $0 += 1 }
          gate.wait()
          return .refused(.gone)
        }, in: shelf)
    }
    let world = HostWorld(host, patience: .milliseconds(100))
    let answers = await world.answers(to: Self.inquiry(host).0) { _ in }
    #expect(answers.allSatisfy { $0.proposal == .refused(.notResponding) })
    #expect(calls.withLock { $0 } <= 64)
    for _ in 0..<500 { gate.signal() }
  }

  @MainActor
  private final class Model {
    var asked = 0
    var words = ["one"]
  }

  @Test("Closures on the main actor are asked there, for the item and for the place")
  @MainActor
  func mainActor() async {
    let model = Model()
    let host = DragHost()
    let words = host.addContainer("Words")
    let shelf = host.addContainer("Shelf")
    host.register(
      DragHost.Source("one") { @MainActor in
        try ItemProvider(
          suggestedName: model.words[0],
          representations: [Representation("text/plain", bytes: Array(model.words[0].utf8))])
      }, in: words)
    host.register(
      Self.point("Basket") { @MainActor _ in
        model.asked += 1
        return DropProposal(.all, offers: .copy)
      }, in: shelf)
    let ear = Ear()
    let controller = host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    controller.press(KeyStroke(.space))
    #expect(await ear.next("drop-point").text.contains("Basket"))
    controller.press(KeyStroke(.enter))
    _ = await ear.next("delivered")
    #expect(model.asked == 2, "at the pick-up and at the drop")
    await controller.end()
  }

  @Test("H08: a drop that comes while an undo is under way leaves nothing to do again")
  func dropDuringUndo() {
    var history = Self.history("one", "two")
    let undo = history.begin(nil, isRedo: false)
    history.add(.copy, ["three"], in: "Basket", Self.way)
    if let undo { history.end(undo, isRedo: false, hasFailed: false) }
    #expect(history.done.map(\.entry.names) == [["one"], ["three"]])
    #expect(history.undone.isEmpty)
  }

  @Test(
    "H08: what was done again while something was dropped can be undone, and one that fails stays")
  func dropDuringRedo() {
    var history = Self.history("one")
    if let undo = history.begin(nil, isRedo: false) {
      history.end(undo, isRedo: false, hasFailed: false)
    }
    let redo = history.begin(nil, isRedo: true)
    history.add(.copy, ["two"], in: "Basket", Self.way)
    if let redo { history.end(redo, isRedo: true, hasFailed: false) }
    #expect(history.done.map(\.entry.names) == [["two"], ["one"]])
    if let failed = history.begin(nil, isRedo: false) {
      history.end(failed, isRedo: false, hasFailed: true)
    }
    #expect(history.done.map(\.entry.names) == [["two"], ["one"]])
  }

  @Test("H08: the number of an entry in another history undoes nothing here", arguments: [3, -9])
  func numberOfAnother(number: Int64) {
    var history = Self.history("one", "two")
    #expect(history.begin(number, isRedo: false) == nil)
    #expect(history.begin(-1, isRedo: false)?.step.entry.names == ["one"])
  }

  private static let way = UndoRedoActions(undo: {}, redo: {})

  private static func history(_ names: String...) -> SessionHistory {
    var history = SessionHistory()
    for name in names { history.add(.copy, [name], in: "Basket", way) }
    return history
  }

  @Test("K04: rows that an app puts in together are heard")
  func rowsAreHeard() async {
    let host = DragHost()
    let list = DragList<Contact>(
      "People", in: host, accepting: Contact.self,
      source: { row in DragHost.Source(row.name) { row } }, rows: { [$0] })
    list.insert([Contact(name: "Ada", email: "")])
    let ear = Ear()
    let controller = host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    list.insert((0..<20).map { Contact(name: "row \($0)", email: "") })
    #expect(await ear.next("appeared").text == "20 items appeared.")
    controller.press(KeyStroke(.space))
    _ = await ear.next("drop-point")
    list.insert([Contact(name: "Bob", email: "")])
    #expect(await ear.next("appeared").text == "Bob appeared.")
    await controller.end()
  }

  @Test("H08: undo twice at once takes back two things, one after the other")
  func undoInTurn() async {
    let host = DragHost()
    let words = host.addContainer("Words")
    let shelf = host.addContainer("Shelf")
    host.register(Self.source("one"), in: words)
    let log = Mutex<[String]>([])
    @Sendable func note(_ text: String) async {
      log.withLock { $0.append(text + " begins") }
      for _ in 0..<100 { await Task.yield() }
      log.withLock { $0.append(text + " ends") }
    }
    let count = Mutex(0)
    let basket = DragHost.DropPoint("Basket") { _ in
      DropProposal(.all, offers: .copy)
    } performDrop: { drop in
      let number = count.withLock { count in
        count += 1
        return count
      }
      drop.canBeUndone {
        await note("undo \(number)")
      } redo: {
        await note("redo \(number)")
      }
    }
    host.register(basket, in: shelf)
    let ear = Ear()
    let controller = host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    for _ in 0..<2 {
      controller.press(KeyStroke(.space))
      _ = await ear.next("drop-point")
      controller.press(KeyStroke(.enter))
      _ = await ear.next("delivered")
    }
    controller.perform(.undo)
    controller.perform(.undo)
    for _ in 0..<2 { _ = await ear.next("undone") }
    #expect(
      log.withLock { $0 } == ["undo 2 begins", "undo 2 ends", "undo 1 begins", "undo 1 ends"])
    await controller.end()
  }
}
