import Synchronization
import Testing
import ToldDesktop

@testable import KeyDrag

/// What a place of the same program loads.
private struct Recording: DropReadable {
  static let acceptedTypes = ["audio/x-test"]
  init(dragged data: [UInt8], contentType: String) {}
}

@Suite("H19: a drop within one program tells its bytes", .timeLimit(.minutes(2)))
struct ProgressTests {
  private static let bytes = [UInt8](repeating: 7, count: 200_000)

  private static func read(_ known: Int64?) -> Representation {
    Representation("audio/x-test", byteCount: known) {
      { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
    }
  }

  /// What is reported of a drop of these forms, one an item.
  private func events(
    _ forms: [[Representation]], object: (any Sendable)? = nil, at point: DragHost.DropPoint
  ) async throws -> [DeliveryEvent] {
    let host = DragHost()
    let container = host.addContainer("Room")
    for (index, forms) in forms.enumerated() {
      host.register(
        DragHost.Source("\(index)") {
          try ItemProvider(suggestedName: "\(index)", representations: forms, object: object)
        }, in: container)
    }
    host.register(point, in: container)
    let world = HostWorld(host)
    let entry = try #require(host.registry[container])
    let preparation = await world.prepare(entry.sources?.map(\.id) ?? [])
    let order = DeliveryOrder(
      items: preparation.items, stop: DropStop(try #require(entry.dropPoints?.first?.id)),
      operation: .copy)
    let (reports, teller) = AsyncStream.makeStream(of: DeliveryEvent.self)
    world.deliver(DeliveryID(1), order, from: nil) { event in
      teller.yield(event)
      if case .finished = event { teller.finish() }
    }
    return await reports.reduce(into: []) { $0.append($1) }
  }

  private let shelf = DragHost.DropPoint("Shelf", accepting: Recording.self) { _, _ in }

  /// The first that was told of all, the first step, and the end.
  private func ends(
    _ events: [DeliveryEvent]
  ) throws -> (start: DeliveryProgress, step: DeliveryProgress?, result: DeliveryResult) {
    guard case .started(let start)? = events.first, case .finished(let result)? = events.last
    else { throw Reason.unknown }
    let steps = events.compactMap { event -> DeliveryProgress? in
      if case .progressed(let progress) = event { progress } else { nil }
    }
    #expect(steps.map(\.bytesDone) == steps.map(\.bytesDone).sorted())
    return (start, steps.first, result)
  }

  @Test("The length is told at the start where it is known, and the bytes as they come")
  func known() async throws {
    let (start, step, result) = try ends(
      try await events([[Self.read(200_000)], [Self.read(200_000)]], at: shelf))
    #expect(start.bytesTotal == 400_000 && start.bytesDone == 0)
    #expect(step?.bytesDone == 65_536 && step?.bytesTotal == 400_000)
    #expect(result.outcome == .delivered)
    #expect(result.bytes == 400_000 && result.totalBytes == 400_000)
  }

  @Test("A place whose app tells how far it is tells the start and the end alone")
  func quiet() async throws {
    var quiet = shelf
    quiet.tellsProgress = false
    let (start, step, result) = try ends(try await events([[Self.read(200_000)]], at: quiet))
    #expect(start.bytesTotal == 200_000 && step == nil)
    #expect(result.outcome == .delivered && result.bytes == 200_000)
  }

  @Test("Bytes are counted where nobody knows how many there will be", arguments: [true, false])
  func unknown(isRead: Bool) async throws {
    let form = isRead ? Self.read(nil) : Representation("audio/x-test") { _ in Self.bytes }
    let (start, step, result) = try ends(try await events([[form]], at: shelf))
    #expect(start.bytesTotal == nil)
    #expect(step?.bytesDone == (isRead ? 65_536 : 200_000) && step?.bytesTotal == nil)
    #expect(result.bytes == 200_000 && result.totalBytes == 200_000)
  }

  @Test("The length is that of the form that the place reads, not of the best one")
  func form() async throws {
    let better = Representation("audio/x-better", bytes: [1, 2, 3])
    let (start, _, result) = try ends(
      try await events([[better, Self.read(200_000)]], at: shelf))
    #expect(start.bytesTotal == 200_000)
    #expect(result.bytes == 200_000)
  }

  @Test("A place that loads for itself has its bytes counted; an object has none")
  func others() async throws {
    let own = DragHost.DropPoint("Own") { _ in
      DropProposal(.all)
    } performDrop: { drop in
      _ = try await drop.items[0].provider.load("audio/x-test", range: 0..<1000)
    }
    let part = try ends(try await events([[Self.read(200_000)]], at: own))
    #expect(part.start.bytesTotal == nil && part.step?.bytesDone == 1000)
    #expect(part.result.bytes == 1000)
    let object = Recording(dragged: [], contentType: "")
    let handed = try ends(
      try await events([[Self.read(200_000)]], object: object, at: shelf))
    #expect(handed.start.bytesTotal == nil && handed.step == nil && handed.result.bytes == 0)
  }

  @Test("Bytes are told at most ten times a second, whatever comes between")
  func seldom() {
    let clock = ToldClock()
    let told = Mutex<[Int64]>([])
    let meter = DropMeter(
      total: nil, tell: { progress in told.withLock { $0.append(progress.bytesDone) } },
      clock: clock)
    for _ in 0..<25 {
      meter.add(10)
      clock.advance(by: .milliseconds(10))
    }
    // At 0, 100 and 200 ms.
    #expect(told.withLock { $0 } == [10, 110, 210])
    #expect(meter.progress.bytesDone == 250)
  }
}
