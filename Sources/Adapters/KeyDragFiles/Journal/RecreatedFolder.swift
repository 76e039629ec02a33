import Glibc
import KeyDragCore
import SystemPackage

/// A folder that a merge removed and an undo has recreated. Steps are found by inode, so that older
/// ones have to be redirected.
struct RecreatedFolder: Sendable {
  /// Its inode is the step's, its device that of the step's folder.
  var old: FileIdentity
  var new: FileIdentity

  /// Recreates a removed folder with its permissions, 0700 if unknown; an existing folder is
  /// reused. Throws `Reason.nameExists` for anything else.
  ///
  /// - Parameter step: updated to recognise the folder.
  static func make(_ step: inout StepRecord, in folder: OpenFolder, _ name: FileName) throws
    -> RecreatedFolder
  {
    if FileCalls.exists(folder.raw, name) {
      guard try FileCalls.status(folder.raw, name).kind == .folder else { throw Reason.nameExists }
    } else {
      try FileCalls.makeFolder(folder.raw, name)
      // Sets the original mode regardless of the umask.
      let mode = mode_t(step.emptied ?? 0o700)
      if let made = try? FileCalls.open(folder.raw, name, flags: O_RDONLY | O_DIRECTORY) {
        _ = fchmod(made.raw, mode)
      }
    }
    guard let remade = found(&step, in: folder, name) else { throw Reason.gone }
    return remade
  }

  /// The existing folder; `nil` if there is none. Changes `step` only if one is found.
  static func found(
    _ step: inout StepRecord, in folder: OpenFolder, _ name: FileName
  ) -> RecreatedFolder? {
    guard let now = try? FileCalls.status(folder.raw, name), now.kind == .folder else { return nil }
    let device = step.sourceFolder?.device ?? now.identity.device
    let old = FileIdentity(device: device, inode: step.before.inode)
    step.before = now.recorded
    return RecreatedFolder(old: old, new: now.identity)
  }
}

extension StepRecord {
  /// Redirects the step from removed to recreated folders.
  mutating func lead(to remade: [FileIdentity: FileIdentity]) {
    if remade.isEmpty { return }
    sourceFolder = sourceFolder.map { remade[$0] ?? $0 }
    targetFolder = targetFolder.map { remade[$0] ?? $0 }
  }
}
