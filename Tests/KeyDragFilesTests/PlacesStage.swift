import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

@testable import KeyDragFiles

/// A folder of a test's own, gone with the test.
final class Scratch: Sendable {
  let path: FilePath

  init(in parent: String = "/tmp") throws {
    var template = Array("\(parent)/keydrag-places-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Errno(rawValue: errno) }
    path = FilePath(platformString: made)
  }

  deinit { Self.clear(path) }

  /// Makes permission bits bind this process, which they don't for root. For exit tests only.
  static func bindPermissions() throws {
    guard geteuid() != 0 || setuid(65_534) == 0 else { throw Errno(rawValue: errno) }
  }

  /// By bytes, because a test's names need not be UTF-8; links are removed, not followed.
  private static func clear(_ path: FilePath) {
    _ = path.withPlatformString { chmod($0, 0o700) }
    if case .success(let snapshot) = FolderReader.read(path, includingHidden: true) {
      for index in 0..<snapshot.count {
        let entry = path.appending(bytes: snapshot.withName(index) { Array($0) })
        if snapshot.kinds[index] == .folder {
          clear(entry)
        } else {
          _ = entry.withPlatformString { unlink($0) }
        }
      }
    }
    for name in [".keydrag-0a1b.part", ".keydrag-77.part"] {
      _ = path.appending(name).withPlatformString { unlink($0) }
    }
    _ = path.withPlatformString { rmdir($0) }
  }

  @discardableResult
  func folder(_ name: String) throws -> FilePath { try folder(Array(name.utf8)) }

  @discardableResult
  func folder(_ name: [UInt8]) throws -> FilePath {
    let made = path.appending(bytes: name)
    try check(made.withPlatformString { mkdir($0, 0o755) })
    return made
  }

  @discardableResult
  func file(_ name: String, _ contents: String = "") throws -> FilePath {
    try file(Array(name.utf8), contents)
  }

  @discardableResult
  func file(_ name: [UInt8], _ contents: String = "") throws -> FilePath {
    let made = path.appending(bytes: name)
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = made.withPlatformString { open($0, flags, 0o644) }
    try check(descriptor)
    defer { close(descriptor) }
    var bytes = Array(contents.utf8)
    try check(Int32(truncatingIfNeeded: write(descriptor, &bytes, bytes.count)))
    return made
  }

  @discardableResult
  func link(_ name: String, to target: String) throws -> FilePath {
    let made = path.appending(name)
    try check(made.withPlatformString { symlink(target, $0) })
    return made
  }

  func check(_ result: Int32) throws {
    guard result >= 0 else { throw Errno(rawValue: errno) }
  }
}

/// Everything a world reported by itself, and whoever waits for it.
final class Reports: Sendable {
  private struct State {
    var unread: [WorldReport] = []
    var waiter: (@Sendable (WorldReport) -> Void)?
  }

  private let state = Mutex(State())

