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
    guard let one = UnnamedFile(in: folder), let other = UnnamedFile(in: folder) else {
      return FolderFeatures(clones: nil, attributes: nil)
    }
    // A whole block, the smallest unit that some file systems share.
    let block = [UInt8](repeating: 1, count: 4096)
    guard write(one.raw, block, block.count) == block.count else {
      return FolderFeatures(clones: nil, attributes: nil)
    }
    return FolderFeatures(
      clones: clinux_clone(other.raw, one.raw) == 0,
      attributes: clinux_set_attribute(one.raw, "user.keydrag", block, 1) == 0)
  }

  /// `nil` if `lp` is not installed.
  package static func printer() -> FilePath? { TaskPlaces.printer() }

  package static var homeTrash: FilePath { TrashCan().home }
}

/// An unnamed file (O_TMPFILE, open(2)), so that even a crash leaves nothing.
private final class UnnamedFile {
  let raw: CInt

  init?(in folder: FilePath) {
    raw = folder.withPlatformString { open($0, clinux_open_unnamed | O_RDWR | O_CLOEXEC, 0o600) }
    if raw < 0 { return nil }
  }

  deinit { close(raw) }
}
