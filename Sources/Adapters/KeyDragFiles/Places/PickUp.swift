import Glibc
import KeyDragCore
import SystemPackage

/// Fixes what is carried: types, sizes and what the sources allow.
///
/// Called with a pick-up, on a thread that may wait. What is fixed here holds for the session; the
/// disk is asked again at each place.
struct PickUp: Sendable {
  let registry: PlaceRegistry
  /// `nil` where only folders take what is picked up: of no use to them, and found out as slowly as a
  /// file is moved.
  let types: (any ContentTypes)?
  /// `nil` where only folders take what is picked up.
  let tasks: TaskPlaces?
  /// `nil` where only tasks are offered.
  var ends: EndPlaces?

  /// May block for as long as the file systems do.
  ///
  /// Items that can't be carried are refused by name; the others are carried all the same.
  ///
  /// - Parameter allowed: the operations that are left of those that each allows.
  func prepare(_ sources: [DragSourceID], allowed: DragOperations = .all) -> Preparation {
    var reader = ItemReader(types: types)
    let entries = registry.entries(sources)
    let found = entries.map { $0.map { reader.read($0) } ?? .failure(.gone) }
    // By what they are now, which need not be what the listing showed.
    let folders = Set(zip(entries, found).compactMap { Self.isFolder($1) ? $0?.path : nil })
    var held: [EntryID: PlaceRegistry.PickedUp] = [:]
    for case (let entry?, .success(let found)) in zip(entries, found) {
      held[entry.id] = found.pickedUp
    }
    registry.hold(held)
    var preparation = Preparation(items: [])
    for (index, entry) in entries.enumerated() {
      let isNested = !folders.isEmpty && entry.map { Self.lies($0.path, in: folders) } ?? false
      // Items in a carried folder come with it: carried twice, one would be gone for the
      // second.
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
      (ends?.newFolders(for: preparation.items) ?? [])
      + (tasks?.places(for: preparation.items) ?? [])
      + (ends?.shortcuts(for: preparation.items) ?? [])
    return preparation
  }

  /// A withheld operation is told with its reason when the person asks for it.
  private func item(
    _ source: DragSourceID, _ entry: PlaceRegistry.Entry, _ found: ItemReader.Found,
    _ allowed: DragOperations
  ) -> DragItem {
    var item = DragItem(
      source: source, name: entry.spokenName, kind: found.kind, types: found.types,
      typeName: found.typeName, container: ContainerID(entry.id.folder, of: .files),
      tree: ContainerID(entry.tree, of: .files), byteCount: found.byteCount)
    item.withheld = found.withheld
    for operation in DragOperation.allCases where !allowed.contains(operation) {
      item.withheld[operation] = .operationNotOffered
    }
    for operation in item.withheld.keys { item.allowed.remove(DragOperations(operation)) }
    return item
  }

  /// A link to a folder is none.
  private static func isFolder(_ found: Result<ItemReader.Found, Reason>) -> Bool {
    if case .success(let found) = found { return found.kind == .folder }
    return false
  }

  /// By paths alone, which come from the listing.
  private static func lies(_ path: FilePath, in folders: Set<FilePath>) -> Bool {
    var above = path
    while above.goUp() {
      if folders.contains(above) { return true }
    }
    return false
  }
}

/// Reads one item after the other and remembers what they share.
///
/// For one pick-up: what it remembers is not looked at again.
struct ItemReader {
  /// One item as it is now.
  struct Found {
    var pickedUp: PlaceRegistry.PickedUp
    var kind: ItemKind
    /// One type; the array is shared by all items that have it.
    var types: [String]
    /// In the person's language.
    var typeName: String
    /// Operations that can't be, and why.
    var withheld: [DragOperation: Reason]
    /// `nil` for anything but a plain file.
    var byteCount: Int64?
  }

  /// `nil` where nobody asks for them.
  let types: (any ContentTypes)?
  /// The effective user, whose rights count.
  private let user = geteuid()
  /// By folder.
  private var permissions: [FilePath: FolderPermissions] = [:]
  /// Most items lie in few folders.
  private var folders = OpenFolders()
  /// By type: thousands of items have few.
  private var known: [String: (types: [String], name: String)] = [:]

