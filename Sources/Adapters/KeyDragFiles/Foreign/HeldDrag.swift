import KeyDragCore
import Synchronization
import SystemPackage

/// The items carried at one time, from the first question to the end of their drop.
///
/// While programs are asked they learn which forms there are, and nothing of the contents: of files
/// the paths where they will be, since file managers want to see them before they answer.
///
/// Made by ``HeldItems`` for each pick-up. In a drop each form is loaded once, for all who ask.
/// Loads are tasks, whose results come on any thread. Once it is over, it gives nothing.
final class HeldDrag: Sendable {
  private enum Phase {
    /// Asking gives paths at most, dropping gives contents, over gives nothing.
    case asking, dropping, over
  }

  /// Everything behind the lock.
  private struct Supply {
    var phase = Phase.asking
    /// The giver of the contents.
    var loading: any ItemLoading
    /// Whether a program has asked where the files are.
    var isListWanted = false
    /// By form, its beginning: what a target may show of it afterwards.
    var given: [String: [UInt8]] = [:]
    /// The first failure; later ones follow from it.
    var trouble: Reason?
    /// By form; only for the drop.
    var loads: [String: Task<[UInt8]?, Never>] = [:]
    /// The paths of files, made once.
    var folders: Task<[FilePath], any Error>?
    /// The same files with contents, written once.
    var writing: Task<[FilePath], any Error>?
  }

  /// One item, and what it becomes.
  ///
  /// Fixed at the pick-up.
  private struct Part: Sendable {
    var item: DragItem
    /// Content types that programs may be given, best first.
    var types: [String]
    /// The form that can be read as text.
    var text: String?
    /// The path of an item that is a file already.
    var path: FilePath?
    /// The file it becomes; `nil` where it can't become any.
    var file: ItemFile?
  }

  /// As they are known to who asks and drops.
  ///
  /// Their numbers are of `DragSourceID` owner `held`.
  let items: [DragItem]
  /// As they are known to who holds them.
  let originals: [DragItem]
  /// Which of them are files of their own, and are not made for programs.
  ///
  /// By index.
  var areFiles: [Bool] { parts.map { $0.path != nil } }
  private let parts: [Part]
  private let files: GivenFiles
  /// All files of this drag.
  private let share: GivenFiles.Share
  private let types: any ContentTypes
  private let state: Mutex<Supply>

