import FoundationEssentials
import GRDB
import KeyDragCore
import SystemPackage

/// How far one step of an entry is. The numbers are stored.
///
/// Only ``intended``, ``undoing`` and ``redoing`` mean that the disk has to be looked at.
enum StepState: Int64 {
  /// Written down before anything of it was done.
  case intended = 0
  /// At its target.
  case done = 1
  /// Not done; nothing of it waits for recovery.
  case failed = 2
  /// May be at its target, on its way back, or back.
  case undoing = 3
  /// Back where it was.
  case undone = 4
  /// May be where it was, on its way, or at its target once more.
  case redoing = 5

  /// Whether a run that ended now would leave it for the next one to look after.
  var isUnderWay: Bool { self == .intended || self == .undoing || self == .redoing }
}

/// One item of an entry: what was at hand, where it goes, and what became of it.
///
/// A row of the table `step`. Paths are for finding things, inodes for knowing them again.
struct StepRecord: Sendable {
  /// From 0, in the order of delivery; with the entry it is the key.
  var index: Int64
  var state: StepState = .intended
  /// Absolute.
  var source: FilePath
  /// The path it lands at; for an item that is deleted for good, the source once more.
  var target: FilePath
  /// The path in the trash of the thing that bore the name before. `nil` where nothing bore it.
  var replaced: FilePath?
  /// The stamp of that thing; `nil` where it was not written down.
  var replacedStamp: RecordedStamp?
  /// The source as it was.
  var before: RecordedStamp
  /// The thing as it landed; `nil` after a rename, which changes nothing that is compared.
  var after: RecordedStamp?
  /// Of a copy: digest by inode and times of all that is below its root. `nil` for what was not
  /// copied.
  var untouched: Fingerprint?
  /// Of a copy: digest of the bytes. `nil` where the kernel copied some of them, and after a
  /// rename.
  var contents: Fingerprint?
  /// Whether it was copied to another file system and then removed.
  var crossed = false
  /// When it was intended, in nanoseconds since 1970.
  ///
  /// Renewed by undo and redo.
  var begun: Int64
  /// The folders that hold source and target; `nil` where they were not written down.
  ///
  /// By device and inode, both as they were then.
  var sourceFolder: FileIdentity?
  var targetFolder: FileIdentity?
  /// Set where it is part of a folder that became one with another: that other one. Only things
  /// inside have it, and the folders that were emptied.
  var merged: FilePath?
  /// Set where the step removes a folder that was emptied: the permissions it had.
  ///
  /// As in chmod(2), 12 bits.
  var emptied: UInt32?

  /// The stamp that has to be at the target for the step to be taken back.
  var landed: RecordedStamp { after ?? before }

  /// Whether there is nothing that it could be made of again.
  func isWithoutOriginal(by operation: DragOperation) -> Bool {
    source == target && !makesFolder(by: operation) && emptied == nil
  }

  /// Whether it makes an empty folder: a folder with contents that is its own original was made for
  /// one drop alone.
  func makesFolder(by operation: DragOperation) -> Bool {
    operation != .remove && source == target && before.kind == .folder && emptied == nil
      && contents == nil
  }
}

/// One delivery as the journal keeps it.
///
/// A row of the table `entry`.
struct EntryRecord: Sendable {
  /// 0 until it is written down; from 1 by the order of beginning.
  var number: Int64 = 0
  var operation: DragOperation
  /// Deleted instead of sent to the trash: such an entry can't be undone.
  var permanently: Bool
  /// The target's name, safe to speak, as it was then.
  var place: String
  /// Seconds since 1970.
  var time: Int64
  /// Part of the hidden names of unfinished copies.
  ///
  /// Sixteen hexadecimal digits that no other entry has: hidden names never meet.
  var token: String
  /// How many items were ordered.
  ///
  /// Corrected while a delivery is planned, see ``DeliveryPlanner/planned``.
  var planned: Int64
  var isUndone = false
  /// The program that dropped it here, safe to speak; `nil` for this one. What it has dropped is not
  /// done again: its path is told by that program.
  var visitor: String?

  /// The hidden name under which one step's copy grows.
  ///
  /// In the target's folder; the leading dot hides it from people, the token from other runs.
  func partName(_ index: Int64) -> FileName { Self.partName(token, index) }

  /// The same by the entry's token.
  static func partName(_ token: String, _ index: Int64) -> FileName {
    NameFilter.temporary("\(token)-\(index)")
  }

