import Glibc
import KeyDragCore
import SystemPackage

/// Merges one folder into another on the same file system, when undo brings back a folder of which
/// a part could not be copied.
///
/// Unlike ``FolderMerge``, this is not journaled: the journal records the whole as one step.
enum FolderJoin {
  /// Moves a folder's contents and removes it. Checks for clashes first, then renames; entries
  /// added in between can still stop it halfway.
  ///
  /// - Throws: `Reason.nameExists` for a clash between files; nothing has been moved then.
  static func join(_ from: FolderEntry, into target: FolderEntry) throws {
    try visit(from, target, moving: false)
    try visit(from, target, moving: true)
    try FileCalls.unlink(from.folder, from.name, isFolder: true)
  }

  /// Recursive; holds two open descriptors per level.
  private static func visit(_ from: FolderEntry, _ target: FolderEntry, moving: Bool) throws {
    let source = try FileCalls.open(from.folder, from.name, flags: O_RDONLY | O_DIRECTORY)
    let folder = try FileCalls.open(target.folder, target.name, flags: O_RDONLY | O_DIRECTORY)
    for name in try FileCalls.names(in: source.raw) {
      let (inner, outer) = (
        FolderEntry(folder: source.raw, name: name), FolderEntry(folder: folder.raw, name: name)
      )
      // A failed check counts as a free name: the rename never replaces anything, and reports the
      // error.
      guard let there = try? FileCalls.status(outer.folder, name) else {
        if moving { try FileCalls.rename(inner, to: outer) }
        continue
      }
      guard there.kind == .folder, try FileCalls.status(inner.folder, name).kind == .folder else {
        throw Reason.nameExists
      }
      try visit(inner, outer, moving: moving)
      if moving { try FileCalls.unlink(source.raw, name, isFolder: true) }
    }
  }
}
