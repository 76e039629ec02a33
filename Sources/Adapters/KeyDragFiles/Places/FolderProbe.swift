import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// The abilities of a folder's file system; `nil` where one could not be tried.
package struct FolderFeatures: Hashable, Sendable {
  /// Whether a copy may share its contents with the original until one of them is changed. By
  /// FICLONE.
  ///
  /// Tried, because no call tells them: for `keydrag doctor`.
  package var clones: Bool?
  /// Whether files keep extended attributes of the person's own.
  ///
  /// As in the name space `user`.
  package var attributes: Bool?
}

/// Tries what folders need, without leaving anything in them; every call may block.
package enum FolderProbe {
  /// Watches a folder for a moment; the reason when that is not possible.
  package static func watching(_ folder: FilePath) -> Reason? {
    let watcher = FolderWatcher { _, _, _ in }
    defer { watcher.close() }
    return watcher.watch(1, at: folder)
  }

  /// Tries the features with files that never have a name, so nobody sees them.
  ///
  /// By O_TMPFILE; both `nil` where the file system does not know it, or the folder can't be
  /// written to.
  package static func features(of folder: FilePath) -> FolderFeatures {
    guard let one = UnnamedFile(in: folder), let other = UnnamedFile(in: folder) else {
      return FolderFeatures(clones: nil, attributes: nil)
    }
    // A whole block: some file systems share nothing smaller.
    let block = [UInt8](repeating: 1, count: 4096)
    guard write(one.raw, block, block.count) == block.count else {
      return FolderFeatures(clones: nil, attributes: nil)
    }
    return FolderFeatures(
      clones: clinux_clone(other.raw, one.raw) == 0,
      attributes: clinux_set_attribute(one.raw, "user.keydrag", block, 1) == 0)
  }

  /// The path of `lp`; `nil` when it is not installed.
  ///
  /// See ``TaskPlaces/printer()``.
  package static func printer() -> FilePath? { TaskPlaces.printer() }

  /// The path of the home trash, whether it is there yet or not.
  package static var homeTrash: FilePath { TrashCan().home }
}

/// A file that is gone when this value is.
///
/// Opened by O_TMPFILE (open(2)): it never has a name, so that a crash leaves nothing.
private final class UnnamedFile {
  let raw: CInt

  /// `nil` for any error.
  init?(in folder: FilePath) {
    raw = folder.withPlatformString { open($0, clinux_open_unnamed | O_RDWR | O_CLOEXEC, 0o600) }
    if raw < 0 { return nil }
  }

  deinit { close(raw) }
}
