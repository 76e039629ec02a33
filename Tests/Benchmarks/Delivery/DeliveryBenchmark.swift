import Dispatch
import Foundation
import Glibc
import KeyDragCore
import KeyDragFiles
import Synchronization
import SystemPackage

/// Deliveries beside the programs of coreutils that do the same, in turns, in one run, with the page
/// cache warm and the journal included.
public struct DeliveryBenchmark {
  /// One comparison: the medians of both, in seconds.
  public struct Row {
    public var name: String
    public var own: Double
    public var other: Double

    /// How many times as fast as the other program.
    public var speed: Double { other / own }
  }

  private let root: URL
  private let pairs: Int

  /// - Parameters:
  ///   - folder: an empty folder with 4 GiB to spare; it is removed by whoever made it.
  ///   - pairs: how often each comparison is made.
  public init(folder: URL, pairs: Int = 7) throws {
    root = folder
    self.pairs = pairs
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  /// All comparisons, in the order of the issue that asks for them.
  public func run() throws -> [Row] {
    [try largeFile(), try smallFiles(), try smallFilesOneByOne(), try moves()]
  }

  /// One file of 1 GiB, against `cp`.
  public func largeFile() throws -> Row {
    let source = root.appending(path: "large")
    try fill(source, bytes: 1 << 30)
    defer { remove(source) }
    let row = try compare("copy 1 GiB, cp") { target, isOwn in
      isOwn
        ? try deliver(.copy, [source], target) : try command("/bin/cp", [source.path, target.path])
    }
    return row
  }

  /// One folder with 10,000 files of 4 KiB, against `cp -a`.
  public func smallFiles() throws -> Row {
    let source = root.appending(path: "small")
    try fill(folder: source, count: 10_000, bytes: 4096)
    defer { remove(source) }
    return try compare("copy 10,000 × 4 KiB in a folder, cp -a") { target, isOwn in
      isOwn
        ? try deliver(.copy, [source], target)
        : try command("/bin/cp", ["-a", source.path, target.path])
    }
  }

  /// The same files picked up one by one.
  public func smallFilesOneByOne() throws -> Row {
    let source = root.appending(path: "small")
    try fill(folder: source, count: 10_000, bytes: 4096)
    defer { remove(source) }
    let files = try contents(source)
    return try compare("copy 10,000 × 4 KiB one by one, cp -a") { target, isOwn in
      isOwn
        ? try deliver(.copy, files, target)
        : try command("/bin/cp", ["-a", "-t", target.path] + files.map(\.path))
    }
  }

  /// 10,000 files picked up one by one and moved within one file system, against `mv`.
  public func moves() throws -> Row {
    var here = root.appending(path: "here")
    try fill(folder: here, count: 10_000, bytes: 16)
    defer { remove(here) }
    return try compare("move 10,000 one by one, mv", keepingTarget: true) { target, isOwn in
      let files = try contents(here)
      let time =
        isOwn
        ? try deliver(.move, files, target)
        : try command("/bin/mv", ["-t", target.path] + files.map(\.path))
      try FileManager.default.removeItem(at: here)
      here = target
      return time
    }
  }

  // MARK: Pairs

  private func compare(
    _ name: String, keepingTarget: Bool = false, _ once: (URL, Bool) throws -> Double
  ) throws -> Row {
    var own: [Double] = []
    var other: [Double] = []
    for round in 0...pairs {
      for isOwn in [round.isMultiple(of: 2), !round.isMultiple(of: 2)] {
        let target = root.appending(path: "target-\(round)-\(isOwn)")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        sync()
        let time = try once(target, isOwn)
        if !keepingTarget { remove(target) }
        // The first pair warms the caches.
        if round > 0 { if isOwn { own.append(time) } else { other.append(time) } }
      }
    }
    return Row(name: name, own: median(own), other: median(other))
  }

  private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

  private func deliver(
    _ operation: DragOperation, _ sources: [URL], _ target: URL
  ) throws -> Double {
    let order = FileOrder(
      operation: operation, sources: sources.map { FilePath($0.path) },
      target: FilePath(target.path), placeName: "target")
    let courier = JournaledCourier(
      folder: FilePath(root.appending(path: "state").path),
      trash: TrashCan(home: FilePath(root.appending(path: "trash").path)))
    let isDelivered = Atomic(false)
    let begun = DispatchTime.now().uptimeNanoseconds
    courier.deliver(order, id: DeliveryID(1)) { event, _ in
      guard case .finished(let result) = event else { return }
      isDelivered.store(result.outcome == .delivered, ordering: .relaxed)
    }
    courier.finish()
    let time = Double(DispatchTime.now().uptimeNanoseconds - begun) / 1e9
    guard isDelivered.load(ordering: .relaxed) else { throw CocoaError(.fileWriteUnknown) }
    return time
  }

  private func command(_ path: String, _ words: [String]) throws -> Double {
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    let begun = DispatchTime.now().uptimeNanoseconds
    var child = pid_t()
    guard posix_spawn(&child, path, nil, nil, arguments, environ) == 0 else {
      throw CocoaError(.executableNotLoadable)
    }
    var status: CInt = 0
    waitpid(child, &status, 0)
    guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
    return Double(DispatchTime.now().uptimeNanoseconds - begun) / 1e9
  }

  // MARK: Files

  private func contents(_ folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appending(path: $0) }
  }

  private func fill(folder: URL, count: Int, bytes: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<count {
      try fill(folder.appending(path: "file \(number)"), bytes: bytes)
    }
  }

  private func fill(_ file: URL, bytes: Int) throws {
    guard let stream = fopen(file.path, "w") else { throw CocoaError(.fileWriteUnknown) }
    defer { fclose(stream) }
    let block = (0..<min(bytes, 1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    for _ in 0..<max(1, bytes / block.count) { fwrite(block, 1, block.count, stream) }
  }

  private func remove(_ place: URL) { try? FileManager.default.removeItem(at: place) }
}
