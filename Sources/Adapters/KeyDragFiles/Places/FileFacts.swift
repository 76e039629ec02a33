import Glibc
import KeyDragCore
import SystemPackage

/// The facts that one look at a path tells.
///
/// Smaller than ``FileStamp``: what a place has to know before anything is delivered. Out of date
/// at once.
struct FileFacts: Sendable {
  var identity: FileIdentity
  var kind: ItemKind
  /// Length in bytes of a file.
  var size: Int64
  /// Bytes that are stored of it: fewer than ``size`` where there are holes; 0 where the disk does not
  /// say.
  var stored: Int64
  /// The user's number, who may take it out of a sticky folder.
  var owner: UInt32
  /// Whether it is a folder with the sticky bit (01000): others' entries can't be taken out of it.
  var isSticky: Bool

  /// May block; `following` looks at what a link leads to.
  ///
  /// - Returns: a broken link with `following` is `Reason.gone`.
  static func look(at path: FilePath, following: Bool) -> Result<FileFacts, Reason> {
    path.withPlatformString { look(AT_FDCWD, $0, following: following) }
  }

  /// The same of a name in an open folder, which is never followed.
  static func look(at name: FileName, in folder: CInt) -> Result<FileFacts, Reason> {
    name.withPointer { look(folder, $0, following: false) }
  }

  private static func look(
    _ folder: CInt, _ path: UnsafePointer<CChar>, following: Bool
  ) -> Result<FileFacts, Reason> {
    var status = stat()
    guard fstatat(folder, path, &status, following ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      return .failure(Reason(Errno(rawValue: errno), .look))
    }
    let kind: ItemKind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .special
      }
    return .success(
      FileFacts(
        identity: FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)),
        kind: kind, size: Int64(status.st_size), stored: Int64(status.st_blocks) * 512,
        owner: status.st_uid,
        isSticky: status.st_mode & S_ISVTX != 0))
  }

  /// The reason why this process may not; `nil` when it may.
  ///
  /// - Parameter access: R_OK, X_OK, and for a folder W_OK, for the effective user.
  static func refusal(_ path: FilePath, _ access: Int32) -> Reason? {
    let result = path.withPlatformString { faccessat(AT_FDCWD, $0, access, AT_EACCESS) }
    let code = Errno(rawValue: errno)
    // The folder behind a link, too.
    if access & W_OK != 0,
      FileCalls.isProtected(AT_FDCWD, FileName(bytes: path.appending(bytes: [0x2E]).rawBytes))
    {
      return .protected
    }
    return result == 0 ? nil : Reason(code, .access)
  }

  /// The same of a name in an open folder.
  static func refusal(_ name: FileName, in folder: CInt, _ access: Int32) -> Reason? {
    let result = name.withPointer { faccessat(folder, $0, access, AT_EACCESS) }
    return result == 0 ? nil : Reason(Errno(rawValue: errno), .access)
  }
}

/// The rights of others over the entries in a folder.
///
/// Looked at once for all entries of a folder.
struct FolderPermissions: Sendable {
  /// The reason why entries can't be taken out of it; `nil` when they can.
  var removal: Reason?
  /// In a sticky folder only the owner of an entry, or of the folder, takes it out.
  ///
  /// `nil` where the folder is not sticky.
  var stickyOwner: UInt32?

  /// May block.
  static func look(at path: FilePath) -> FolderPermissions {
    var permissions = FolderPermissions(removal: FileFacts.refusal(path, W_OK | X_OK))
    if case .success(let facts) = FileFacts.look(at: path, following: true), facts.isSticky {
      permissions.stickyOwner = facts.owner
    }
    return permissions
  }

  /// The reason why one entry can't be taken out of the folder by a user; root may always.
  func removal(of entry: FileFacts, by user: UInt32) -> Reason? {
    if let removal { return removal }
    guard let stickyOwner, user != 0 else { return nil }
    return user == stickyOwner || user == entry.owner ? nil : .notPermitted
  }
}
