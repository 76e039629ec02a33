import Glibc
import KeyDragCore
import SystemPackage

/// Looks at paths for places before a delivery. Outdated at once.
enum FileFacts {
  /// Reads a path; may block.
  ///
  /// - Parameter following: follows a link; a broken one is `Reason.gone`.
  static func look(at path: FilePath, following: Bool) -> Result<FileStamp, Reason> {
    path.withPlatformString { look(AT_FDCWD, $0, following: following) }
  }

  /// As above for a name in an open folder.
  static func look(
    at name: FileName, in folder: CInt, following: Bool = false
  ) -> Result<FileStamp, Reason> {
    name.withPointer { look(folder, $0, following: following) }
  }

  private static func look(
    _ folder: CInt, _ path: UnsafePointer<CChar>, following: Bool
  ) -> Result<FileStamp, Reason> {
    var status = stat()
    guard fstatat(folder, path, &status, following ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      return .failure(Reason(Errno(rawValue: errno), .look))
    }
    return .success(FileStamp(status))
  }

  /// Why access is denied; `nil` if it is allowed.
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

  /// As above for a name in an open folder.
  static func refusal(_ name: FileName, in folder: CInt, _ access: Int32) -> Reason? {
    let result = name.withPointer { faccessat(folder, $0, access, AT_EACCESS) }
    return result == 0 ? nil : Reason(Errno(rawValue: errno), .access)
  }
}

/// Rights to remove entries of a folder, read once for all of them.
struct FolderPermissions: Sendable {
  /// Why entries can't be removed; `nil` if they can.
  var removal: Reason?
  /// Owner of a sticky folder, where only the owner of the folder or the entry may remove it; `nil`
  /// if it is not sticky.
  var stickyOwner: UInt32?

  /// May block.
  static func look(at path: FilePath) -> FolderPermissions {
    var permissions = FolderPermissions(removal: FileFacts.refusal(path, W_OK | X_OK))
    if case .success(let stamp) = FileFacts.look(at: path, following: true),
      stamp.mode & mode_t(S_ISVTX) != 0
    {
      permissions.stickyOwner = stamp.owner
    }
    return permissions
  }

  /// Why a user can't remove an entry; root always can.
  func removal(of entry: FileStamp, by user: UInt32) -> Reason? {
    if let removal { return removal }
    guard let stickyOwner, user != 0 else { return nil }
    return user == stickyOwner || user == entry.owner ? nil : .notPermitted
  }
}
