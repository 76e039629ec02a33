import KeyDragCore
import SystemPackage

/// Verifies that a file is still as it was delivered, before undo deletes or moves it. Throws
/// system errors if it can't be read, which proves nothing.
struct Recognition {
  let copier: TreeCopier

  /// Throws `Reason.gone` or `Reason.changed` on a mismatch.
  ///
  /// A renamed file is recognised by kind, size and time. A copy, which undo deletes, must match
  /// byte for byte or by its change time, which every write updates.
  ///
  /// - Parameter operation: decides how strict the check is.
  func verify(_ step: StepRecord, _ operation: DragOperation, at place: FolderEntry) throws {
    let now = try FileCalls.status(place.folder, place.name)
    guard step.landed.isSame(as: now) else { throw Reason.changed }
    switch operation {
    case .copy: try verifyCopy(step, now, at: place)
    case .move where step.crossed, .remove where step.crossed: try verifyCopy(step, now, at: place)
    case .link:
      guard try FileCalls.linkText(place.folder, place.name) == step.source.rawBytes else {
        throw Reason.changed
      }
    case .move, .remove, .open: break
    }
  }

  /// Cheapest check first: change times, then the copy's contents, then both contents.
  private func verifyCopy(_ step: StepRecord, _ now: FileStamp, at place: FolderEntry) throws {
    if try isUntouched(step, now, at: place) { return }
    let contents = try copier.contents(of: place)
    if let recorded = step.contents {
      if contents == recorded { return }
    } else if try sourceContents(step) == contents {
      return
    }
    throw Reason.changed
  }

  /// By change time and inode for a file, by the digest of all entries for a folder.
  private func isUntouched(_ step: StepRecord, _ now: FileStamp, at place: FolderEntry) throws
    -> Bool
  {
    if now.kind == .folder {
      guard let recorded = step.untouched else { return false }
      return try TreeInspection.untouched(place) == recorded
    }
    return step.landed.isUntouched(now)
  }

  /// The original's contents if it is unchanged since the copy; otherwise `nil`, and the copy is
  /// kept.
  private func sourceContents(_ step: StepRecord) throws -> Fingerprint? {
    guard let name = step.source.name,
      let folder = try? OpenFolder(step.source.folder),
      let stamp = try? FileCalls.status(folder.raw, name), step.before.isSame(as: stamp)
    else { return nil }
    return try copier.contents(of: FolderEntry(folder, name))
  }
}
