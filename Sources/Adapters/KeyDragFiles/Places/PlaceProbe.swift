import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Looks at folders and items for one inquiry; remembers what several stops share. May block.
///
/// One value for one queue.
struct PlaceProbe {
  /// Folders of items, by path. `nil` is remembered too.
  private var items: [FilePath: FileIdentity?] = [:]
  /// Folders around a path, by path.
  private var chains: [FilePath: Set<FileIdentity>] = [:]
  /// By device. `nil` is remembered too.
  private var limits: [UInt64: DiskLimits?] = [:]
  /// The type of the file system of an open folder, as statfs(2) numbers it.
  private let diskType: @Sendable (CInt) -> Int64

  init(diskType: @escaping @Sendable (CInt) -> Int64 = { clinux_file_system_type($0) }) {
    self.diskType = diskType
  }

  /// The facts of each item, looked at once for all stops.
  ///
  /// In the order of the items. An item that can't be reached has its refusal.
  mutating func facts(
    of items: [DragItem], entries: [PlaceRegistry.Entry?]
  ) -> [CarriedFacts] {
    // Most lie in one folder; many queues may look at once, and descriptors are scarce.
    var folders = OpenFolders(capacity: 4)
    return zip(items, entries).map { item, entry in
      var facts = CarriedFacts(
        source: item.source, tree: item.tree, isFolder: false, byteCount: item.byteCount ?? 0)
      guard let entry else {
        facts.refusal = .gone
        return facts
      }
      // Where its folder can't be opened, the look at the path tells why.
      let look =
        (try? folders.folder(at: entry.folder)).map {
          FileFacts.look(at: FileName(bytes: entry.name), in: $0.raw)
        } ?? FileFacts.look(at: entry.path, following: false)
      switch look {
      case .failure(let reason): facts.refusal = reason
      case .success(let found):
        facts.identity = found.identity
        facts.isFolder = found.kind == .folder
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

  /// The facts of the folder at a path, or why it can't be one.
  ///
  /// - Parameters:
  ///   - source: the source that it is shown as.
  ///   - tree: of the root it lies in.
  mutating func target(
    _ path: FilePath, source: DragSourceID?, tree: ContainerID?
  ) -> Result<TargetFacts, Reason> {
    FileFacts.look(at: path, following: true).flatMap { found in
      guard found.kind == .folder else { return .failure(.notAFolder) }
      var space = statvfs()
      let knowsSpace = path.withPlatformString { statvfs($0, &space) } == 0
      let isReadOnly = knowsSpace && space.f_flag & UInt(ST_RDONLY) != 0
      let refusal = isReadOnly ? .readOnly : FileFacts.refusal(path, W_OK | X_OK)
      return .success(
        TargetFacts(
          identity: found.identity, enclosing: enclosing(path, found.identity), source: source,
          tree: tree, refusal: refusal, freeBytes: knowsSpace ? Self.freeBytes(space) : nil,
          limits: limits(path, found.identity.device)))
    }
  }

  /// The names among these that exist in the folder, or that two of the items share.
  ///
  /// Safe to speak. Empty where the folder can't be looked into: the drop will tell.
  static func clashes(_ names: [[UInt8]], in folder: FilePath) -> [String] {
    let descriptor = folder.withPlatformString { open($0, folderLookup) }
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var met: Set<[UInt8]> = []
    return names.compactMap { name in
      // Two names of one spelling: the second would meet the first.
      let isDouble = !met.insert(name).inserted
      var status = stat()
      let terminated = name.map { CChar(bitPattern: $0) } + [0]
      let exists = fstatat(descriptor, terminated, &status, AT_SYMLINK_NOFOLLOW) == 0
      return isDouble || exists ? SpokenName.file(name) : nil
    }
  }

  /// Looked at once for each disk.
  private mutating func limits(_ path: FilePath, _ device: UInt64) -> DiskLimits? {
    if let known = limits[device] { return known }
    guard let folder = try? FileCalls.open(path, flags: clinux_open_path_only | O_DIRECTORY)
    else { return nil }
    let found = DiskLimits(type: diskType(folder.raw))
    limits.updateValue(found, forKey: device)
    return found
  }

  /// `nil` where the file system of an open folder does not say.
  static func freeBytes(in folder: CInt) -> Int64? {
    var space = statvfs()
    return fstatvfs(folder, &space) == 0 ? freeBytes(space) : nil
  }

  /// File systems that don't count blocks (some virtual ones) say 0 of 0.
  ///
  /// In bytes, of what is left for others than root (`f_bavail`).
  private static func freeBytes(_ space: statvfs) -> Int64? {
    guard space.f_blocks > 0 else { return nil }
    let (bytes, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(
      by: UInt64(space.f_frsize))
    return overflow ? nil : Int64(clamping: bytes)
  }

  /// Looked at once for each folder.
  private mutating func identity(of folder: FilePath) -> FileIdentity? {
    if let known = items[folder] { return known }
    var identity: FileIdentity?
    if case .success(let facts) = FileFacts.look(at: folder, following: true) {
      identity = facts.identity
    }
    items[folder] = identity
    return identity
  }

  /// The identities of a folder and of all it lies in, by the way without links.
  ///
  /// The folder alone where its way can't be resolved.
  private mutating func enclosing(
    _ path: FilePath, _ identity: FileIdentity
  ) -> Set<FileIdentity> {
    guard let resolved = RootPaths.resolve(path) else { return [identity] }
    return chain(resolved.folder).union([identity])
  }

  /// By inode, up to the root; what can't be looked at is left out.
  private mutating func chain(_ path: FilePath) -> Set<FileIdentity> {
    if let known = chains[path] { return known }
    var identities: Set<FileIdentity> = []
    var above = path
    repeat {
      if case .success(let facts) = FileFacts.look(at: above, following: true) {
        identities.insert(facts.identity)
      }
    } while above.goUp()
    chains[path] = identities
    return identities
  }
}
