import KeyDragCore
import SystemPackage

/// Tells whether what stands somewhere still is what was delivered there.
struct Recognition {
  let copier: TreeCopier

  /// Throws `Reason.gone` or `Reason.changed` when it is not.
  ///
  /// A renamed thing is known by kind, length and time; a copy, which undo deletes, has to be
  /// proved byte for byte, or by a change time that no write leaves alone.
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
  private func sourceContents(_ step: StepRecord) throws -> Fingerprint? {
    guard let name = step.source.name,
      let folder = try? OpenFolder(step.source.folder),
      let stamp = try? FileCalls.status(folder.raw, name), step.before.isSame(as: stamp)
    else { return nil }
    return try copier.contents(of: FolderEntry(folder, name))
  }
}
