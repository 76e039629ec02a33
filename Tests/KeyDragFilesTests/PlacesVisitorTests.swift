import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

/// Items that another program carries: some are files.
private final class Carried: ItemLoading {
  private let paths: [DragSourceID: FilePath]

  init(_ paths: [DragSourceID: FilePath]) { self.paths = paths }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream { throw Reason.gone }

  func filePath(of source: DragSourceID) -> [UInt8]? { paths[source]?.rawBytes }

  /// What is no file here has no form that others may have.
  func typesForEveryone(of item: DragItem) -> [String] { [] }

  static func item(_ number: UInt64, _ name: String) -> DragItem {
    DragItem(
      source: DragSourceID(number, of: .visitors), name: name, kind: .file, types: ["text/plain"],
      typeName: "", container: ContainerID(1, of: .visitors), tree: nil, allowed: .copy)
  }
}

/// Items that another program carries: the first is a file, the others are texts.
private final class Mixed: ItemLoading {
  private let file: FilePath

  init(_ file: FilePath) { self.file = file }

  func filePath(of source: DragSourceID) -> [UInt8]? {
    source == Carried.item(1, "").source ? file.rawBytes : nil
  }

  func suggestedName(of item: DragItem) -> String { "short" }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream { ItemStream([65]) }
}

@Suite("Places: what another program drops", .timeLimit(.minutes(2)))
struct PlacesVisitorTests {
  private let outside: Scratch
  private let inside: Scratch
  private let stage: PlacesStage
  private let stop: DropStop

  init() throws {
    outside = try Scratch()
    inside = try Scratch()
    stage = PlacesStage([inside.path])
    stop = DropStop(try #require(stage.world.dropPoint(at: inside.path)))
  }

  @Test(
    "H02: a file of another program is copied into a folder, whatever is wished, and clashes are known"
  )
  func asking() async throws {
    let file = try outside.file("note.txt", "n")
    try inside.file("note.txt")
    let items = [Carried.item(1, "lie"), Carried.item(2, "no file")]
    let loading = Carried([items[0].source: file])
    for wish in [DragOperation.move, .link, nil] {
      let answers = await stage.world.answers(
        to: ProposalRequest(items: items, wish: wish, stops: [stop], isFinal: true), from: loading)
      let proposal = try #require(answers.first?.proposal)
      #expect(proposal.offers == .copy)
      #expect(proposal.acceptance == .some(refused: [1: .wrongType]))
      #expect(proposal.predictions == [.nameClash(["note.txt"])])
    }
  }

  @Test("H23, H24: files and texts together are taken by one folder, each in its way")
  func mixed() async throws {
    let file = try outside.file("note.txt", "n")
    try inside.file("note.txt")
    let items = [Carried.item(1, "note.txt"), Carried.item(2, "a long description")]
    let answers = await stage.world.answers(
      to: ProposalRequest(items: items, wish: nil, stops: [stop], isFinal: true), from: Mixed(file))
    let proposal = try #require(answers.first?.proposal)
    #expect(proposal.acceptance == .all && proposal.offers == .copy)
    #expect(proposal.predictions == [.nameClash(["note.txt"]), .becomes("short.txt")])
    let order = DeliveryOrder(items: items, stop: stop, operation: .copy)
    let result = await finish(order, Mixed(file))
    #expect(result?.outcome == .delivered && result?.delivered == 2)
    #expect(stage.delivery.drops.withLock { $0.last }?.sources == [file])
    #expect(stage.delivery.entries.withLock { $0 } == [7], "one undo takes back both")
  }

  @Test("H19: a cancel between the files and the texts of one drop is heard: no text is written")
  func cancelledBetween() async throws {
    let file = try outside.file("note.txt", "n")
    let usual = stage.delivery.ending.withLock { $0 }
    stage.delivery.ending.withLock { ending in
      ending = { [world = stage.world] drop in
        world.cancel(DeliveryID(1))
        return usual(drop)
      }
    }
    let items = [Carried.item(1, "note.txt"), Carried.item(2, "a text")]
    let result = await finish(
      DeliveryOrder(items: items, stop: stop, operation: .copy), Mixed(file))
    #expect(result?.outcome == .cancelled && result?.delivered == 1)
    #expect(stage.delivery.entries.withLock { $0 } == [])
  }

  @Test("H19: a cancel just before the texts begin to be written is passed on to who writes them")
  func cancelledAtTheStart() async throws {
    let file = try outside.file("note.txt", "n")
    stage.delivery.writing.withLock { writing in
      writing = { [world = stage.world] in
        world.cancel(DeliveryID(1))
      }
    }
    let items = [Carried.item(1, "note.txt"), Carried.item(2, "a text")]
    let order = DeliveryOrder(items: items, stop: stop, operation: .copy)
    _ = await finish(order, Mixed(file))
    // The first found nobody who wrote yet.
    #expect(stage.delivery.cancels.withLock { $0.count } == 2)
  }

  @Test("H12: what texts of another program become is said, and a task takes none of them")
  func texts() async throws {
    let file = try outside.file("unused")
    let items = [Carried.item(2, "one"), Carried.item(3, "two")]
    let trash = DropStop(PointID.trash.point)
    let answers = await stage.world.answers(
      to: ProposalRequest(items: items, wish: .move, stops: [stop, trash]), from: Mixed(file))
    try #require(answers.count == 2)
    #expect(answers[0].proposal.offers == .copy)
    #expect(
      answers[0].proposal.predictions == [.becomesFiles([FileCount(ending: ".txt", count: 2)])])
    #expect(answers[1].proposal == .refused(.wrongType))
  }

