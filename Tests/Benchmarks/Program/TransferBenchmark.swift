import Glibc
import KeyDragCore
import KeyDragFiles
import SystemPackage

/// Copies and moves beside `cp` and `mv`: the whole engine, its journal included.
enum TransferBenchmark {
  static let large = Benchmark(name: "copy-large", about: "a copy of one large file") {
    sizes, scratch in
    let file = try scratch.file("large.bin", size: sizes.large)
    let bench = try TransferBench(scratch, sources: [file])
    let name = "copy, one file of \(sizes.large >> 20) MiB"
    return [
      .speed(
        "\(name), program", try bench.pairs(sizes.pairs, .program, "copy", peer: ["cp"]),
        peer: "cp", atLeast: 0.95),
      .speed(
        "\(name), in process", try bench.pairs(sizes.pairs, .inProcess, "copy", peer: ["cp"]),
        peer: "cp", atLeast: 0.95),
    ]
  }

  static let copies = Benchmark(name: "copy-many", about: "a copy of 10,000 small files") {
    sizes, scratch in
    let folder = try scratch.folder("small-files", files: sizes.files, size: 4096)
    let files = (0..<sizes.files).map { folder.appending(Scratch.name($0)) }
    let list = try TransferBench(scratch, sources: files)
    let tree = try TransferBench(scratch, sources: [folder])
    let name = "copy, \(sizes.files) files of 4 KiB"
    return [
      .speed(
        "\(name), program", try list.pairs(sizes.pairs, .program, "copy", peer: ["cp", "-a"]),
        peer: "cp -a", atLeast: 0.8),
      .speed(
        "\(name), in process", try list.pairs(sizes.pairs, .inProcess, "copy", peer: ["cp", "-a"]),
        peer: "cp -a", atLeast: 0.8),
      .speed(
        "\(name) in one folder, program",
        try tree.pairs(sizes.pairs, .program, "copy", peer: ["cp", "-a"]), peer: "cp -a",
        atLeast: 0.8),
    ]
  }

  /// A copy that is on the device when it is said to be there, and one that need not be.
  static let lasting = Benchmark(name: "copy-lasting", about: "copies flushed to the disk, or not")
  {
    sizes, scratch in
    let folder = try scratch.folder("lasting-files", files: sizes.files, size: 4096)
    let file = try scratch.file("lasting.bin", size: sizes.large)
    let settings = scratch.path.appending("quick.yaml")
    try Scratch.write(Array("wait-for-disk: false\n".utf8), to: settings, times: 1)
    let kinds = [
      (
        "\(sizes.files) files of 4 KiB",
        (0..<sizes.files).map { folder.appending(Scratch.name($0)) }
      ),
      ("\(sizes.files) files of 4 KiB in one folder", [folder]),
      ("one file of \(sizes.large >> 20) MiB", [file]),
    ]
    return try kinds.flatMap { name, sources in
      let bench = try TransferBench(scratch, sources: sources)
      return [
        Figure.speed(
          "copy and flush, \(name), program",
          try bench.pairs(sizes.pairs, .program, "copy", peer: bench.flushingPeer),
          peer: "cp -a && sync -f", atLeast: 0.8),
        .speed(
          "copy without waiting for the disk, \(name), program",
          try bench.pairs(
            sizes.pairs, .program, "copy", options: ["--config", settings.string],
            peer: ["cp", "-a"]),
          peer: "cp -a", atLeast: 1),
      ]
    }
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
