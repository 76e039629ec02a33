import KeyDragCore
import SystemPackage

/// One item on its way: what the journal keeps of it, and the folders it is done in.
struct Step {
  var record: StepRecord
  /// Index of the thing that it is, or is part of, among what was ordered.
  var item = 0
  var operation: DragOperation
  var permanently = false
  var clash: ClashPolicy
  let sourceFolder: OpenFolder
  let sourceName: FileName
  /// The folder it goes to; for an item that is deleted for good, the folder it is in.
  var targetFolder: OpenFolder
  /// The name it will bear; differs from ``wishedName`` to keep both.
  var targetName: FileName
  let wishedName: FileName
  /// The last number tried to make the name free.
  var lastNumber = 0
  /// A copy that is whole and waits, under its hidden name, to be on the device.
  var copied: CopyRecord?
  /// Whether some of it is gone for good, even where not all of it is.
  var isBegun = false
  /// The hidden name under which a copy grows.
  let part: FileName
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

  var source: FolderEntry { FolderEntry(sourceFolder, sourceName) }
  var growing: FolderEntry { FolderEntry(targetFolder, part) }
  var landing: FolderEntry { FolderEntry(targetFolder, targetName) }

  /// Takes another name in the target folder.
  mutating func rename(to name: FileName) {
    targetName = name
    record.target = targetFolder.path.appending(name)
    record.targetFolder = targetFolder.stamp.identity
  }
}