  @Test("A file of another program is ordered as a copy from its path; what is no file is told")
  func taking() async throws {
    let file = try outside.file("note.txt", "n")
    let items = [Carried.item(1, "note.txt"), Carried.item(2, "no file")]
    let order = DeliveryOrder(items: items, stop: stop, operation: .copy, clash: .skip)
    let result = await finish(order, Carried([items[0].source: file]))
    #expect(result?.outcome == .partly)
    #expect(result?.failures == [DeliveryFailure(name: "no file", reason: .wrongType)])
    #expect(result?.landings.map(\.name) == ["note.txt"])
    let drop = stage.delivery.drops.withLock { $0.last }
    #expect(drop?.sources == [file])
    #expect(drop?.target == inside.path)
    #expect(drop?.operation == .copy)
    #expect(drop?.clash == .skip)
  }

  @Test("A move of another program's file, or of what is no file, is refused")
  func refusing() async throws {
    let file = try outside.file("note.txt", "n")
    let item = Carried.item(1, "note.txt")
    let move = DeliveryOrder(items: [item], stop: stop, operation: .move)
    let moved = await finish(move, Carried([item.source: file]))
    #expect(moved?.outcome == .refused)
    #expect(moved?.failures.first?.reason == .operationNotOffered)
    let copy = DeliveryOrder(items: [item], stop: stop, operation: .copy)
    #expect(await finish(copy, Carried([:]))?.failures.first?.reason == .wrongType)
    #expect(stage.delivery.drops.withLock { $0.isEmpty })
  }

  @Test("H08: a text written beside a refused file is undone as what was just done")
  func written() async throws {
    let file = try outside.file("note.txt", "n")
    try inside.file("note.txt")
    let state = try Scratch()
    let stage = PlacesStage([inside.path], delivering: JournaledCourier(folder: state.path))
    let stop = DropStop(try #require(stage.world.dropPoint(at: inside.path)))
    let items = [Carried.item(1, "note.txt"), Carried.item(2, "a text")]
    let order = DeliveryOrder(items: items, stop: stop, operation: .copy, clash: .fail)
    let result = await finish(order, Mixed(file), at: stage)
    let history = try await stage.world.history(limit: 9).get()
    #expect(result?.delivered == 1 && result?.entry != nil)
    #expect(history.map(\.isOlder) == [false])
  }

  private func finish(
    _ order: DeliveryOrder, _ loading: any ItemLoading, at stage: PlacesStage? = nil
  ) async -> DeliveryResult? {
    await withCheckedContinuation { continuation in
      (stage ?? self.stage).world.deliver(DeliveryID(1), order, from: loading) { event in
        if case .finished(let result) = event { continuation.resume(returning: result) }
      }
    }
  }

  @Test("A file gives its bytes piece by piece, its address, and its path")
  func giving() async throws {
    let text = String(repeating: "0123456789", count: 10_000)
    let file = try inside.file(Array("a b".utf8) + [0xFF], text)
    let source = try #require(stage.world.source(at: file))
    #expect(stage.world.filePath(of: source) == file.rawBytes)
    let stream = try await stage.world.open(source, as: "text/plain", progress: LoadProgress())
    #expect(stream.byteCount == 100_000)
    var read: [UInt8] = []
    while true {
      let piece = try await stream.next(65_536)
      if piece.isEmpty { break }
      #expect(piece.count <= 65_536)
      read += piece
    }
    #expect(read == Array(text.utf8))
    let list = try await stage.world.open(source, as: "text/uri-list", progress: LoadProgress())
    let address = String(decoding: try await list.next(4_096), as: UTF8.self)
    #expect(address == "file://\(inside.path)/a%20b%FF\r\n")
  }

  @Test("A folder, and what is gone, gives no bytes and says why")
  func givingNothing() async throws {
    let folder = try #require(stage.world.source(at: try inside.folder("sub")))
    await #expect(throws: Reason.isAFolder) {
      _ = try await stage.world.open(folder, as: "inode/directory", progress: LoadProgress())
    }
    let gone = try #require(stage.world.source(at: inside.path.appending("gone")))
    await #expect(throws: Reason.gone) {
      _ = try await stage.world.open(gone, as: "text/plain", progress: LoadProgress())
    }
  }
}