  private static let list = "text/uri-list"
  /// More of a text is looked for at no target.
  ///
  /// In bytes.
  private static let mostKept = 65_536
  private static let texts = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]

  /// - Parameters:
  ///   - items: with the numbers that others know.
  ///   - originals: with the numbers that `loading` knows, in the same order.
  init(
    _ items: [DragItem], _ originals: [DragItem], _ loading: any ItemLoading,
    _ types: any ContentTypes, _ files: GivenFiles
  ) {
    self.items = items
    self.originals = originals
    self.files = files
    share = files.share()
    self.types = types
    let parts = originals.map { item in
      let path = loading.filePath(of: item.source).map { FilePath(bytes: $0) }
      // Some forms are for drop points of the same program alone.
      let all = loading.typesForEveryone(of: item).filter { $0 != ItemProvider.objectType }
      // A list of addresses that an item has of its own would pass for the list of its files.
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

  /// The same with names that differ: they land in one folder.
  ///
  /// As ``FreeName`` does on a disk.
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

  /// Whether nothing of it has been dropped, and nothing has gone wrong.
  var isUsable: Bool { state.withLock { $0.phase == .asking && $0.trouble == nil } }

  /// Sets the source of the contents, which each question gives anew.
  func load(from loading: any ItemLoading) { state.withLock { $0.loading = loading } }

  /// The beginning of what programs were given to read.
  var given: [String: [UInt8]] { state.withLock { $0.given } }

  /// The first failure, for the person's ear.
  var trouble: Reason? { state.withLock { $0.trouble } }

  // MARK: Forms

  /// The names of the forms that all of it has, best first.
  private var names: [String] {
    var names: [String] = []
    let areFiles = parts.allSatisfy { $0.path != nil }
    if areFiles { return [Self.list] + Self.texts }
    // Several things are one text or a list of files; other forms can't be put together.
    if parts.count == 1 { names += parts[0].types.filter { $0 != Self.list } }
    if parts.allSatisfy({ $0.text != nil }) { names += Self.texts }
    if parts.allSatisfy({ $0.path != nil || $0.file != nil }) { names.append(Self.list) }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Forms told to programs; each is loaded when one asks for it.
  var forms: [DragForm] {
    names.map { name in
      DragForm(name) { [self] in await bytes(of: name) }
    }
  }

  /// `nil` where nothing may be given now, or loading has failed.
  private func bytes(of name: String) async -> [UInt8]? {
    let load = state.withLock { state -> Task<[UInt8]?, Never>? in
      if let load = state.loads[name] { return load }
      switch state.phase {
      case .over: return nil
      case .asking where name == Self.list: state.isListWanted = true
      // Nobody reads what may be dropped elsewhere, or nowhere.
      case .asking where parts.contains { $0.path == nil }: return nil
      case .asking, .dropping: break
      }
      let isAsking = state.phase == .asking
      let load = Task { await loaded(name, isAsking: isAsking) }
      // The bytes told during a question are made anew for the drop, when the files are there.
      if !isAsking { state.loads[name] = load }
      return load
    }
    return await load?.value
  }

  /// Loads one form. A failure is noted and answered with `nil`: programs learn no reasons.
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
      // Only forms that a field can show are kept for the look afterwards.
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

  /// The first reason counts.
  private func fail(_ error: any Error) {
    let reason = error is CancellationError ? Reason.interrupted : Reason(error)
    state.withLock { $0.trouble = $0.trouble ?? reason }
  }

  /// All of it as text, one after the other.
  ///
  /// One line end between two.
  private func text() async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(10) }
      try await append(part, as: part.text ?? "text/plain", to: &bytes)
    }
    return bytes
  }

  /// - Throws: ``Reason/tooBig`` as soon as all of it is longer than may be loaded.
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

  /// The paths of the files, or those that they will have once dropped.
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

  /// The same, with what they contain.
  ///
  /// Written once, whoever asks first; cancelled by ``close()``.
  private func written() async throws -> [FilePath] {
    let task = state.withLock { state in
      let task = state.writing ?? Task { try await write(to: try await places()) }
      state.writing = task
      return task
    }
    return try await task.value
  }

  /// The end of the program waits for it, see ``GivenFiles/beginWriting()``.
  private func write(to paths: [FilePath]) async throws -> [FilePath] {
    try files.beginWriting()
    let result: Result<[FilePath], any Error>
    do {
      result = .success(try await fill(paths))
    } catch {
      result = .failure(error)
    }
    // In any case, or the end would be waited for in vain.
    try await Disk.run { [files] in files.endWriting() }
    return try result.get()
  }

  /// The files in order. One that fails ends it; those before it stay until the private folder is
  /// cleaned.
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

  /// Writes under a hidden name; the file gets its own when it is whole.
  private func fill(_ path: FilePath, with chunks: ByteChunks) async throws -> FilePath {
    guard let wished = path.lastComponent else { throw Reason.gone }
    let folder = path.folder
    let target = try await Disk.run { try PartFile(in: OpenFolder(folder)) }
    let count: Int64
    do {
      count = try await target.fill(chunks)
    } catch {
      // Its folder goes next, and is to be empty.
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

  /// The files with what they contain; `nil` outside a drop, and where they could not be written.
  ///
  /// A failure is noted as ``trouble``.
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

  /// From here on contents are loaded. A program that has asked where the files are may look there
  /// without asking again.
  ///
  /// - Throws: `Reason.interrupted` where it is open or over already, else why the files could not
  ///   be written. The drop is to be given up then.
  func open() async throws(Reason) {
    let isListWanted = state.withLock { state -> Bool? in
      guard state.phase == .asking else { return nil }
      state.phase = .dropping
      return state.isListWanted
    }
    guard let isListWanted else { throw .interrupted }
    guard isListWanted else { return }
    _ = await writtenFiles()
    if let trouble { throw trouble }
  }

  /// Ends every load, and keeps nothing of what was loaded.
  ///
  /// May be called again. Files that were written stay: a program may still read them.
  func close() {
    let (loads, writing) = state.withLock { state in
      state.phase = .over
      defer { state.loads = [:] }
      return (Array(state.loads.values), state.writing)
    }
    for load in loads { load.cancel() }
    writing?.cancel()
  }

  /// No program still reads its files.
  func settle() { files.settle(share) }
}
