import Glibc
import KeyDragCore
import KeyDragTypes
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Drops of items without files, in the journal", .timeLimit(.minutes(2)))
struct ItemDeliveryTests {
  private let bench: Bench
  private let types = SystemContentTypes()
  private var courier: JournaledCourier { bench.courier }

  init() throws {
    bench = try Bench()
  }

  private func item(_ name: String, _ forms: Representation...) throws -> ItemDrop.Item {
    let provider = try ItemProvider(suggestedName: name, representations: forms)
    return ItemDrop.Item(
      name: name, content: ItemFile(for: provider, types).map { (provider, $0) })
  }

  private func drop(_ items: [ItemDrop.Item]) -> ItemDrop {
    ItemDrop(items: items, target: bench.b, placeName: "B", types: types)
  }

  private func deliver(_ items: [ItemDrop.Item]) async -> (DeliveryResult, [FilePath]) {
    await withCheckedContinuation { done in
      courier.write(drop(items), id: DeliveryID(1)) { event, landed in
        if case .finished(let result) = event {
          done.resume(returning: (result, landed))
        }
      }
    }
  }

  @Test(
    "H24: a contact, an event, text, styled text and an image become files; undo takes them back",
    arguments: [
      ("Ada", "text/vcard", "Ada.vcf"), ("Lunch", "text/calendar", "Lunch.ics"),
      ("Dear Ada", "text/plain", "Dear Ada.txt"), ("Dear Ada", "text/html", "Dear Ada.html"),
      ("Photo", "image/png", "Photo.png"),
    ])
  func kinds(name: String, type: String, file: String) async throws {
    let (result, landed) = await deliver([try item(name, Representation(type, bytes: [65, 66]))])
    #expect(result.outcome == .delivered && result.verified && result.bytes == 2)
    #expect(result.renamed == [file], "what one item became is told")
    #expect(landed == [bench.b / file])
    #expect((bench.b / file).contents == [65, 66])
    guard case .success(let entries) = await bench.history() else {
      Issue.record("no history")
      return
    }
    #expect(entries.map(\.names) == [[file]])
    #expect(entries.map(\.place) == ["B"])
    let back = await bench.undo()
    guard case .done(let undone) = back else {
      Issue.record("not undone: \(back)")
      return
    }
    #expect(undone.names == [file])
    #expect(bench.b.names == [])
    guard case .nothing = await bench.redo() else {
      Issue.record("what nobody has any more was done again")
      return
    }
    #expect(bench.b.names == [])
  }

  @Test(
    "H14: a loader that does not keep to the rules leaves nothing, and the others arrive",
    arguments: [
      (Representation("text/plain") { _ in throw Reason.deviceError }, Reason.deviceError),
      (Representation("text/plain") { _ in [] }, .nothingThere),
      (Representation("text/plain", byteCount: 1) { _ in [65, 66] }, .changed),
      (Representation("text/plain", byteCount: 3) { _ in [65, 66] }, .changed),
      (
        .answering("text/plain") { reply in
          reply([65])
          reply([66])
        }, .malformed
      ),
      (.answering("text/plain") { _ in }, .notResponding),
    ] as [(Representation, Reason)])
  func badLoaders(form: Representation, reason: Reason) async throws {
    let (result, landed) = await deliver([
      try item("one", Representation("text/plain", bytes: [1])), try item("bad", form),
      try item("two", Representation("text/plain", bytes: [2])),
    ])
    #expect(result.outcome == .partly && result.delivered == 2)
    #expect(result.failures == [DeliveryFailure(name: "bad", reason: reason)])
    #expect(landed == [bench.b / "one.txt", bench.b / "two.txt"])
    #expect(bench.b.names == ["one.txt", "two.txt"])
    guard case .done(let undone) = await bench.undo() else {
      Issue.record("not undone")
      return
    }
    #expect(undone.count == 2 && bench.b.names == [])
  }

  @Test("H19: while a form of unknown length comes, its bytes are told")
  func unknownLength() async throws {
    let told = Atomic<Int64>(0)
    let log = Representation("text/plain", byteCount: nil) {
      // It ends when something was told of it.
      { offset, count in
        told.load(ordering: .relaxed) > 0 ? [] : [UInt8](repeating: 65, count: min(count, 4096))
      }
    }
    let drop = drop([try item("log", log)])
    let result = await withCheckedContinuation { done in
      courier.write(drop, id: DeliveryID(1)) { event, _ in
        switch event {
        case .started(let progress): #expect(progress == DeliveryProgress())
        case .progressed(let progress):
          #expect(progress.bytesTotal == nil)
          told.max(progress.bytesDone, ordering: .relaxed)
        case .asks, .goesOn: break
        case .finished(let result): done.resume(returning: result)
        }
      }
    }
    #expect(result.outcome == .delivered)
    #expect(result.bytes == told.load(ordering: .relaxed))
  }

  @Test(
    "H19: how many bytes there will be is told at the start, where it is known of all",
    arguments: [([3, 4], 7), ([3, nil], nil), ([3, .max], nil), ([-1, 4], 4)]
      as [([Int64?], Int64?)])
  func sizes(of items: [Int64?], whole: Int64?) throws {
    let drop = drop(items.map { ItemDrop.Item(name: "x", size: $0, content: nil) })
    #expect(drop.size == whole)
    let form = Representation("text/plain", bytes: [65, 66])
    #expect(try item("own", form).size == 2)
  }

