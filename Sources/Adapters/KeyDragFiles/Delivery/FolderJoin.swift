import Glibc
import KeyDragCore
import SystemPackage

/// Puts what one folder holds into another on the same file system.
///
/// Used where an undo brings back a folder of which a part had stayed behind because it could not
/// be copied. Beside ``FolderMerge`` it exists because nothing here is written down: the journal
/// knows the whole as one step.
enum FolderJoin {
  /// Moves all of a folder, which then is gone; folders of one name become one. A first round looks
  /// for clashes, a second one renames. What somebody adds between the two can still stop the
  /// second in the middle.
  ///
  /// - Throws: `Reason.nameExists` where a file has a name that exists; nothing is moved then.
  static func join(_ from: FolderEntry, into target: FolderEntry) throws {
    try visit(from, target, moving: false)
    try visit(from, target, moving: true)
    try FileCalls.unlink(from.folder, from.name, isFolder: true)
  }

  /// Recursive: depth is that of the folder, and each level holds two descriptors open.
  private static func visit(_ from: FolderEntry, _ target: FolderEntry, moving: Bool) throws {
    let source = try FileCalls.open(from.folder, from.name, flags: O_RDONLY | O_DIRECTORY)
    let folder = try FileCalls.open(target.folder, target.name, flags: O_RDONLY | O_DIRECTORY)
    for name in try FileCalls.names(in: source.raw) {
      let (inner, outer) = (
        FolderEntry(folder: source.raw, name: name), FolderEntry(folder: folder.raw, name: name)
      )
      // An error of the look is taken for a free name: the rename replaces nothing and would tell.
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
