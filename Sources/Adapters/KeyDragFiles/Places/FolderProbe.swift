import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Capabilities of a folder's file system, for `keydrag doctor`; `nil` if one could not be tested.
package struct FolderFeatures: Hashable, Sendable {
  /// Whether copies can share blocks until modified (FICLONE). Tested, because no call reports it.
  package var clones: Bool?
  /// Whether files can have extended attributes in the name space `user`.
  package var attributes: Bool?
}

/// Tests a folder's capabilities without leaving anything in it; every call may block.
package enum FolderProbe {
  /// Returns the reason why the folder can't be watched; `nil` if it can.
  package static func watching(_ folder: FilePath) -> Reason? {
    let watcher = FolderWatcher { _, _, _ in }
    defer { watcher.close() }
    return watcher.watch(1, at: folder)
  }

  /// Tests with unnamed files (O_TMPFILE); both `nil` if those are not supported or the folder is
  /// not writable.
  package static func features(of folder: FilePath) -> FolderFeatures {
    // Even a crash leaves nothing.
    let flags = clinux_open_unnamed | O_RDWR
    // A whole block, the smallest unit that some file systems share.
    let block = [UInt8](repeating: 1, count: 4096)
    guard let one = try? FileCalls.open(folder, flags: flags, mode: 0o600),
      let other = try? FileCalls.open(folder, flags: flags, mode: 0o600),
      write(one.raw, block, block.count) == block.count
    else { return FolderFeatures(clones: nil, attributes: nil) }
    return FolderFeatures(
      clones: clinux_clone(other.raw, one.raw) == 0,
      attributes: clinux_set_attribute(one.raw, "user.keydrag", block, 1) == 0)
  }

  /// `nil` if `lp` is not installed.
  package static func printer() -> FilePath? { TaskPlaces.printer() }

  package static var homeTrash: FilePath { TrashCan().home }
}
