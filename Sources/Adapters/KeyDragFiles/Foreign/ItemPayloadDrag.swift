import KeyDragCore
import Synchronization
import SystemPackage

/// The items of one drag, from the first query to the end of the drop.
///
/// While programs are queried they see the available forms but no contents, except the future paths
/// of files, which file managers read before they answer.
///
/// Made by ``ItemPayload`` at each pick-up. In a drop each form is loaded once for all readers, by
/// tasks that finish on any thread. Provides nothing once it is over.
final class ItemPayloadDrag: Sendable {
  private enum Phase {
    /// `asking` provides paths at most, `dropping` provides contents, `over` provides nothing.
    case asking, dropping, over
  }

  private struct Supply {
    var phase = Phase.asking
    var loading: any ItemLoading
    /// Whether a program has requested the URI list.
    var hasRequestedPaths = false
    /// The beginning of each form given, which the target's field may show afterwards.
    var given: [String: [UInt8]] = [:]
    /// The first failure; later ones follow from it.
    var trouble: Reason?
    /// By form; for the drop only.
    var loads: [String: Task<[UInt8]?, Never>] = [:]
    /// Paths of the files, without contents.
    var folders: Task<[FilePath], any Error>?
    /// The same files, with contents.
    var writing: Task<[FilePath], any Error>?
  }

  /// One item and the file it becomes, fixed at pick-up.
  private struct Part: Sendable {
    var item: DragItem
    /// Content types available to other programs, best first.
    var types: [String]
    /// The content type that conforms to plain text.
    var text: String?
    /// The path of an item that is already a file.
    var path: FilePath?
    /// `nil` if the item can't become a file.
    var file: ItemFile?
  }

  /// With ids of `DragSourceID` owner `held`, for other programs.
  let items: [DragItem]
  /// With the owner's ids.
  let originals: [DragItem]
  /// Which items are files already, by index; no files are made for them.
  var areFiles: [Bool] { parts.map { $0.path != nil } }
  private let parts: [Part]
  private let files: OutgoingFiles
  private let share: OutgoingFiles.Share
  private let types: any ContentTypes
  private let state: Mutex<Supply>