  @Test("H19: a cancelled drop keeps what is whole, and nothing else")
  func cancelled() async throws {
    let (started, starting) = AsyncStream.makeStream(of: Void.self)
    let endless = Representation("text/plain", byteCount: nil) {
      { offset, count in
        if offset == 1 << 20 { starting.yield() }
        return [UInt8](repeating: 65, count: count)
      }
    }
    let items = [
      try item("one", Representation("text/plain", bytes: [1])), try item("log", endless),
      try item("never", Representation("text/plain", bytes: [3])),
    ]
    async let ended = deliver(items)
    for await _ in started { break }
    courier.cancel(DeliveryID(1))
    let (result, _) = await ended
    #expect(result.outcome == .cancelled && result.delivered == 1)
    #expect(bench.b.names == ["one.txt"])
  }

  @Test("H08: what was written by somebody else since is not taken back")
  func changed() async throws {
    _ = await deliver([try item("one", Representation("text/plain", bytes: [1]))])
    try (bench.b / "one.txt").write("mine")
    guard case .refused(_, .changed) = await bench.undo() else {
      Issue.record("taken back")
      return
    }
    #expect((bench.b / "one.txt").text == "mine")
  }

  @Test("A run that ended before a file was whole leaves no part; one after it is finished")
  func recovery() async throws {
    let journal = Journal(folder: bench.state)
    let entry = EntryRecord(
      operation: .copy, permanently: false, place: "B",
      time: timespec.now.nanoseconds / 1_000_000_000, token: "0123456789abcdef",
      planned: 2)
    let writer = JournalWriter(journal, entry)
    func step(_ index: Int64, _ name: String) -> StepRecord {
      StepRecord(
        index: index, source: bench.b / name, target: bench.b / name,
        before: RecordedStamp(kind: .file, inode: 0, size: -1, modified: 0, changed: 0), begun: 1)
    }
    var steps = [step(0, "whole.txt"), step(1, "half.txt")]
    writer.intend(steps)
    try (bench.b / "whole.txt").write("whole")
    steps[0].after = try FileCalls.status(bench.b / "whole.txt").recorded
    writer.redirect(steps[0])
    try FilePath(rawBytes: bench.b.rawBytes + Array("/".utf8) + Array(entry.partName(1).bytes))
      .write("ha")
    // The run is killed here: its lock is free.
    journal.close()
    let recovered = await bench.recover()
    #expect(recovered.map(\.result) == [.partly])
    #expect(bench.b.names == ["whole.txt"])
    let undone = await bench.undo()
    guard case .done = undone else {
      Issue.record("not undone: \(undone)")
      return
    }
    #expect(bench.b.names == [])
  }

  // MARK: Beside files

  /// A file and a text, dropped together.
  private func together() async throws -> Delivered {
    try (bench.a / "x").write("x")
    let first = await bench.deliver(.copy, [bench.a / "x"])
    var rest = drop([try item("one", Representation("text/plain", bytes: [1]))])
    rest.entry = first.entry
    let entry: Int64? = await withCheckedContinuation { [rest] done in
      courier.write(rest, id: DeliveryID(2)) { event, _ in
        if case .finished(let result) = event { done.resume(returning: result.entry) }
      }
    }
    #expect(entry != nil)
    return first
  }

  @Test("H08, H23: files and things dropped together are one entry, which one undo takes back")
  func oneEntry() async throws {
    _ = try await together()
    #expect(bench.b.names == ["one.txt", "x"])
    guard case .success(let entries) = await bench.history(),
      case .done(let undone) = await bench.undo()
    else {
      Issue.record("no history")
      return
    }
    #expect(entries.map(\.names) == [["x", "one.txt"]])
    #expect(undone.count == 2)
    #expect(bench.b.names == [])
    #expect((bench.a / "x").text == "x")
    guard case .nothing = await bench.undo() else {
      Issue.record("there was a second entry")
      return
    }
    // The text has no original: only the file can be copied again.
    guard case .partly(_, 1, let failures) = await bench.redo() else {
      Issue.record("not redone")
      return
    }
    #expect(failures.map(\.name) == ["one.txt"])
    #expect(bench.b.names == ["x"])
  }

  @Test("H08: what was undone before the rest of a drop came is not done again by it")
  func undoneBetween() async throws {
    try (bench.a / "x").write("x")
    let first = await bench.deliver(.copy, [bench.a / "x"])
    #expect(await bench.undo().isDone)
    let number = try #require(first.entry)
    #expect(bench.journal.reopen(number, for: 1) == nil)
    #expect(bench.journal.reopen(number + 99, for: 1) == nil)
  }

  @Test("A run that ended in the rest of a drop is put right, and one undo takes back what arrived")
  func endedInTheRest() async throws {
    try (bench.a / "x").write("x")
    let number = try #require(await bench.deliver(.copy, [bench.a / "x"]).entry)
    let journal = Journal(folder: bench.state)
    _ = try journal.run()
    let open = try #require(journal.reopen(number, for: 1))
    #expect(open.next == 1)
    let half = bench.b / "half.txt"
    JournalWriter(journal, open.entry).intend([
      StepRecord(
        index: open.next, source: half, target: half,
        before: RecordedStamp(kind: .file, inode: 0, size: -1, modified: 0, changed: 0), begun: 1)
    ])
    let part = open.entry.partName(open.next)
    try FilePath(rawBytes: bench.b.rawBytes + Array("/".utf8) + Array(part.bytes)).write("ha")
    // The run is killed here: its lock is free.
    journal.close()
    #expect(await bench.recover().map(\.result) == [.partly])
    #expect(bench.b.names == ["x"])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names == [])
  }
}
