import Glibc
import KeyDragCore
import RealPrograms
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Places: delivering", .realPrograms(by: .suite), .timeLimit(.minutes(5)))
struct PlacesDeliveringTests {
  @Test("H22: what landed has a number before its folder was ever listed, and keeps it")
  func landings() async throws {
    let scratch = try Scratch()
    let file = try scratch.file(Array("odd".utf8) + [0xFF])
    let box = try scratch.folder("box")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let source = try #require(listing.sources?.last)
    let items = try await stage.prepare([source]).items
    let order = DeliveryOrder(
      items: items, stop: DropStop(try listing.point("box").id), operation: .copy, clash: .skip)
    guard
      case .delivery(DeliveryID(3), .finished(let result)) = await stage.answer(
        .deliver(DeliveryID(3), order))
    else {
      Issue.record("the delivery did not finish")
      return
    }
    let drop = try #require(stage.delivery.drops.withLock { $0.last })
    #expect(drop.sources == [file] && drop.target == box && drop.placeName == "box")
    #expect(drop.operation == .copy && drop.clash == .skip && drop.newName == nil)
    #expect(drop.held == [file: .init(try FileCalls.status(file))])
    let landing = try #require(result.landings.first)
    #expect(landing.name == "odd\u{FFFD}FF")
    try scratch.file(Array("box/odd".utf8) + [0xFF])
    let inside = try await stage.listing(
      .list(.container(landing.container), includingHidden: false))
    #expect(inside.sources?.map(\.id) == [landing.source])
    #expect(
      stage.world.path(of: landing.source) == box.appending(bytes: Array("odd".utf8) + [0xFF]))
  }

  @Test(
    "What has another thing's name since it was picked up is told and not dropped",
    arguments: [DragOperation.copy, .move, .link], ["folder", "file", "link", "saved"])
  func another(operation: DragOperation, what: String) async throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.txt", "a")
    let box = try scratch.folder("box")
    let stage = PlacesStage(
      [scratch.path], delivering: JournaledCourier(folder: try scratch.folder("state")))
    let listing = try await stage.list()
    let items = try await stage.prepare([listing.source("a.txt")]).items
    // A program that writes into a file leaves it itself.
    if what == "saved" {
      let open = try FileCalls.open(file, flags: O_WRONLY | O_APPEND)
      #expect(write(open.raw, "b", 1) == 1)
    } else {
      let other = try scratch.file("other", "other")
      // Its inode may be given to the next.
      file.withPlatformString { _ = unlink($0) }
      switch what {
      case "folder": try scratch.folder("a.txt")
      case "file":
        try FileCalls.rename(OpenedEntry(other).place, to: OpenedEntry(file).place)
      default: try scratch.link("a.txt", to: "box")
      }
    }
    let order = DeliveryOrder(
      items: items, stop: DropStop(try listing.point("box").id), operation: operation)
    guard
      case .delivery(_, .finished(let result)) = await stage.answer(.deliver(DeliveryID(1), order))
    else { throw Reason.unknown }
    if what == "saved" {
      #expect(result.outcome == .delivered)
    } else {
      #expect(result.failures.map(\.reason) == [.changed])
      #expect(box.names.isEmpty)
    }
  }

  @Test("H01: a drop into a link to a folder lands in the folder as it was walked")
  func throughLink() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    try scratch.folder("box")
    let link = try scratch.link("shortcut", to: "box")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let items = try await stage.prepare([listing.source("a.txt")]).items
    let order = DeliveryOrder(
      items: items, stop: DropStop(try listing.point("shortcut").id), operation: .move)
    _ = await stage.answer(.deliver(DeliveryID(1), order))
    #expect(stage.delivery.drops.withLock { $0.map(\.target) } == [link])
  }

  @Test("H20: printing hands the files to lp, whatever their names, and reports its end")
  func prints() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let printer = try Printer(in: scratch, script: "printf '%s\\0' \"$@\" > \"$RECORD\"")
      let stage = PlacesStage([try scratch.folder("docs")])
      try scratch.file("docs/-rf $(reboot)\n.txt")
      try scratch.file("docs/plain.txt")
      let result = try await printer.print(stage)
      #expect(result.outcome == .delivered)
      #expect(result.delivered == 2)
      let docs = scratch.path.appending("docs").string
      let expected = ["--", "\(docs)/-rf $(reboot)\n.txt", "\(docs)/plain.txt"]
      #expect(try printer.record() == expected)
    }
  }

  @Test("H14, H20: a print job that fails says so, however much it talks")
  func printFails() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let printer = try Printer(in: scratch, script: "yes | head -c 1000000; exit 3")
      let stage = PlacesStage([try scratch.folder("docs")])
      try scratch.file("docs/plain.txt")
      let result = try await printer.print(stage)
      #expect(result.outcome == .failed)
      #expect(result.failures == [DeliveryFailure(name: "plain.txt", reason: .programFailed)])
    }
  }

  @Test("H19, H20: a print job is cancelled by the delivery it belongs to")
  func printCancelled() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let printer = try Printer(in: scratch, script: "echo > \"$RECORD\"; exec sleep 600")
      let stage = PlacesStage([try scratch.folder("docs")])
      try scratch.file("docs/plain.txt")
      try scratch.check(mkfifo(printer.recordPath, 0o600))
      async let running = printer.print(stage)
      // The job writes into the FIFO when it runs; only then is there something to cancel.
      _ = try await printer.waitForRecord()
      stage.world.cancel(DeliveryID(1))
      #expect(try await running.outcome == .cancelled)
    }
  }

  @Test("H20, H30: the default program gets the files in their own bytes")
  func opens() async throws {
    let scratch = try Scratch()
    let file = try scratch.file([0xFF] + Array(".txt".utf8))
    let stage = PlacesStage([scratch.path])
    let preparation = try await stage.prepare(try await stage.list().sources ?? [])
    let point = try #require(preparation.taskPoints.first { $0.task == .openWith })
    #expect(
      try await stage.ask(preparation.items, at: [point]) == [DropProposal(.all, offers: [.open])])
    let order = DeliveryOrder(
      items: preparation.items, stop: DropStop(point.id), operation: .open)
    let report = await stage.answer(.deliver(DeliveryID(1), order))
    #expect(
      report
        == .delivery(
          DeliveryID(1),
          .finished(DeliveryResult(outcome: .delivered, route: .files, delivered: 1))))
    #expect(stage.program.started.withLock { $0 } == [[file.rawBytes]])
  }

  @Test("K06: a drop on what was never registered is refused, not lost")
  func unknownTarget() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    let stage = PlacesStage([scratch.path])
    let items = try await stage.prepare(try await stage.list().sources ?? []).items
    let order = DeliveryOrder(
      items: items, stop: DropStop(PointID.folder(4_000).point), operation: .copy)
    let failure = DeliveryFailure(name: "a.txt", reason: .gone)
    #expect(
      await stage.answer(.deliver(DeliveryID(1), order))
        == .delivery(
          DeliveryID(1),
          .finished(
            DeliveryResult(outcome: .refused, route: .files, delivered: 0, failures: [failure]))))
    #expect(stage.delivery.drops.withLock { $0.isEmpty })
  }

  @Test("K12: an operation that a place has no meaning for is refused, not passed on")
  func wrongOperation() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    try scratch.folder("box")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let items = try await stage.prepare([listing.source("a.txt")]).items
    let failure = DeliveryFailure(name: "a.txt", reason: .operationNotOffered)
    let refusal = DeliveryResult(
      outcome: .refused, route: .files, delivered: 0, failures: [failure])
    let pairs = [
      (PointID.trash.point, DragOperation.copy), (try listing.point("box").id, .remove),
      (try listing.point("box").id, .open),
    ]
    for (point, operation) in pairs {
      let order = DeliveryOrder(items: items, stop: DropStop(point), operation: operation)
      #expect(
        await stage.answer(.deliver(DeliveryID(1), order))
          == .delivery(DeliveryID(1), .finished(refusal)))
    }
    #expect(stage.delivery.drops.withLock { $0.isEmpty })
  }
}

