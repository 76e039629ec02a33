import Synchronization
import Testing

@testable import KeyDrag

/// Items of another program, as text.
private final class Carried: ItemLoading {
  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard contentType == "text/plain" else { throw Reason.wrongType }
    return ItemStream(Array("from afar".utf8))
  }

  func filePath(of source: DragSourceID) -> [UInt8]? { nil }

  static let item = DragItem(
    source: DragSourceID(5, of: .visitors), name: "note",
    kind: .object, types: [ItemProvider.objectType, "text/plain"], typeName: "text",
    container: ContainerID(1, of: .visitors), tree: nil,
    allowed: .copy)
}

@Suite struct VisitorTests {
  private let host = DragHost()
  private let world: HostWorld
  private let taken: Taken
  private let stop: DropStop

  private final class Taken: Sendable {
    let texts = Mutex<[String]>([])
  }

  init() throws {
    let taken = Taken()
    let container = host.addContainer("List")
    host.register(
      DragHost.DropPoint("Basket") { offer in
        DropProposal(.all, offers: offer.isInside ? .move : .transfer)
      } performDrop: { drop in
        for (_, provider) in drop.items {
          let bytes = try await provider.load("text/plain")
          taken.texts.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
      }, in: container)
    host.register(
      DragHost.Source("word") {
        try ItemProvider(
          suggestedName: "word",
          representations: [
            Representation("text/secret", visibility: .thisProgram, bytes: [1]),
            Representation("text/plain", bytes: Array("a word".utf8)),
          ])
      }, in: container)
    self.taken = taken
    world = HostWorld(host)
    stop = DropStop(try #require(host.registry[container]?.dropPoints?.first?.id))
  }

  private func finish(_ order: DeliveryOrder) async -> DeliveryResult {
    await withCheckedContinuation { continuation in
      world.deliver(DeliveryID(1), order, from: Carried()) { event in
        if case .finished(let result) = event { continuation.resume(returning: result) }
      }
    }
  }

  @Test("H02: an app's place is asked about another program's things, and only copies them")
  func asking() async {
    let inquiry = ProposalRequest(items: [Carried.item], wish: nil, stops: [stop])
    let answers = await world.answers(to: inquiry, from: Carried())
    // H08: nobody's history has what an app does with it.
    let proposal = DropProposal(
      .all, offers: .copy, predictions: [.inProgram(isPasted: false, undo: .impossible)])
    #expect(answers == [Answer(stop, proposal)])
    let move = DeliveryOrder(items: [Carried.item], stop: stop, operation: .move)
    #expect(await finish(move).outcome == .refused)
    #expect(taken.texts.withLock { $0.isEmpty })
  }

  @Test("What another program drops is loaded from there when the app takes it")
  func taking() async {
    let order = DeliveryOrder(items: [Carried.item], stop: stop, operation: .copy)
    #expect(await finish(order).outcome == .delivered)
    #expect(taken.texts.withLock { $0 } == ["from afar"])
  }

  @Test("An app's own things go out in the forms that are for everyone")
  func giving() async throws {
    let source = try #require(host.registry.entries.values.first?.sources?.first?.id)
    let item = try #require(await world.prepare([source]).items.first)
    #expect(world.typesForEveryone(of: item) == ["text/plain"])
    let stream = try await world.open(source, as: "text/plain", progress: LoadProgress())
    #expect(stream.byteCount == 6)
    #expect(try await stream.next(4) == Array("a wo".utf8))
    #expect(try await stream.next(4) == Array("rd".utf8))
    #expect(try await stream.next(4) == [])
    await #expect(throws: Reason.wrongType) {
      _ = try await world.open(source, as: "text/secret", progress: LoadProgress())
    }
  }
}
