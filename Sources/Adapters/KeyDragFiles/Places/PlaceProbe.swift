import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Reads folders and items for one inquiry, caching what its stops share. May block. Not
/// thread-safe.
struct PlaceProbe {
  /// Folders of items, by path; failures are cached too.
  private var items: [FilePath: FileIdentity?] = [:]
  private var chains: [FilePath: Set<FileIdentity>] = [:]
  /// By device; `nil` is cached too.
  private var limits: [UInt64: DiskLimits?] = [:]
  /// File system type of an open folder, as in statfs(2).
  private let diskType: @Sendable (CInt) -> Int64

  init(diskType: @escaping @Sendable (CInt) -> Int64 = { clinux_file_system_type($0) }) {
    self.diskType = diskType
  }

  /// Facts about all items, in order, for all stops. An unreachable item has a refusal.
  mutating func facts(
    of items: [DragItem], entries: [PlaceRegistry.Entry?]
  ) -> [CarriedFacts] {
    // Most items share a folder. Small, because descriptors are scarce and many queues may do this
    // at once.
    var folders = OpenFolders(capacity: 4)
    return zip(items, entries).map { item, entry in
      var facts = CarriedFacts(
        source: item.source, tree: item.tree, byteCount: item.byteCount ?? 0)
      guard let entry else {
        facts.refusal = .gone
        return facts
      }
      switch entry.look(in: try? folders.folder(at: entry.folder)) {
      case .failure(let reason): facts.refusal = reason
      case .success(let found):
        facts.identity = found.identity
        facts.kind = found.kind
        facts.refusal = found.kind == .special ? .specialFile : nil
        facts.folder = identity(of: entry.folder)
        facts.misfit = DiskLimits.misfit(
          entry.name, isLink: found.kind == .link, bytes: facts.byteCount)
        // A copy keeps the holes; where the disk knows none, the drop finds out.
        if found.stored > 0 { facts.byteCount = min(facts.byteCount, found.stored) }
      }
      return facts
    }
  }

  /// Facts about a target folder, or why it can't be one.
  ///
  /// - Parameters:
  ///   - source: the drag source it is listed as.
  ///   - tree: of its root.
  mutating func target(
    _ path: FilePath, source: DragSourceID?, tree: ContainerID?
  ) -> Result<TargetFacts, Reason> {
    FileStamp.look(at: path, following: true).flatMap { found in
      guard found.kind == .folder else { return .failure(.notAFolder) }
      var space = statvfs()
      let knowsSpace = path.withPlatformString { statvfs($0, &space) } == 0
      let isReadOnly = knowsSpace && space.f_flag & UInt(ST_RDONLY) != 0
      let refusal = isReadOnly ? .readOnly : FileCalls.refusal(path, W_OK | X_OK)
      return .success(
        TargetFacts(
          identity: found.identity, enclosing: enclosing(path, found.identity), source: source,
          tree: tree, refusal: refusal, freeBytes: knowsSpace ? Self.freeBytes(space) : nil,
          limits: limits(path, found.identity.device)))
    }
  }

  /// Speakable names that exist in the folder or occur twice among the items. Empty if the folder
  /// can't be opened, which the drop will report.
  static func clashes(_ names: [[UInt8]], in folder: FilePath) -> [String] {
    guard let open = try? FileCalls.open(folder, flags: clinux_open_path_only | O_DIRECTORY)
    else { return [] }
    var met: Set<[UInt8]> = []
    return names.compactMap { name in
      let isDouble = !met.insert(name).inserted
      return isDouble || FileCalls.exists(open.raw, FileName(bytes: name))
        ? SpokenName.file(name) : nil
    }
  }

  /// Cached per device.
  private mutating func limits(_ path: FilePath, _ device: UInt64) -> DiskLimits? {
    if let known = limits[device] { return known }
    guard let folder = try? FileCalls.open(path, flags: clinux_open_path_only | O_DIRECTORY)
    else { return nil }
    let found = DiskLimits(type: diskType(folder.raw))
    limits.updateValue(found, forKey: device)
    return found
  }

  /// `nil` if the file system does not report it.
  static func freeBytes(in folder: CInt) -> Int64? {
    var space = statvfs()
    return fstatvfs(folder, &space) == 0 ? freeBytes(space) : nil
  }

  /// Bytes available to non-root users (`f_bavail`). Some virtual file systems report 0 of 0
  /// blocks.
  private static func freeBytes(_ space: statvfs) -> Int64? {
    guard space.f_blocks > 0 else { return nil }
    let (bytes, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(
      by: UInt64(space.f_frsize))
    return overflow ? nil : Int64(clamping: bytes)
  }

  /// Cached per folder.
  private mutating func identity(of folder: FilePath) -> FileIdentity? {
    if let known = items[folder] { return known }
    let identity = FileCalls.identity(behind: folder)
    items[folder] = identity
    return identity
  }

  /// The folder and its ancestors, with links resolved; only the folder if that fails.
  private mutating func enclosing(
    _ path: FilePath, _ identity: FileIdentity
  ) -> Set<FileIdentity> {
    guard let resolved = path.withoutLinks else { return [identity] }
    return chain(resolved.folder).union([identity])
  }

  /// The folder and its ancestors, without unreadable ones.
  private mutating func chain(_ path: FilePath) -> Set<FileIdentity> {
    if let known = chains[path] { return known }
    var identities: Set<FileIdentity> = []
    var above = path
    repeat {
      if let identity = FileCalls.identity(behind: above) { identities.insert(identity) }
    } while above.goUp()
    chains[path] = identities
    return identities
  }
}

extension PlaceRegistry.Entry {
  /// Its state in its folder. For one that can't be opened the path yields the reason.
  func look(in folder: OpenFolder?) -> Result<FileStamp, Reason> {
    folder.map { FileStamp.look(at: FileName(bytes: name), in: $0.raw) }
      ?? FileStamp.look(at: path, following: false)
  }
}
