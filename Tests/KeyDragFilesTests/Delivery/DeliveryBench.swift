import Dispatch
import Foundation
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

@testable import KeyDragFiles

/// Real folders for one test, with a courier, a journal and a trash of their own.
final class Bench: Sendable {
  let root: FilePath
  /// A folder on another file system, when this machine has one.
  let elsewhere: FilePath?
  let courier: JournaledCourier
  let journal: Journal
  let trash: TrashCan

  var a: FilePath { root.appending("A") }
  var b: FilePath { root.appending("B") }
  var state: FilePath { root.appending("state") }
  var home: FilePath { root.appending("trash") }

  /// - Parameter isOnDisk: `true` for a test of what the other file system is in memory, which has a
  ///   trash of its own.
  init(isOnDisk: Bool = false) throws {
    let name = "keydrag-test-\(RandomName.hexadecimal(12))"
    let disk = FilePath(FileManager.default.temporaryDirectory.path).appending(name)
    let memory = FilePath("/dev/shm").appending(name)
    // In memory, where no test waits for what the others have to write to the disk.
    (root, elsewhere) =
      !Self.hasOtherFileSystem ? (disk, nil) : isOnDisk ? (disk, memory) : (memory, disk)
    try StandardFolders.make(root.appending("A"))
    try StandardFolders.make(root.appending("B"))
    if let elsewhere { try StandardFolders.make(elsewhere) }
    journal = Journal(folder: root.appending("state"))
    trash = TrashCan(home: root.appending("trash"))
    courier = JournaledCourier(journal: journal, trash: trash)
  }

  deinit {
    courier.finish()
    for folder in [root, elsewhere].compactMap({ $0 }) {
      try? TreeRemover.remove(OpenedEntry(folder).place, forcing: true)
    }
  }

  /// Whether this machine can show moves between file systems.
  static var hasOtherFileSystem: Bool {
    (try? FileCalls.status("/dev/shm").identity.device)
      != (try? FileCalls.status(FilePath(FileManager.default.temporaryDirectory.path))
        .identity.device)
  }

  /// Whether small file systems can be mounted, to be full or read-only.
  static let canMount: Bool = {
    let folder = FilePath(FileManager.default.temporaryDirectory.path)
      .appending("keydrag-mount-\(RandomName.hexadecimal(12))")
    guard (try? StandardFolders.make(folder)) != nil else { return false }
    defer { folder.withPlatformString { _ = rmdir($0) } }
    let isMounted = folder.withPlatformString { mount("none", $0, "tmpfs", 0, "size=1m") } == 0
    if isMounted { folder.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    return isMounted
  }()

  func deliver(
    _ operation: DragOperation, _ sources: [FilePath], to target: FilePath? = nil,
    clash: ClashPolicy = .keepBoth, permanently: Bool = false
  ) async -> Delivered {
    let order = FileOrder(
      operation: operation, sources: sources, target: target ?? b, clash: clash, placeName: "B",
      permanently: permanently)
    return await deliver(order).result
  }

  func deliver(_ order: FileOrder) async -> (events: [DeliveryEvent], result: Delivered) {
    let (stream, continuation) = AsyncStream<(DeliveryEvent, [FilePath])>.makeStream()
    courier.deliver(order, id: DeliveryID(Int.random(in: 1...Int.max))) { event, landed in
      continuation.yield((event, landed))
      if case .finished = event { continuation.finish() }
    }
    var events: [DeliveryEvent] = []
    var result = Delivered(
      result: DeliveryResult(outcome: .unconfirmed, route: .files, delivered: 0), landed: [])
    for await (event, landed) in stream {
      events.append(event)
      if case .finished(let end) = event { result = Delivered(result: end, landed: landed) }
    }
    return (events, result)
  }

  func undo(_ entry: Int64? = nil) async -> HistoryResult {
    await courier.undo(entry: entry)
  }

  /// An undo as a run that is killed leaves it: under way, with nothing done yet.
  func beginUndo() throws -> EntryRecord {
    self.journal.close()
    let journal = Journal(folder: state)
    defer { journal.close() }
    guard case .claimed(let entry, var steps) = try journal.claim(nil, .undo) else {
      throw Reason.gone
    }
    steps[0].state = .undoing
    steps[0].begun = timespec.now.nanoseconds
    JournalWriter(journal, entry).rewrite(steps)
    return entry
  }

  func redo(_ entry: Int64? = nil) async -> HistoryResult {
    await courier.redo(entry: entry)
  }

  func recover(_ other: JournaledCourier? = nil) async -> [Recovery] {
    let courier = other ?? courier
    return await withCheckedContinuation { done in
      DispatchQueue(label: "keydrag.recovery").async {
        let recoveries = Mutex<[Recovery]>([])
        courier.observe { report in
          if case .recovered(let recovery) = report { recoveries.withLock { $0.append(recovery) } }
        }
        courier.recover(waiting: true)
        done.resume(returning: recoveries.withLock { $0 })
      }
    }
  }

  func history() async -> Result<[HistoryEntry], Reason> {
    await Result { [courier] () async throws(Reason) in try await courier.history(limit: 50) }
  }
}

/// What a delivery came to, with the final paths.
@dynamicMemberLookup
struct Delivered {
  var result: DeliveryResult
  var landed: [FilePath]

  subscript<Value>(dynamicMember path: KeyPath<DeliveryResult, Value>) -> Value {
    result[keyPath: path]
  }
}

extension FilePath {
  static func / (folder: FilePath, name: String) -> FilePath {
    FilePath(rawBytes: folder.rawBytes + Array("/\(name)".utf8))
  }

  @discardableResult
  func write(_ text: String) throws -> FilePath { try write(Array(text.utf8)) }

  @discardableResult
  func write(_ bytes: [UInt8]) throws -> FilePath {
    let file = try OwnedDescriptor(
      owning: FileCalls.checked {
        withPlatformString { Glibc.open($0, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644) }
      })
    var done = 0
    while done < bytes.count {
      done += try bytes[done...].withUnsafeBytes { rest in
        try FileCalls.checked { Glibc.write(file.raw, rest.baseAddress, rest.count) }
      }
    }
    return self
  }

  @discardableResult
  func makeFolder() throws -> FilePath {
    try StandardFolders.make(self)
    return self
  }

  /// The contents as text; `nil` when there is no such file.
  var text: String? { contents.map { String(decoding: $0, as: UTF8.self) } }

  var contents: [UInt8]? {
    guard let file = try? FileCalls.open(self, flags: O_RDONLY),
      let size = try? FileCalls.status(of: file.raw).size
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = read(file.raw, &bytes, bytes.count)
    return count == bytes.count ? bytes : nil
  }

  var exists: Bool { (try? FileCalls.status(self)) != nil }

  /// Names in the folder, hidden ones too, sorted.
  var names: [String] {
    guard let folder = try? OpenFolder(self), let names = try? FileCalls.names(in: folder.raw)
    else {
      return []
    }
    return names.map { String(decoding: $0.bytes, as: UTF8.self) }.sorted()
  }

  func setTimes(_ seconds: Int, _ nanoseconds: Int = 0) {
    let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    _ = withPlatformString { utimensat(AT_FDCWD, $0, [time, time], AT_SYMLINK_NOFOLLOW) }
  }
}
