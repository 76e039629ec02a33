import Glibc
import KeyDragCore
import SystemPackage

/// A folder that a merge had emptied and removed, and that an undo has made anew.
///
/// Inodes are what steps are found by, so every older step has to be led to the new one.
struct RemadeFolder: Sendable {
  /// Its inode comes from the step, its device from the step's folder.
  var old: FileIdentity
  var new: FileIdentity

  /// Makes the folder that a step removed, with the permissions it had; one that stands there by
  /// now will do.
  ///
  /// Throws `Reason.nameExists` where something else than a folder stands there. Without `emptied`,
  /// it is the owner's alone.
  ///
  /// - Returns: what it was and is; `step` holds afterwards how to recognise it.
  static func make(_ step: inout StepRecord, in folder: OpenFolder, _ name: FileName) throws
    -> RemadeFolder
  {
    if FileCalls.exists(folder.raw, name) {
      guard try FileCalls.status(folder.raw, name).kind == .folder else { throw Reason.nameExists }
    } else {
      try FileCalls.makeFolder(folder.raw, name)
      // The mask of the process does not count: it had these.
      let mode = mode_t(step.emptied ?? 0o700)
      if let made = try? FileCalls.open(folder.raw, name, flags: O_RDONLY | O_DIRECTORY) {
        _ = fchmod(made.raw, mode)
      }
    }
    guard let remade = found(&step, in: folder, name) else { throw Reason.gone }
    return remade
  }

  /// The folder as it is there; `nil` where there is none.
  ///
  /// `step` is changed only where one is found.
  static func found(
    _ step: inout StepRecord, in folder: OpenFolder, _ name: FileName
  ) -> RemadeFolder? {
    guard let now = try? FileCalls.status(folder.raw, name), now.kind == .folder else { return nil }
    let device = step.sourceFolder?.device ?? now.identity.device
    let old = FileIdentity(device: device, inode: step.before.inode)
    step.before = now.recorded
    return RemadeFolder(old: old, new: now.identity)
  }
}

extension StepRecord {
  /// Has a step that was done in a folder look for the one that was made in its place.
  ///
  /// By what the folder was; steps in other folders stay as they are.
  mutating func lead(to remade: [FileIdentity: FileIdentity]) {
    if remade.isEmpty { return }
    sourceFolder = sourceFolder.map { remade[$0] ?? $0 }
    targetFolder = targetFolder.map { remade[$0] ?? $0 }
  }
}