  init(types: (any ContentTypes)?) { self.types = types }

  /// May block. A FIFO, socket or device is refused.
  mutating func read(_ entry: PlaceRegistry.Entry) -> Result<Found, Reason> {
    let name = FileName(bytes: entry.name)
    // Where it can't be opened, the look at the path tells why.
    let folder = try? folders.folder(at: entry.folder)
    let found =
      folder.map { FileFacts.look(at: name, in: $0.raw) }
      ?? FileFacts.look(at: entry.path, following: false)
    switch found {
    case .failure(let reason): return .failure(reason)
    case .success(let facts) where facts.kind == .special: return .failure(.specialFile)
    case .success(let facts):
      // A link is described by what it leads to, so that a link to a folder can be entered.
      let kind = facts.kind == .link ? Self.linkKind(entry.path) : facts.kind
      let (types, typeName) = described(type(of: entry, kind: kind))
      return .success(
        Found(
          pickedUp: PlaceRegistry.PickedUp(facts), kind: kind, types: types, typeName: typeName,
          withheld: withheld(entry, name, in: folder, facts),
          byteCount: facts.kind == .file ? facts.size : nil))
    }
  }

  /// A broken link stays a link.
  private static func linkKind(_ path: FilePath) -> ItemKind {
    guard case .success(let facts) = FileFacts.look(at: path, following: true) else { return .link }
    return facts.kind == .folder ? .folderLink : .link
  }

  /// By the rights of the user, not by trying.
  private mutating func withheld(
    _ entry: PlaceRegistry.Entry, _ name: FileName, in folder: OpenFolder?, _ facts: FileFacts
  ) -> [DragOperation: Reason] {
    var withheld: [DragOperation: Reason] = [:]
    if permissions[entry.folder] == nil {
      permissions[entry.folder] = FolderPermissions.look(at: entry.folder)
    }
    if let reason = permissions[entry.folder]?.removal(of: facts, by: user)?.ofTaking {
      (withheld[.move], withheld[.remove]) = (reason, reason)
    }
    // A link is copied as a link, which takes no permission to read what it leads to.
    let access = facts.kind == .folder ? R_OK | X_OK : R_OK
    let refusal =
      facts.kind == .link
      ? nil
      : folder.map { FileFacts.refusal(name, in: $0.raw, access) }
        ?? FileFacts.refusal(entry.path, access)
    if let refusal {
      let reason = refusal == .notPermitted ? .unreadable : refusal
      (withheld[.copy], withheld[.open]) = (reason, reason)
    }
    return withheld
  }

  private func type(of entry: PlaceRegistry.Entry, kind: ItemKind) -> String {
    if kind.isFolder { return "inode/directory" }
    guard let types else { return Self.unknownType }
    return Self.type(ofFile: entry.path, name: entry.name, types)
  }

  /// The type of a file by its name or, where that tells nothing, by its first bytes.
  ///
  /// The file is opened only where the name tells nothing.
  static func type(ofFile path: FilePath, name: [UInt8], _ types: any ContentTypes) -> String {
    let name = String(decoding: name, as: UTF8.self)
    let type = types.type(forName: name, head: nil)
    guard type == unknownType, let head = head(of: path) else { return type }
    return types.type(forName: name, head: head)
  }

  /// The array is made once for each type.
  private mutating func described(_ type: String) -> (types: [String], name: String) {
    if let known = known[type] { return known }
    let described = ([type], types?.name(of: type) ?? "")
    known[type] = described
    return described
  }

  /// The first bytes of a file; nothing of a FIFO or a device, which would block or answer.
  private static func head(of path: FilePath) -> [UInt8]? {
    guard case .success(let facts) = FileFacts.look(at: path, following: true), facts.kind == .file
    else { return nil }
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = path.withPlatformString { open($0, flags) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Looked at again through the descriptor: it may have become another meanwhile.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt8](unsafeUninitializedCapacity: headSize) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  private static let headSize = 4096
  private static let unknownType = "application/octet-stream"
}