  /// The hidden name of a copy that is about to be taken back, until it is proved to be ours, and of
  /// what gets another spelling of its own name.
  ///
  /// In the target's folder.
  func asideName(_ index: Int64) -> FileName { Self.asideName(token, index) }

  /// The same by the entry's token.
  static func asideName(_ token: String, _ index: Int64) -> FileName {
    NameFilter.temporary("\(token)-\(index).aside")
  }
}

extension RecordedStamp {
  /// Forty bytes: five numbers, lowest byte first. Kind, inode, size, modified, changed.
  var data: Data { withBytes { Data($0) } }

  /// The same bytes, valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let numbers = (
      kind.rawValue.littleEndian, inode.littleEndian, size.littleEndian, modified.littleEndian,
      changed.littleEndian
    )
    return withUnsafeBytes(of: numbers) { body($0) }
  }

  /// How the data of a folder's stamp begin.
  ///
  /// For conditions of SQL, which compare the first 8 bytes.
  static var folderKind: Data {
    RecordedStamp(kind: .folder, inode: 0, size: 0, modified: 0, changed: 0).data.prefix(8)
  }

  /// `nil` for anything but what ``data`` gives.
  ///
  /// A kind that is not known is no stamp either.
  init?(data: Data) {
    guard data.count == 40 else { return nil }
    let bytes = Array(data)
    let numbers = (0..<5).map { index in
      bytes[(index * 8)..<(index * 8 + 8)].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    guard let kind = FileKind(rawValue: Int64(bitPattern: numbers[0])) else { return nil }
    self.init(
      kind: kind, inode: numbers[1], size: Int64(bitPattern: numbers[2]),
      modified: Int64(bitPattern: numbers[3]), changed: Int64(bitPattern: numbers[4]))
  }
}

extension FileIdentity {
  /// Sixteen bytes: device and inode, lowest byte first. Beside stamps, which hold no device: a
  /// folder is looked for on the disk where it was.
  var data: Data { withBytes { Data($0) } }

  /// The same bytes, valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (device.littleEndian, inode.littleEndian)) { body($0) }
  }

  /// `nil` for anything but what ``data`` gives; the mark of a folder that was made anew may
  /// follow.
  init?(data: Data) {
    guard data.count == 16 || data.count == 17 else { return nil }
    let bytes = Array(data)
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(device: number(0..<8), inode: number(8..<16))
  }
}

/// Blobs and no text: names have no encoding.
extension FilePath {
  /// Without the closing zero.
  var data: Data {
    withPlatformString { pointer in
      Data(bytes: pointer, count: length)
    }
  }
}

extension StepRecord {
  /// From a row of the table `step`; `nil` when it does not hold what we write.
  ///
  /// A row with a defect is left out and never guessed at.
  init?(row: Row) {
    guard let state = StepState(rawValue: row["state"]),
      let before = (row["before"] as Data?).flatMap(RecordedStamp.init(data:)),
      let source = row["source"] as Data?, let target = row["target"] as Data?
    else { return nil }
    self.init(
      index: row["idx"], state: state, source: FilePath(rawBytes: source),
      target: FilePath(rawBytes: target),
      replaced: (row["replaced"] as Data?).map { FilePath(rawBytes: $0) },
      replacedStamp: (row["replaced_stamp"] as Data?).flatMap(RecordedStamp.init(data:)),
      before: before,
      after: (row["after"] as Data?).flatMap(RecordedStamp.init(data:)),
      untouched: (row["untouched"] as Data?).flatMap { Fingerprint(bytes: Array($0)) },
      contents: (row["contents"] as Data?).flatMap { Fingerprint(bytes: Array($0)) },
      crossed: row["crossed"], begun: row["begun"],
      sourceFolder: (row["source_folder"] as Data?).flatMap(FileIdentity.init(data:)),
      targetFolder: (row["target_folder"] as Data?).flatMap(FileIdentity.init(data:)),
      merged: (row["merged"] as Data?).map { FilePath(rawBytes: $0) },
      emptied: (row["emptied"] as Int64?).flatMap { UInt32(exactly: $0) })
  }
}

extension EntryRecord {
  /// From a row of the table `entry`; `nil` when it does not hold what we write.
  ///
  /// An operation that is not known is left out.
  init?(row: Row) {
    guard let operation = (row["operation"] as String?).flatMap(DragOperation.init(rawValue:))
    else { return nil }
    self.init(
      number: row["number"], operation: operation, permanently: row["permanently"],
      place: row["place"], time: row["time"], token: row["token"], planned: row["planned"],
      isUndone: (row["undo_order"] as Int64?) != nil, visitor: row["visitor"])
  }
}