/// An `lp` of a test's own, first in the path of this process.
struct Printer: Sendable {
  let recordPath: String

  init(in scratch: Scratch, script: String) throws {
    recordPath = scratch.path.appending("record").string
    try scratch.folder("bin")
    let lp = try scratch.file("bin/lp", "#!/bin/sh\n\(script)\n")
    try scratch.check(lp.withPlatformString { chmod($0, 0o755) })
    setenv("PATH", "\(scratch.path.string)/bin:/usr/bin:/bin", 1)
    setenv("RECORD", recordPath, 1)
  }

  /// Prints all that the stage's first root shows.
  func print(_ stage: PlacesStage) async throws -> DeliveryResult {
    let items = try await stage.prepare(try await stage.list().sources ?? []).items
    let order = DeliveryOrder(
      items: items, stop: DropStop(PointID.print.point), operation: .open)
    guard
      case .delivery(_, .finished(let result)) = await stage.answer(.deliver(DeliveryID(1), order))
    else { throw Reason.unknown }
    return result
  }

  /// What `lp` wrote, split at its zero bytes.
  func record() throws -> [String] {
    let descriptor = open(recordPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Reason.gone }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = max(0, read(descriptor, &buffer, buffer.count))
    return buffer.prefix(count).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  func waitForRecord() async throws -> [String] { try record() }
}
