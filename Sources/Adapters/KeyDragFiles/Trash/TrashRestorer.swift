import Glibc
import KeyDragCore
import SystemPackage

/// The file that a step had replaced, found in the trash.
///
/// Used by undo, by a step that failed, and by recovery. It holds the trash's folder open.
struct TrashRestorer {
  private let trashed: FolderEntry
  private let note: TrashSlot.TrashNote

  /// `nil` where the trash does not hold it any more; throws why that can't be known.
  ///
  /// Others empty the trash and put things into it: what bears the name there by now and is not
  /// what the step had put there stays.
  init?(of step: StepRecord) throws {
    // Nothing was replaced, or the path is the root.
    guard let path = step.replaced, let name = path.name else { return nil }
    let files: OpenFolder
    do { files = try OpenFolder(path.folder) } catch Errno.noSuchFileOrDirectory
      where FileCalls.isFree(AT_FDCWD, FileName(bytes: path.folder.rawBytes))
    { return nil }
    if FileCalls.isFree(files.raw, name) { return nil }
    if let stamp = step.replacedStamp, !files.holds(stamp, name) {
      // Not the same, or there was no look.
      // Thrown on, so that an error is not taken for absence.
      _ = try FileCalls.status(files.raw, name)
      return nil
    }
    trashed = FolderEntry(files, name)
    note = try TrashSlot.TrashNote(of: path)
  }

  /// Renames it to a name that must be free, and removes its note.
  ///
  /// Throws `Errno.fileExists` where the name is taken; the thing stays in the trash then.
  func bringBack(to place: FolderEntry) throws {
    try FileCalls.rename(trashed, to: place)
    note.remove()
  }

  /// Brings back what a step had replaced, where that can be.
  ///
  /// - Returns: `false` where there was nothing to bring back, or it could not be.
  static func bringBackReplaced(of step: StepRecord, to place: FolderEntry) -> Bool {
    guard let replaced = try? TrashRestorer(of: step) else { return false }
    return (try? replaced.bringBack(to: place)) != nil
  }
}
