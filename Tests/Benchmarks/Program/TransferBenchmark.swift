import Glibc
import KeyDragCore
import KeyDragFiles
import SystemPackage

/// Copies and moves beside `cp` and `mv`: the whole engine, its journal included.
enum TransferBenchmark {
  /// A copy that is on the device when it is said to be there.
  static let copies = Benchmark(
    name: "copy", about: "copies of 10,000 small files and of a large one, flushed to the disk"
  ) {
    sizes, scratch in
    try kinds(sizes, scratch).flatMap { name, sources, atLeast in
      let bench = try TransferBench(scratch, sources: sources)
      return try [(TransferBench.Route.program, "program"), (.inProcess, "in process")].map {
        Figure.speed(
          "copy and flush, \(name), \($1)",
          try bench.pairs(sizes.pairs, $0, "copy", peer: bench.flushingPeer),
          peer: "cp -a && sync -f", atLeast: atLeast)
      }
    }
  }

  static let unflushed = Benchmark(
    name: "copy-unflushed", about: "the same without waiting for the disk"
  ) {
    sizes, scratch in
    let settings = scratch.path.appending("quick.yaml")
    try Scratch.write(Array("wait-for-disk: false\n".utf8), to: settings, times: 1)
    return try kinds(sizes, scratch).map { name, sources, _ in
      .speed(
        "copy without waiting for the disk, \(name), program",
        try TransferBench(scratch, sources: sources).pairs(
          sizes.pairs, .program, "copy", options: ["--config", settings.string],
          peer: ["cp", "-a"]),
        peer: "cp -a", atLeast: 1)
    }
  }

  private static func kinds(
    _ sizes: Sizes, _ scratch: Scratch
  ) throws -> [(name: String, sources: [FilePath], atLeast: Double)] {
    let folder = try scratch.folder("small-files", files: sizes.files, size: 4096)
    let file = try scratch.file("large.bin", size: sizes.large)
    return [
      (
        "\(sizes.files) files of 4 KiB",
        (0..<sizes.files).map { folder.appending(Scratch.name($0)) }, 0.8
      ), ("\(sizes.files) files of 4 KiB in one folder", [folder], 0.93),
      ("one file of \(sizes.large >> 20) MiB", [file], 0.96),
    ]
  }

  static let moves = Benchmark(name: "move-many", about: "a move of 10,000 files") {
    sizes, scratch in
    let folder = try scratch.folder("moving-files", files: sizes.files, size: 16)
    let files = (0..<sizes.files).map { folder.appending(Scratch.name($0)) }
    let bench = try TransferBench(scratch, sources: files)
    let name = "move, \(sizes.files) files, one file system"
    return [
      .pairs(
        "\(name), program", try bench.pairs(sizes.pairs, .program, "move", peer: ["mv"]),
        peer: "mv", atMost: 2),
      .pairs(
        "\(name), in process", try bench.pairs(sizes.pairs, .inProcess, "move", peer: ["mv"]),
        peer: "mv", atMost: 2),
    ]
  }
}

/// Sources that are delivered again and again.
private struct TransferBench {
  enum Route { case program, inProcess }

  let scratch: Scratch
  let sources: [FilePath]
  let program: String

  init(_ scratch: Scratch, sources: [FilePath]) throws {
    self.scratch = scratch
    self.sources = sources
    program = try Program.path()
  }

  private var target: FilePath { scratch.path.appending("target") }

  /// Takes what is to be copied, and the folder that takes it, as `cp` does.
  var flushingPeer: [String] {
    ["sh", "-c", "cp -a \"$@\" && sync -f '\(target)'", "sh"]
  }

  /// - Parameter options: more words for the program.
  func pairs(
    _ count: Int, _ route: Route, _ operation: String, options: [String] = [], peer: [String]
  ) throws -> Pairs {
    let target = target
    let words = sources.map(\.string)
    let isMove = operation == "move"
    func own() throws -> Double {
      switch route {
      case .program:
        try Child.run(
          [program, operation] + words + ["--to", target.string, "--speech", "off"] + options)
      case .inProcess: try deliver(isMove ? .move : .copy, to: target)
      }
    }
    // The first round of each warms the page cache and is thrown away.
    _ = try timed(target, isMove) { try Child.run(peer + words + [target.string]) }
    _ = try timed(target, isMove) { try own() }
    return try Pairs.measured(count) {
      try timed(target, isMove) { try own() }
    } peer: {
      try timed(target, isMove) { try Child.run(peer + words + [target.string]) }
    }
  }

  /// A new target before, everything that was moved back in its place after; neither is timed.
  private func timed(
    _ target: FilePath, _ isMove: Bool, _ body: () throws -> Double
  ) throws -> Double {
    try clear(target)
    flush()
    let time = try body()
    for source in [sources.first, sources.last].compactMap({ $0 }) {
      let arrived = target.appending(source.lastComponent.map { [$0] } ?? [])
      guard access(arrived.string, F_OK) == 0 else {
        throw BenchmarkError("\(arrived) did not arrive")
      }
    }
    if isMove { try goBack(from: target) }
    return time
  }

  /// Makes an empty target; what lies in the one before is kept, but for single large files.
  ///
  /// ext4 passes by each inode that was freed in the last seconds when it looks for one
  /// (`recently_deleted` in fs/ext4/ialloc.c): whoever makes 10,000 files after 10,000 were removed
  /// would pay many times over, and the order of the runs would decide.
  private func clear(_ target: FilePath) throws {
    var status = stat()
    let isLargeFile =
      stat(sources[0].string, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && sources.count == 1
    if !isLargeFile, access(target.string, F_OK) == 0 {
      let aside = scratch.path.appending("target-" + String(UInt64.random(in: 0 ... .max)))
      guard rename(target.string, aside.string) == 0 else {
        throw BenchmarkError("\(target) can't go aside: errno \(errno)")
      }
    }
    _ = try scratch.folder("target")
  }

  private func goBack(from target: FilePath) throws {
    for source in sources {
      let moved = target.appending(source.lastComponent.map { [$0] } ?? [])
      guard rename(moved.string, source.string) == 0 else {
        throw BenchmarkError("\(moved) can't go back: errno \(errno)")
      }
    }
  }

  private func flush() {
    sync()
  }

  private func deliver(_ operation: DragOperation, to target: FilePath) throws -> Double {
    let courier = JournaledCourier()
    let done = Arrivals<DeliveryResult>()
    let start = Clock.now
    let order = FileOrder(
      operation: operation, sources: sources, target: target, placeName: "target")
    courier.deliver(order, id: DeliveryID(1)) { event, _ in
      if case .finished(let result) = event { done.add(result) }
    }
    let result = done.next()
    let time = Clock.now - start
    courier.close()
    guard result.outcome == .delivered else { throw BenchmarkError("ended \(result.outcome)") }
    return time
  }
}