  private static let list = "text/uri-list"
  /// In bytes; longer text is not searched for at the target.
  private static let mostKept = 65_536
  private static let texts = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]

  /// - Parameters:
  ///   - items: with ids of this drag.
  ///   - originals: with the ids that `loading` knows, in the same order.
  init(
    _ items: [DragItem], _ originals: [DragItem], _ loading: any ItemLoading,
    _ types: any ContentTypes, _ files: OutgoingFiles
  ) {
    self.items = items
    self.originals = originals
    self.files = files
    share = files.share()
    self.types = types
    let parts = originals.map { item in
      let path = loading.filePath(of: item.source).map { FilePath(rawBytes: $0) }
      // Object types are only for drop points of the same program.
      let all = loading.typesForEveryone(of: item).filter { $0 != ItemProvider.objectType }
      // An item's own URI list must not pass for the list of its files.
      let others = all.filter { $0 != Self.list || path != nil }
      let offered = others.isEmpty ? all : others
      let provider = ItemProvider(carried: item, as: offered, from: loading)
      return Part(
        item: item, types: provider?.contentTypes ?? [],
        text: offered.first { $0 == "text/plain" }
          ?? offered.first { types.conforms($0, to: "text/plain") },
        path: path,
        file: provider.flatMap { ItemFile(for: $0, types) })
    }
    self.parts = Self.numbered(parts)
    state = Mutex(Supply(loading: loading))
  }

  /// Makes names unique within the drop, as ``FreeName`` does on disk.
  private static func numbered(_ parts: [Part]) -> [Part] {
    var taken = Set(parts.compactMap { $0.path?.name })
    var tried: [FileName: Int] = [:]
    return parts.map { part in
      guard part.path == nil, let file = part.file else { return part }
      let wished = FileName(file.name)
      let name = FreeName.choose(wished, after: &tried[wished, default: 0]) { taken.contains($0) }
      taken.insert(name)
      var part = part
      part.file?.name = String(decoding: name.bytes, as: UTF8.self)
      return part
    }
  }

  /// Whether it has neither been dropped nor failed.
  var isUsable: Bool { state.withLock { $0.phase == .asking && $0.trouble == nil } }

  /// Replaces the source of the contents; each query passes a new one.
  func load(from loading: any ItemLoading) { state.withLock { $0.loading = loading } }

  var given: [String: [UInt8]] { state.withLock { $0.given } }

  var trouble: Reason? { state.withLock { $0.trouble } }

  // MARK: Forms

  private var names: [String] {
    var names: [String] = []
    let areFiles = parts.allSatisfy { $0.path != nil }
    if areFiles { return [Self.list] + Self.texts }
    // Several items can be joined only as one text or a list of files.
    if parts.count == 1 { names += parts[0].types.filter { $0 != Self.list } }
    if parts.allSatisfy({ $0.text != nil }) { names += Self.texts }
    if parts.allSatisfy({ $0.path != nil || $0.file != nil }) { names.append(Self.list) }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Forms offered to programs; each is loaded on request.
  var forms: [DragForm] {
    names.map { name in
      DragForm(name) { [self] in await bytes(of: name) }
    }
  }

  /// `nil` if nothing may be provided now or loading has failed.
  private func bytes(of name: String) async -> [UInt8]? {
    let load = state.withLock { state -> Task<[UInt8]?, Never>? in
      if let load = state.loads[name] { return load }
      switch state.phase {
      case .over: return nil
      case .asking where name == Self.list: state.hasRequestedPaths = true
      // Contents are not loaded for a drop that may not happen.
      case .asking where parts.contains { $0.path == nil }: return nil
      case .asking, .dropping: break
      }
      let isAsking = state.phase == .asking
      let load = Task { await loaded(name, isAsking: isAsking) }
      // A query's bytes are not cached: the drop provides them again, with real files.
      if !isAsking { state.loads[name] = load }
      return load
    }
    return await load?.value
  }

  /// Loads one form. Records a failure and returns `nil`, since programs receive no reasons.
  private func loaded(_ name: String, isAsking: Bool) async -> [UInt8]? {
    do {
      var bytes: [UInt8]
      if name == Self.list {
        bytes = FileList.uriList(isAsking ? try await places() : try await written())
      } else if parts.allSatisfy({ $0.path != nil }) {
        bytes = FileList.text(parts.compactMap(\.path))
      } else if Self.texts.contains(name) {
        bytes = try await text()
      } else {
        bytes = []
        try await append(parts[0], as: name, to: &bytes)
      }
      // Keeps only forms that a text field can show, for the check afterwards.
      if name == Self.list || Self.texts.contains(name) {
        let kept = Array(bytes.prefix(Self.mostKept))
        state.withLock { $0.given[name] = kept }
      }
      return bytes
    } catch {
      fail(error)
      return nil
    }
  }

  private func fail(_ error: any Error) {
    let reason = error is CancellationError ? Reason.interrupted : Reason(error)
    state.withLock { $0.trouble = $0.trouble ?? reason }
  }

  /// All items as text, separated by newlines.
  private func text() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(10) }
      try await append(part, as: part.text ?? "text/plain", to: &bytes)
    }
    return bytes
  }

  /// - Throws: ``Reason/tooBig`` as soon as the total exceeds the load limit.
  private func append(_ part: Part, as type: String, to bytes: inout [UInt8]) async throws {
    let loading = state.withLock { $0.loading }
    let stream = try await loading.open(
      part.item.source, as: type, progress: LoadProgress())
    while true {
      let piece = try await stream.next(ByteChunks.longest)
      if piece.isEmpty { return }
      bytes += piece
      guard Int64(bytes.count) <= ItemProvider.longestLoad else { throw Reason.tooBig }
    }
  }

  // MARK: Files

  /// The files' paths, now or once dropped.
  private func places() async throws -> [FilePath] {
    let task = state.withLock { state in
      let task =
        state.folders
        ?? Task { [parts, files, share] in
          try await Disk.run {
            try parts.map { part in
              if let path = part.path { return path }
              guard let file = part.file else { throw Reason.wrongType }
              return try files.makeFolder(for: share).appending(FileName(file.name))
            }
          }
        }
      state.folders = task
      return task
    }
    return try await task.value
  }

  /// The same files with contents, written once on the first request; ``close()`` cancels it.
  private func written() async throws -> [FilePath] {
    let task = state.withLock { state in
      let task = state.writing ?? Task { try await write(to: try await places()) }
      state.writing = task
      return task
    }
    return try await task.value
  }

  /// Shutdown waits for it, see ``OutgoingFiles/beginWriting()``.
  private func write(to paths: [FilePath]) async throws -> [FilePath] {
    try files.beginWriting()
    let result: Result<[FilePath], any Error>
    do {
      result = .success(try await fill(paths))
    } catch {
      result = .failure(error)
    }
    // On failure too, otherwise shutdown would wait in vain.
    try await Disk.run { [files] in files.endWriting() }
    return try result.get()
  }

  /// Writes files in order and stops at the first failure. Earlier files stay until the private
  /// folder is cleaned.
  private func fill(_ paths: [FilePath]) async throws -> [FilePath] {
    let loading = state.withLock { $0.loading }
    let gate = LoadGate(types: types)
    defer { gate.close() }
    var result: [FilePath] = []
    for (part, path) in zip(parts, paths) {
      guard part.path == nil else {
        result.append(path)
        continue
      }
      guard let file = part.file,
        let provider = ItemProvider(carried: part.item, as: part.types, from: loading)
      else { throw Reason.gone }
      let chunks = try provider.opened(by: gate).chunks(of: file.contentType)
      result.append(try await fill(path, with: chunks))
    }
    return result
  }

  /// Writes under a hidden name and renames the complete file.
  private func fill(_ path: FilePath, with chunks: ByteChunks) async throws -> FilePath {
    guard let wished = path.lastComponent else { throw Reason.gone }
    let folder = path.folder
    let target = try await Disk.run { try PartFile(in: OpenFolder(folder)) }
    let count: Int64
    do {
      count = try await target.fill(chunks)
    } catch {
      // The caller removes the folder, which must be empty.
      try await Disk.run { target.discard() }
      throw error
    }
    return try await Disk.run { [files] in
      let name = try target.finish(as: FileName(wished), count: count) {
        files.note($0, $1, in: folder)
      }
      return folder.appending(name)
    }
  }

  /// The files with contents; `nil` outside a drop or on failure, which is recorded as ``trouble``.
  func writtenFiles() async -> [FilePath]? {
    guard state.withLock({ $0.phase == .dropping }) else { return nil }
    do {
      return try await written()
    } catch {
      fail(error)
      return nil
    }
  }

  // MARK: The drop

  /// Starts the drop, from which contents are loaded. Writes the files at once if a program has
  /// already requested their paths, because it may read them without asking again.
  ///
  /// - Throws: `Reason.interrupted` if the drop has started or is over, otherwise why the files
  ///   could not be written. The drop must be cancelled then.
  func open() async throws(Reason) {
    let hasRequestedPaths = state.withLock { state -> Bool? in
      guard state.phase == .asking else { return nil }
      state.phase = .dropping
      return state.hasRequestedPaths
    }
    guard let hasRequestedPaths else { throw .interrupted }
    guard hasRequestedPaths else { return }
    _ = await writtenFiles()
    if let trouble { throw trouble }
  }

  /// Cancels all loads and drops their results. Idempotent. Written files stay, because a program
  /// may still read them.
  func close() {
    let (loads, writing) = state.withLock { state in
      state.phase = .over
      defer { state.loads = [:] }
      return (Array(state.loads.values), state.writing)
    }
    for load in loads { load.cancel() }
    writing?.cancel()
  }

  func settle() { files.settle(share) }
}
