import KeyDragCore
import SystemPackage

/// One step of a delivery: its journal record and its open folders. Made by ``DeliveryPlanner`` or
/// ``HistoryRun``, run by ``StepRunner``, which stores the final location. Keeps its folders open.
struct Step {
  var record: StepRecord
  /// Index of the item in the order that it is, or is part of; 0 for redo, where the journal knows
  /// only steps.
  var item = 0
  /// `.open` is rejected when the step runs.
  var operation: DragOperation
  /// For `.remove`: whether it bypasses the trash.
  var permanently = false
  /// Policy for a name taken at landing. Becomes `.fail` for a move across file systems to the
  /// trash.
  var clash: ClashPolicy
  let sourceFolder: OpenFolder
  let sourceName: FileName
  /// The target folder; for a permanent removal, the folder it is in.
  var targetFolder: OpenFolder
  /// Differs from ``wishedName`` if numbered to keep both.
  var targetName: FileName
  let wishedName: FileName
  /// The last number tried; 0 before the wished name was tried.
  var lastNumber = 0
  /// A complete copy under its hidden name, waiting for a flush. Cleared by
  /// ``StepRunner/land(_:)``.
  var copied: CopyRecord?
  /// Whether a permanent removal has removed anything yet.
  var isBegun = false
  /// Whether it has landed but also still has its hidden name.
  var hasBothNames = false
  let token: String
  /// Entries that stay at the source because they can't be copied.
  var leftOut = SkippedEntries()
  /// Whether its copy has symbolic links; `nil` if it was not copied.
  var hasLinks: Bool?
  /// The trash it goes to, for `.remove`.
  var slot: TrashSlot?

  var mayHoldLinks: Bool { hasLinks ?? [.link, .folder].contains(record.before.kind) }
  var isInside: Bool { record.merged != nil }
  /// Whether it removes a folder after its contents were moved. A nonempty folder is no failure of
  /// its own, since the remaining entries are reported.
  var removesEmptied: Bool { record.emptied != nil }

  var failures: [DeliveryFailure] {
    leftOut.failures.map { part in
      DeliveryFailure(FilePath(rawBytes: record.source.rawBytes + part.path), part.reason)
    }
  }

  /// Number of files and links delivered; 1 for a rename.
  var files: Int { leftOut.isEmpty ? max(leftOut.others, 1) : leftOut.others }

  /// Valid for the step's lifetime.
  var source: FolderEntry { FolderEntry(sourceFolder, sourceName) }
  /// Hidden name of the growing copy. It is in ``targetFolder``, because the final rename can't
  /// cross file systems.
  var part: FileName { EntryRecord.partName(token, record.index) }
  /// Hidden name used to change the spelling of a name.
  var aside: FileName { EntryRecord.asideName(token, record.index) }
  /// Whether a hidden name exists; also `true` if that can't be checked.
  var isHidden: Bool {
    ![part, aside].allSatisfy { FileCalls.isFree(targetFolder.raw, $0) }
  }
  /// The copy under its hidden name.
  var growing: FolderEntry { FolderEntry(targetFolder, part) }
  var placed: NameInFolder { NameInFolder(folder: targetFolder.stamp.identity, name: targetName) }
  var landing: FolderEntry { FolderEntry(targetFolder, targetName) }

  mutating func freeName(isTaken: (FileName) -> Bool) -> FileName {
    FreeName.choose(
      wishedName, after: &lastNumber, isFolder: record.before.kind == .folder, isTaken: isTaken)
  }

  /// Changes the target name. A record that is already journaled has to be written again.
  mutating func rename(to name: FileName) {
    targetName = name
    record.target = targetFolder.path.appending(name)
    record.targetFolder = targetFolder.stamp.identity
  }
}

/// A name in a folder, independent of the path to it.
struct NameInFolder: Hashable {
  let folder: FileIdentity
  let name: FileName
}