  func add(_ report: WorldReport) {
    let waiter = state.withLock { state -> (@Sendable (WorldReport) -> Void)? in
      guard let waiter = state.waiter else {
        state.unread.append(report)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?(report)
  }

  /// The next report, waited for as long as the test's time limit lets it.
  func next() async -> WorldReport {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> WorldReport? in
        if state.unread.isEmpty {
          state.waiter = { continuation.resume(returning: $0) }
          return nil
        }
        return state.unread.removeFirst()
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  /// The source that appears in the next report, when that is all it says.
  func nextAppearance() async -> DragSourceDescriptor? {
    guard case .changed(let changes) = await next(), changes.count == 1,
      case .sourceAppeared(let source, _)? = changes.first
    else { return nil }
    return source
  }

  /// The next single changes, until one is met that the test waits for.
  func changes(until isLast: (RegistryChange) -> Bool) async -> [RegistryChange] {
    var all: [RegistryChange] = []
    while true {
      guard case .changed(let changes) = await next() else { continue }
      all += changes
      if changes.contains(where: isLast) { return all }
    }
  }
}

/// Delivers nothing; remembers what was ordered.
final class IdleDelivery: FileDelivering {
  let drops = Mutex<[FileOrder]>([])
  /// The entries that the rest of a drop was to be written into.
  let entries = Mutex<[Int64?]>([])
  let cancels = Mutex<[DeliveryID]>([])
  /// Called when the rest of a drop is to be written, which then ends with a cancel only.
  let writing = Mutex<(@Sendable () -> Void)?>(nil)
  private let waiting = Mutex<(@Sendable () -> Void)?>(nil)
  /// What the next drop ends with.
  let ending = Mutex<@Sendable (FileOrder) -> (DeliveryResult, [FilePath])>({ order in
    var result = DeliveryResult(
      outcome: .delivered, route: .files, delivered: order.sources.count)
    result.entry = 7
    return (result, order.sources.compactMap(\.lastComponent).map { order.target.appending($0) })
  })

  func deliver(_ order: FileOrder, id: DeliveryID, events: @escaping FileDeliveryReceiver) {
    drops.withLock { $0.append(order) }
    events(.started(DeliveryProgress()), [])
    let (result, landed) = ending.withLock { $0 }(order)
    events(.finished(result), landed)
  }

  func write(_ drop: ItemDrop, id: DeliveryID, events: @escaping FileDeliveryReceiver) {
    entries.withLock { $0.append(drop.entry) }
    let count = drop.items.count
    @Sendable func end() {
      events(
        .finished(DeliveryResult(outcome: .delivered, route: .files, delivered: count)), [])
    }
    guard let begun = writing.withLock({ $0 }) else { return end() }
    begun()
    waiting.withLock { $0 = end }
  }

  func cancel(_ id: DeliveryID) {
    cancels.withLock { $0.append(id) }
    waiting.withLock { $0 }?()
  }

  func undo(entry: Int64?) async -> HistoryResult { .nothing }
  func redo(entry: Int64?) async -> HistoryResult { .nothing }
  func cancelHistory() {}
  func history(limit: Int) async throws(Reason) -> [HistoryEntry] { [] }
  func recentTargets() -> [FilePath] { [] }
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {}
  func close(until end: DispatchTime) {}
}

/// Knows two suffixes and, where the contents are shown to it, text.
struct PlainTypes: ContentTypes {
  func type(forName name: String, head: [UInt8]?) -> String {
    if name.hasSuffix(".txt") { return "text/plain" }
    if name.hasSuffix(".png") { return "image/png" }
    return head?.starts(with: Array("hello".utf8)) == true
      ? "text/plain" : "application/octet-stream"
  }

  func conforms(_ type: String, to other: String) -> Bool { type == other }

  func name(of type: String) -> String {
    ["text/plain": "text document", "inode/directory": "folder"][type] ?? "file"
  }
}

/// One program for plain text; remembers what it was started with.
final class OneProgram: ProgramStarting {
  let started = Mutex<[[[UInt8]]]>([])

  func defaultProgram(for type: String) -> (id: String, name: String)? {
    type == "text/plain" ? ("reader.desktop", "Reader") : nil
  }

  func start(_ program: String, with paths: [[UInt8]]) -> Reason? {
    started.withLock { $0.append(paths) }
    return nil
  }
}

/// A world over scratch folders, asked as a session asks it.
struct PlacesStage: Sendable {
  let world: FilesWorld
  let reports = Reports()
  let delivery = IdleDelivery()
  let program = OneProgram()

  init(
    _ roots: [FilePath], clipboard: ClipboardPayload? = nil,
    canTrash: @escaping @Sendable (FilePath) -> Reason? = { _ in nil },
    delivering: (any FileDelivering)? = nil
  ) {
    world = FilesWorld(
      roots: roots, types: PlainTypes(), programs: program, delivering: delivering ?? delivery,
      clipboard: clipboard,
      canTrash: canTrash)
    world.observe { [reports] in reports.add($0) }
  }

  /// The last answer to a request: the one after which no other comes.
  func answer(_ request: WorldRequest) async -> WorldReport {
    await withCheckedContinuation { continuation in
      world.perform(request, id: RequestID(1)) { report in
        switch report {
        case .counted, .answering, .delivery(_, .started), .delivery(_, .progressed): break
        default: continuation.resume(returning: report)
        }
      }
    }
  }

  func list(_ index: Int = 0, includingHidden: Bool = false) async throws -> Listing {
    try await listing(.list(.container(world.roots[index].id), includingHidden: includingHidden))
  }

  func listing(_ request: WorldRequest) async throws -> Listing {
    switch await answer(request) {
    case .listed(_, let listing): return listing
    case .unreadable(_, _, let reason): throw reason
    default: throw Reason.unknown
    }
  }

  func prepare(_ sources: [DragSourceDescriptor]) async throws -> PreparedItems {
    guard case .prepared(_, let preparation) = await answer(.prepare(sources.map(\.id))) else {
      throw Reason.unknown
    }
    return preparation
  }

  func ask(
    _ items: [DragItem], at points: [DropPointDescriptor], wish: DragOperation? = nil,
    isFinal: Bool = false
  ) async throws -> [DropProposal] {
    let inquiry = ProposalRequest(
      items: items, wish: wish, stops: points.map { DropStop($0.id) }, isFinal: isFinal)
    guard case .answered(_, let answers) = await answer(.ask(inquiry)) else {
      throw Reason.unknown
    }
    return answers.map(\.proposal)
  }
}

extension Listing {
  func source(_ name: String) throws -> DragSourceDescriptor {
    guard let found = sources?.first(where: { $0.name == name }) else { throw Reason.gone }
    return found
  }

  func point(_ name: String) throws -> DropPointDescriptor {
    guard let found = dropPoints?.first(where: { $0.name == name }) else { throw Reason.gone }
    return found
  }

  var names: [String] { sources?.map(\.name) ?? [] }
}
