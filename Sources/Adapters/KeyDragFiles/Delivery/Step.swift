import KeyDragCore
import SystemPackage

/// One item on its way: what the journal keeps of it, and the folders it is done in.
///
/// Made by ``DeliveryPlanner`` or by ``HistoryRun``, taken by ``StepRunner``, which writes into it
/// where it landed. It keeps its folders open as long as it lives.
struct Step {
  var record: StepRecord
  /// Index of the thing that it is, or is part of, among what was ordered. 0 for redo, where the
  /// journal knows steps only.
  var item = 0
  /// `.open` is refused when the step is taken.
  var operation: DragOperation
  /// For `.remove`: whether it is deleted instead of going to the trash.
  var permanently = false
  /// The answer for a name that is taken when the step lands. Becomes `.fail` for a move across
  /// file systems to the trash.
  var clash: ClashPolicy
  let sourceFolder: OpenFolder
  /// With ``sourceFolder`` it names the source, without a path.
  let sourceName: FileName
  /// The folder it goes to; for an item that is deleted for good, the folder it is in.
  var targetFolder: OpenFolder
  /// The name it will bear; differs from ``wishedName`` to keep both.
  var targetName: FileName
  /// The name before any number was added.
  let wishedName: FileName
  /// The last number tried to make the name free. 0 before the wished name was tried.
  var lastNumber = 0
  /// A copy that is whole and waits, under its hidden name, to be on the device.
  /// ``StepRunner/land(_:)`` takes it out.
  var copied: CopyRecord?
  /// Whether some of it is gone for good, even where not all of it is.
  var isBegun = false
  /// Whether it has landed, and bears its hidden name as well.
  var isDoubled = false
  /// That of its entry, see ``EntryRecord/token``.
  let token: String
  /// The parts of it that stay where they are, because they can't be copied.
  var leftOut = LeftOut()
  /// The trash it goes to, for `.remove`.
  var slot: TrashSlot?

  /// Whether it is part of a folder that becomes one with another.
  var isInside: Bool { record.merged != nil }
  /// Whether nothing but the reason is needed of it where it fails: what keeps a folder from being
  /// empty tells of itself.
  var removesEmptied: Bool { record.emptied != nil }

  /// The parts that stayed, by their paths.
  var failures: [FileFailure] {
    leftOut.failures.map { part in
      FileFailure(
        source: FilePath(rawBytes: record.source.rawBytes + part.path), reason: part.reason)
    }
  }

  /// How many files and links it has brought; 1 for what was renamed.
  var files: Int { leftOut.isEmpty ? max(leftOut.others, 1) : leftOut.others }

  /// For calls: valid while the step lives.
  var source: FolderEntry { FolderEntry(sourceFolder, sourceName) }
  /// The hidden name under which a copy grows. In ``targetFolder``, which must be the file system
  /// that it lands on: the last rename can't cross.
  var part: FileName { EntryRecord.partName(token, record.index) }
  /// The hidden name on the way to another spelling of its own name.
  var aside: FileName { EntryRecord.asideName(token, record.index) }
  /// Whether any of it bears a hidden name; `true` also where that can't be looked at.
  var isHidden: Bool {
    ![part, aside].allSatisfy { FileCalls.isFree(targetFolder.raw, $0) }
  }
  /// The copy under its hidden name.
  var growing: FolderEntry { FolderEntry(targetFolder, part) }
  /// The same as ``landing``, to be looked up in sets.
  var placed: NameInFolder { NameInFolder(folder: targetFolder.stamp.identity, name: targetName) }
  /// The target under the name it will bear or bears.
  var landing: FolderEntry { FolderEntry(targetFolder, targetName) }

  /// The next name for it that nobody bears.
  mutating func freeName(isTaken: (FileName) -> Bool) -> FileName {
    FreeName.choose(
      wishedName, after: &lastNumber, isFolder: record.before.kind == .folder, isTaken: isTaken)
  }

  /// Takes another name in the target folder. The record has to be written down again, unless it
  /// was not yet.
  mutating func rename(to name: FileName) {
    targetName = name
    record.target = targetFolder.path.appending(name)
    record.targetFolder = targetFolder.stamp.identity
  }
}
