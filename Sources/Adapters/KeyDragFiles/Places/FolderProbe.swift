import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// The abilities of a folder's file system; `nil` where one could not be tried.
package struct FolderFeatures: Hashable, Sendable {
  /// Whether a copy may share its contents with the original until one of them is changed.
  package var clones: Bool?
  /// Whether files keep extended attributes of the person's own.
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
  package static func features(of folder: FilePath) -> FolderFeatures {
    guard let one = UnnamedFile(in: folder), let other = UnnamedFile(in: folder) else {
      return FolderFeatures(clones: nil, attributes: nil)
    }
    let block = [UInt8](repeating: 1, count: 4096)
    guard write(one.raw, block, block.count) == block.count else {
      return FolderFeatures(clones: nil, attributes: nil)
    }
    return FolderFeatures(
      clones: clinux_clone(other.raw, one.raw) == 0,
      attributes: clinux_set_attribute(one.raw, "user.keydrag", block, 1) == 0)
  }

  /// The path of `lp`; `nil` when it is not installed.
  package static func printer() -> FilePath? { TaskPlaces.printer() }

  /// The path of the home trash, whether it is there yet or not.
  package static var homeTrash: FilePath { TrashCan().home }
}

/// A file that is gone when this value is.
private final class UnnamedFile {
  let raw: CInt

  init?(in folder: FilePath) {
    raw = folder.withPlatformString { open($0, clinux_open_unnamed | O_RDWR | O_CLOEXEC, 0o600) }
    if raw < 0 { return nil }
  }

  deinit { close(raw) }
}
