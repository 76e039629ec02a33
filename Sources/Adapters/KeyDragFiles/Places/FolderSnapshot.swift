import Glibc
import KeyDragCore
import SystemPackage

/// A folder's entries, in file system order. Names share one array, as in ``NameTable``, to save
/// allocations.
struct FolderSnapshot: Sendable {
  private var bytes: [UInt8] = []
  /// End of each name in `bytes`.
  private var ends: [UInt32] = []
  /// By name.
  private(set) var kinds: [ItemKind] = []
  /// Number of hidden names left out.
  fileprivate(set) var hiddenCount = 0

  var count: Int { ends.count }
  var byteCount: Int { bytes.count }

  /// Links to folders count as folders.
  var counts: ItemCounts {
    let folders = kinds.reduce(into: 0) { $0 += $1.isFolder ? 1 : 0 }
    return ItemCounts(files: kinds.count - folders, folders: folders, hidden: hiddenCount)
  }

  /// Folder names that are valid UTF-8.
  var folderNames: [String] {
    (0..<count).filter { kinds[$0].isFolder }.compactMap { index in
      withName(index) { String(validating: $0, as: UTF8.self) }
    }
  }

  /// The bytes are valid during the call.
  func withName<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    let end = Int(ends[index])
    return bytes.withUnsafeBufferPointer { all in
      body(UnsafeBufferPointer(rebasing: all[start..<end]))
    }
  }

  mutating func append(_ name: UnsafeBufferPointer<UInt8>, kind: ItemKind) {
    bytes.append(contentsOf: name)
    ends.append(UInt32(bytes.count))
    kinds.append(kind)
  }
}

/// Reads folders and maps errors to reasons. Every call may block.
enum FolderReader {
  /// Reads a whole folder, in disk order. May or may not include concurrent changes (readdir(3)).
  static func read(
    _ path: FilePath, includingHidden: Bool
  ) -> Result<FolderSnapshot, Reason> {
    // Nonblocking, so that a FIFO is rejected instead of waited for.
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK
    let descriptor = path.withPlatformString { open($0, flags) }
    guard descriptor >= 0 else { return .failure(Reason(Errno(rawValue: errno), .look)) }
    guard let stream = fdopendir(descriptor) else {
      let number = errno
      Glibc.close(descriptor)
      return .failure(Reason(Errno(rawValue: number), .look))
    }
    defer { closedir(stream) }
    var snapshot = FolderSnapshot()
    // readdir(3) returns a null pointer both at the end and for errors.
    errno = 0
    while let entry = readdir(stream) {
      add(entry, of: descriptor, includingHidden: includingHidden, to: &snapshot)
      errno = 0
    }
    return errno == 0 ? .success(snapshot) : .failure(Reason(Errno(rawValue: errno), .look))
  }

  /// An entry's kind; of a link, by what it leads to.
  static func kind(of name: UnsafePointer<CChar>, in folder: Int32) -> Result<ItemKind, Reason> {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return .failure(Reason(Errno(rawValue: errno), .look))
    }
    let kind = FileKind(mode: status.st_mode)
    return .success(kind == .link ? linkKind(of: name, in: folder) : kind.item)
  }

  static func linkKind(of name: UnsafePointer<CChar>, in folder: Int32) -> ItemKind {
    var status = stat()
    guard fstatat(folder, name, &status, 0) == 0 else {
      return Reason(Errno(rawValue: errno), .look).isNowhere ? .brokenLink : .link
    }
    return status.st_mode & S_IFMT == S_IFDIR ? .folderLink : .link
  }

  private static func add(
    _ entry: UnsafeMutablePointer<dirent>, of folder: Int32, includingHidden: Bool,
    to snapshot: inout FolderSnapshot
  ) {
    // Saves a stat(2) call; DT_UNKNOWN on file systems that do not store it.
    let type = Int(entry.pointee.d_type)
    withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      let start = UnsafeRawPointer(tuple)
      let name = start.assumingMemoryBound(to: CChar.self)
      let bytes = UnsafeBufferPointer(
        start: start.assumingMemoryBound(to: UInt8.self), count: strlen(name))
      guard !NameFilter.isSelfOrParent(bytes), !NameFilter.isTemporary(bytes) else { return }
      guard includingHidden || !NameFilter.isHidden(bytes) else {
        snapshot.hiddenCount += 1
        return
      }
      guard let kind = kind(type: type, name: name, in: folder) else { return }
      snapshot.append(bytes, kind: kind)
    }
  }

  /// `nil` if the entry has vanished.
  private static func kind(
    type: Int, name: UnsafePointer<CChar>, in folder: Int32
  ) -> ItemKind? {
    switch type {
    case Int(DT_REG): .file
    case Int(DT_DIR): .folder
    case Int(DT_LNK): linkKind(of: name, in: folder)
    case Int(DT_UNKNOWN): looked(at: name, in: folder)
    default: .special
    }
  }

  /// By stat(2), for DT_UNKNOWN.
  private static func looked(at name: UnsafePointer<CChar>, in folder: Int32) -> ItemKind? {
    switch kind(of: name, in: folder) {
    case .success(let kind): kind
    case .failure(.gone): nil
    // Shown because it exists; picking it up will report the error.
    case .failure: .file
    }
  }
}
