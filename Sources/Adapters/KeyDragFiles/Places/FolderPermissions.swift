import Glibc
import KeyDragCore
import SystemPackage

/// Rights to remove entries of a folder, read once for all of them.
struct FolderPermissions: Sendable {
  /// Why entries can't be removed; `nil` if they can.
  var removal: Reason?
  /// Owner of a sticky folder, where only the owner of the folder or the entry may remove it; `nil`
  /// if it is not sticky.
  var stickyOwner: UInt32?

  /// May block.
  static func look(at path: FilePath) -> FolderPermissions {
    var permissions = FolderPermissions(removal: FileCalls.refusal(path, W_OK | X_OK))
    if let stamp = try? FileCalls.status(path, following: true), stamp.mode & mode_t(S_ISVTX) != 0 {
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
