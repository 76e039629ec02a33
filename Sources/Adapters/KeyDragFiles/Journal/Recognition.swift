import KeyDragCore
import SystemPackage

/// Tells whether what stands somewhere still is what was delivered there.
///
/// Undo asks it before it deletes or moves anything. Throws what the disk answers where it can't
/// look, which is no proof of anything.
struct Recognition {
  let copier: TreeCopier

  /// Throws `Reason.gone` or `Reason.changed` when it is not.
  ///
  /// A renamed thing is known by kind, length and time; a copy, which undo deletes, has to be
  /// proved byte for byte, or by a change time that no write leaves alone.
  ///
  /// - Parameter operation: the entry's: it decides how much has to be proved.
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

  /// Cheapest proof first: by change times, then by reading the copy, then by reading both.
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

  /// The contents of the original, when it is still as it was copied.
  ///
  /// `nil` where it can't be proved that the original is what was copied: then the copy is kept.
  private func sourceContents(_ step: StepRecord) throws -> Fingerprint? {
    guard let name = step.source.name,
      let folder = try? OpenFolder(step.source.folder),
      let stamp = try? FileCalls.status(folder.raw, name), step.before.isSame(as: stamp)
    else { return nil }
    return try copier.contents(of: FolderEntry(folder, name))
  }
}
