import Glibc
import KeyDragCore
import SystemPackage

/// Determines types, sizes and allowed operations at pick-up, on a thread that may block. The
/// results hold for the whole session; each place checks the disk again.
struct PickUp: Sendable {
  let registry: PlaceRegistry
  /// `nil` if only folders accept the items: they don't need types, whose detection takes as long
  /// as moving a file.
  let types: (any ContentTypes)?
  /// `nil` if only folders accept the items.
  let tasks: TaskPlaces?
  /// `nil` if only task places are offered.
  var ends: ExtraDropPoints?

  /// Prepares sources; may block. Items that can't be carried are refused individually.
  ///
  /// - Parameter allowed: limits each item's operations.
  func prepare(_ sources: [DragSourceID], allowed: DragOperations = .all) async -> PreparedItems {
    var reader = ItemReader(types: types)
    let entries = registry.entries(sources)
    let found = entries.map { $0.map { reader.read($0) } ?? .failure(.gone) }
    // By current kind, which may differ from the listing.
    let folders = Set(zip(entries, found).compactMap { Self.isFolder($1) ? $0?.path : nil })
    var held: [EntryID: PlaceRegistry.PickedUp] = [:]
    for case (let entry?, .success(let found)) in zip(entries, found) {
      held[entry.id] = found.pickedUp
    }
    registry.hold(held)
    var preparation = PreparedItems(items: [])
    for (index, entry) in entries.enumerated() {
      let isNested = !folders.isEmpty && entry.map { Self.lies($0.path, in: folders) } ?? false
      // Items in a carried folder move with it: carried twice, the second delivery would not find
      // them.
      switch (entry, isNested ? .failure(.heldWithFolder) : found[index]) {
      case (let entry?, .success(let found)):
        preparation.items.append(item(sources[index], entry, found, allowed))
      case (let entry, .failure(let reason)):
        let name = entry?.spokenName ?? ""
        preparation.refused.append(DeliveryFailure(name: name, reason: reason))
      case (nil, .success): break  // What has no entry was never found.
      }
    }
    preparation.taskPoints =
      await (ends?.newFolders(for: preparation.items) ?? [])
      + (tasks?.places(for: preparation.items) ?? [])
      + (ends?.shortcuts(for: preparation.items) ?? [])
    return preparation
  }

  private func item(
    _ source: DragSourceID, _ entry: PlaceRegistry.Entry, _ found: ItemReader.Found,
    _ allowed: DragOperations
  ) -> DragItem {
    var item = DragItem(
      source: source, name: entry.spokenName, kind: found.kind, types: found.types,
      typeName: found.typeName, container: ContainerID(entry.id.folder, of: .files),
      tree: ContainerID(entry.tree, of: .files), byteCount: found.byteCount)
    item.folder = entry.folder.spokenName
    item.disallowed = found.disallowed
    for operation in DragOperation.allCases where !allowed.contains(operation) {
      item.disallowed[operation] = .operationNotOffered
    }
    for operation in item.disallowed.keys { item.allowed.remove(DragOperations(operation)) }
    return item
  }

  /// `false` for a link to a folder.
  private static func isFolder(_ found: Result<ItemReader.Found, Reason>) -> Bool {
    if case .success(let found) = found { return found.kind == .folder }
    return false
  }

  private static func lies(_ path: FilePath, in folders: Set<FilePath>) -> Bool {
    var above = path
    while above.goUp() {
      if folders.contains(above) { return true }
    }
    return false
  }
}

/// Reads items for one pick-up, caching what they share.
struct ItemReader {
  struct Found {
    var pickedUp: PlaceRegistry.PickedUp
    var kind: ItemKind
    /// One type; the array is shared by all items that have it.
    var types: [String]
    /// Localized.
    var typeName: String
    /// Reasons for operations that are not possible.
    var disallowed: [DragOperation: Reason]
    /// `nil` for anything but a regular file.
    var byteCount: Int64?
  }

