import CHeap
import Glibc
import KeyDrag
import KeyDragFiles
import KeyDragTypes
import Synchronization
import SystemPackage

/// Items of a program: choosing a form, handing objects over, reading what is long.
enum ItemsBenchmark {
  static let benchmark = Benchmark(name: "items", about: "forms, objects and long data") {
    sizes, scratch in
    [try choosing(sizes), try await handing(sizes)] + (try await streaming(sizes, scratch))
  }

  // MARK: Choosing

  /// 1,000 items in 50 forms, each with a list of its own; the target knows the last.
  private static func choosing(_ sizes: Sizes) throws -> Figure {
    let items = (0..<1000).map { _ in (0..<50).map { "application/x-form-\($0)" } }
    let types = SystemContentTypes()
    var chosen = 0
    let times = (0..<max(sizes.pairs, 5)).map { _ in
      Clock.time {
        var choice = RepresentationChooser(
          accepted: ["text/plain", "application/x-form-49"], conforms: types.conforms)
        for item in items { chosen += choice.choose(item)?.index ?? 0 }
      }
    }
    guard chosen == times.count * 49_000 else { throw BenchmarkError("a wrong form: \(chosen)") }
    return .time("a form for each of 1,000 items in 50 forms", Median.of(times), atMost: 1e-3)
  }

  // MARK: Handing over

  private struct Payload: DragRepresentable, DropReadable {
    static let representedTypes = ["application/x-payload"]
    static let acceptedTypes = representedTypes
    let bytes: [UInt8]
    let suggestedName = "payload"

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(dragged data: [UInt8], contentType: String) { bytes = data }
    func represented(
      as contentType: String, progress: LoadProgress
    ) async throws -> [UInt8] { bytes }
  }

  /// 10,000 objects of 4 KiB each: memory that is held by what arrives, beside what was there.
  private static func handing(_ sizes: Sizes) async throws -> Figure {
    let count = sizes.files
    let providers = try (0..<count).map { number in
      try ItemProvider(Payload([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4096)))
    }
    let taken = Mutex<[Payload]>([])
    let point = DragHost.DropPoint("Point", accepting: Payload.self) { values, _ in
      taken.withLock { $0 = values }
    }
    let host = DragHost()
    let before = cheap_bytes_in_use()
    let start = Clock.now
    try await host.paste(providers, into: point)
    let time = Clock.now - start
    let held = Int(cheap_bytes_in_use()) - Int(before)
    guard taken.withLock({ $0.count }) == count else { throw BenchmarkError("not all arrived") }
    let payload = count * 4096
    return Figure(
      "\(count) objects of 4 KiB handed over in \(Text.time(time)): memory more",
      Text.megabytes(max(held, 0)), peer: "all payloads: \(Text.megabytes(payload))",
      target: "≤ a tenth of it", isMet: held * 10 <= payload)
  }

  // MARK: Reading what is long

  private static func streaming(_ sizes: Sizes, _ scratch: Scratch) async throws -> [Figure] {
    let types = SystemContentTypes()
    let made = try ItemProvider(
      suggestedName: "recording",
      representations: [
        Representation("application/x-recording", byteCount: sizes.large) {
          { offset, count in
            let rest = Int(max(sizes.large - offset, 0))
            return [UInt8](
              repeating: UInt8(truncatingIfNeeded: offset >> 16), count: min(count, rest))
          }
        }
      ])
    let folder = try scratch.folder("streamed")
    let path = folder.appending("large.bin")
    try sparse(path, sizes.large)
    let world = LiveWorld.make(folder)
    guard let source = world.source(at: path),
      let file = await world.prepare([source]).items.first,
      let read = ItemProvider(carried: file, as: file.types, from: world),
      let point = world.dropPoint(at: folder)
    else { throw BenchmarkError("no file") }
    let carried = DragItem(
      source: DragSourceID(1, of: .app), name: made.suggestedName, kind: .object,
      types: made.contentTypes, typeName: "", container: ContainerID(1), tree: nil)
    let order = DeliveryOrder(items: [carried], stop: DropStop(point), operation: .copy)
    return [
      try await figure("made by the program", sizes) {
        try await self.read(made, types, sizes.large)
      },
      try await figure("read from a file", sizes) { try await self.read(read, types, sizes.large) },
      try await figure("written to a folder", sizes) {
        let result = await withCheckedContinuation { done in
          world.deliver(DeliveryID(1), order, from: Carrier(made, types)) { event in
            if case .finished(let result) = event { done.resume(returning: result) }
          }
        }
        guard result.outcome == .delivered else { throw BenchmarkError("\(result)") }
      },
    ]
  }

  /// Gives one item of a program to the world that writes it.
  private final class Carrier: ItemLoading {
    private let item: ItemProvider

    init(_ item: ItemProvider, _ types: any ContentTypes) {
      self.item = item.opened(by: LoadGate(types: types))
    }

    func open(
      _ source: DragSourceID, as contentType: String, progress: LoadProgress
    ) async throws -> ItemStream {
      let pieces = Pieces(try item.chunks(of: contentType))
      return ItemStream(byteCount: nil) { try await pieces.next($0) }
    }

    func filePath(of source: DragSourceID) -> [UInt8]? { nil }
  }

  private actor Pieces {
    private var chunks: ByteChunks.Iterator

    init(_ chunks: ByteChunks) { self.chunks = chunks.makeAsyncIterator() }

    func next(_ most: Int) async throws -> [UInt8] {
      var chunks = chunks
      defer { self.chunks = chunks }
      return try await chunks.next(isolation: self) ?? []
    }
  }

  private static func figure(
    _ what: String, _ sizes: Sizes, _ work: () async throws -> Void
  ) async throws -> Figure {
    // The peak counts from here on.
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0, Glibc.write(descriptor, "5", 1) == 1 else {
      throw BenchmarkError("the peak of memory can't be set back")
    }
    close(descriptor)
    let before = try memory("VmRSS")
    let start = Clock.now
    try await work()
    let time = Clock.now - start
    let more = try memory("VmHWM") - before
    return Figure(
      "\(Text.megabytes(Int(sizes.large))) \(what) in \(Text.time(time)): memory more",
      Text.megabytes(max(more, 0)), target: "≤ 16 MB", isMet: more <= 16 << 20)
  }

  private static func read(
    _ provider: ItemProvider, _ types: any ContentTypes, _ length: Int64
  ) async throws {
    let item = provider.opened(by: LoadGate(types: types))
    var count: Int64 = 0
    for try await piece in try item.chunks(of: item.contentTypes[0]) { count += Int64(piece.count) }
    guard count == length else { throw BenchmarkError("\(count) bytes came") }
  }

  private static func sparse(_ path: FilePath, _ length: Int64) throws {
    let descriptor = open(path.string, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw BenchmarkError("no file") }
  }

  /// A line of the kernel's account of this process, in bytes.
  private static func memory(_ field: String) throws -> Int {
    let text = ProcessFile.read("/proc/self/status")
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(field):") }),
      let number = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { throw BenchmarkError("no \(field)") }
    return number * 1024
  }
}