  let types: (any ContentTypes)?
  /// The effective user, whose rights apply.
  private let user = geteuid()
  private var permissions: [FilePath: FolderPermissions] = [:]
  private var folders = OpenFolders()
  /// By type: thousands of items share few.
  private var known: [String: (types: [String], name: String)] = [:]

  init(types: (any ContentTypes)?) { self.types = types }

  /// May block. Rejects FIFOs, sockets and devices.
  mutating func read(_ entry: PlaceRegistry.Entry) -> Result<Found, Reason> {
    let folder = try? folders.folder(at: entry.folder)
    switch entry.look(in: folder) {
    case .failure(let reason): return .failure(reason)
    case .success(let facts) where facts.kind == .special: return .failure(.specialFile)
    case .success(let facts):
      // A link has its target's kind, so that a link to a folder can be entered.
      let kind =
        facts.kind == .link
        ? entry.path.withPlatformString { FolderReader.linkKind(of: $0, in: AT_FDCWD) }
        : facts.kind.item
      let (types, typeName) = described(type(of: entry, kind: kind))
      return .success(
        Found(
          pickedUp: PlaceRegistry.PickedUp(facts), kind: kind, types: types, typeName: typeName,
          disallowed: disallowed(entry, in: folder, facts),
          byteCount: facts.kind == .file ? facts.size : nil))
    }
  }

  /// By the user's rights, not by trying.
  private mutating func disallowed(
    _ entry: PlaceRegistry.Entry, in folder: OpenFolder?, _ facts: FileStamp
  ) -> [DragOperation: Reason] {
    var disallowed: [DragOperation: Reason] = [:]
    if permissions[entry.folder] == nil {
      permissions[entry.folder] = FolderPermissions.look(at: entry.folder)
    }
    func refusal(_ access: CInt) -> Reason? {
      folder.map { FileCalls.refusal(FileName(bytes: entry.name), in: $0.raw, access) }
        ?? FileCalls.refusal(entry.path, access)
    }
    // A folder that gets another parent is written to (rename(2)); one's own can be made writable.
    let isForeign = facts.kind == .folder && facts.owner != user
    if let reason = permissions[entry.folder]?.removal(of: facts, by: user)?.ofTaking
      ?? (isForeign ? refusal(W_OK)?.ofTaking : nil)
    {
      (disallowed[.move], disallowed[.remove]) = (reason, reason)
    }
    // A link is copied as a link, which needs no access to its target.
    let access = facts.kind == .folder ? R_OK | X_OK : R_OK
    if facts.kind != .link, let refusal = refusal(access) {
      let reason = refusal == .notPermitted ? .unreadable : refusal
      (disallowed[.copy], disallowed[.open]) = (reason, reason)
    }
    return disallowed
  }

  private func type(of entry: PlaceRegistry.Entry, kind: ItemKind) -> String {
    if kind.isFolder { return "inode/directory" }
    guard let types else { return Self.unknownType }
    return Self.type(ofFile: entry.path, name: entry.name, types)
  }

  /// The type by name, or by the first bytes if the name tells nothing.
  static func type(ofFile path: FilePath, name: [UInt8], _ types: any ContentTypes) -> String {
    let name = String(decoding: name, as: UTF8.self)
    let type = types.type(forName: name, head: nil)
    guard type == unknownType, let head = head(of: path) else { return type }
    return types.type(forName: name, head: head)
  }

  /// Shares one array per type.
  private mutating func described(_ type: String) -> (types: [String], name: String) {
    if let known = known[type] { return known }
    let described = ([type], types?.name(of: type) ?? "")
    known[type] = described
    return described
  }

  /// Only of a regular file: opening a device may have an effect.
  private static func head(of path: FilePath) -> [UInt8]? {
    guard (try? FileCalls.status(path, following: true))?.kind == .file else { return nil }
    return FileCalls.head(of: path, most: .max, head: headSize)?.bytes
  }

  private static let headSize = 4096
  private static let unknownType = "application/octet-stream"
}
