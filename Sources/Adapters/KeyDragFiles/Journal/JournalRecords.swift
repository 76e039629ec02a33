import FoundationEssentials
import GRDB
import Glibc
import KeyDragCore
import SystemPackage

/// Raw values are stored. Only ``intended``, ``undoing`` and ``redoing`` require recovery to check
/// the disk.
enum StepState: Int64 {
  /// Journaled before anything was done.
  case intended = 0
  case done = 1
  /// Not done, with nothing left for recovery.
  case failed = 2
  /// May be at its target, on its way back, or back.
  case undoing = 3
  case undone = 4
  /// May be at its source, on its way, or at its target again.
  case redoing = 5

  /// Whether recovery has to check it.
  var isUnderWay: Bool { self == .intended || self == .undoing || self == .redoing }
}

/// One step of an entry: a row of the table `step`. Paths locate files, inodes recognise them.
struct StepRecord: Sendable {
  /// From 0, in delivery order; with the entry it is the key.
  var index: Int64
  var state: StepState = .intended
  /// Absolute.
  var source: FilePath
  /// The final path; for a permanent removal, the source again.
  var target: FilePath
  /// Path in the trash of the replaced file; `nil` if nothing was replaced.
  var replaced: FilePath?
  /// The replaced file's stamp; `nil` if it was not recorded.
  var replacedStamp: RecordedStamp?
  var before: RecordedStamp
  /// The landed file; `nil` after a rename, which changes nothing that is compared.
  var after: RecordedStamp?
  /// For a copy, the digest of everything below its root by inode and times; otherwise `nil`.
  var untouched: Fingerprint?
  /// For a copy, the digest of its contents; `nil` if the kernel copied any of them, and after a
  /// rename.
  var contents: Fingerprint?
  /// Whether it was copied to another file system and then removed.
  var crossed = false
  /// Time of the intent, in nanoseconds since 1970. Renewed by undo and redo.
  var begun: Int64
  /// The folders of source and target, by device and inode at that time; `nil` if not recorded.
  var sourceFolder: FileIdentity?
  var targetFolder: FileIdentity?
  /// The target of the folder merge that the step belongs to.
  var merged: FilePath?
  /// Permission bits (12, as in chmod(2)) of an emptied folder that the step removes.
  var emptied: UInt32?

  /// The stamp that the target must have for an undo.
  var landed: RecordedStamp { after ?? before }

  /// Whether it has no source to redo it from.
  func isWithoutOriginal(by operation: DragOperation) -> Bool {
    source == target && !makesFolder(by: operation) && emptied == nil
  }

  /// Whether it makes an empty folder. A folder with contents that is its own source was made for a
  /// single drop.
  func makesFolder(by operation: DragOperation) -> Bool {
    operation != .remove && source == target && before.kind == .folder && emptied == nil
      && contents == nil
  }
}

/// One delivery: a row of the table `entry`.
struct EntryRecord: Sendable {
  /// From 1, in order of creation; 0 until it is written.
  var number: Int64 = 0
  var operation: DragOperation
  /// Whether it bypassed the trash, so that it can't be undone.
  var permanently = false
  /// The target's name at that time, safe to speak.
  var place: String
  /// Seconds since 1970.
  var time = Int64(Glibc.time(nil))
  /// Part of the hidden names of unfinished copies: sixteen hexadecimal digits, unique per entry.
  var token = RandomName.hexadecimal(16)
  /// Number of items ordered, corrected during the delivery, see ``DeliveryPlanner/planned``.
  var planned: Int64
  var isUndone = false
  /// Program that the drop came from, safe to speak; `nil` for this one. Such entries can't be
  /// redone, because that program supplied the paths.
  var visitor: String?

  /// Hidden name of a step's growing copy, in the target's folder. The token tells it from other
  /// runs.
  func partName(_ index: Int64) -> FileName { Self.partName(token, index) }

  static func partName(_ token: String, _ index: Int64) -> FileName {
    NameFilter.temporary("\(token)-\(index)")
  }

  /// Hidden name in the target's folder of a copy being undone, until it is verified, and of a file
  /// changing the spelling of its name.
  func asideName(_ index: Int64) -> FileName { Self.asideName(token, index) }

  static func asideName(_ token: String, _ index: Int64) -> FileName {
    NameFilter.temporary("\(token)-\(index).aside")
  }
}

extension RecordedStamp {
  /// Forty bytes, little-endian: kind, inode, size, modified, changed.
  var data: Data { withBytes { Data($0) } }

  /// As ``data``; valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let numbers = (
      kind.rawValue.littleEndian, inode.littleEndian, size.littleEndian, modified.littleEndian,
      changed.littleEndian
    )
    return withUnsafeBytes(of: numbers) { body($0) }
  }

  /// First 8 bytes of a folder's stamp, for SQL conditions.
  static var folderKind: Data {
    RecordedStamp(kind: .folder, inode: 0, size: 0, modified: 0, changed: 0).data.prefix(8)
  }

  /// `nil` for anything that ``data`` does not produce, including an unknown kind.
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
  /// Sixteen bytes, little-endian: device and inode. Includes the device, unlike stamps, since a
  /// folder is looked up on its own disk.
  var data: Data { withBytes { Data($0) } }

  /// As ``data``; valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (device.littleEndian, inode.littleEndian)) { body($0) }
  }

  /// `nil` for anything that ``data`` does not produce, except that a recreated folder's marker
  /// byte may follow.
  init?(data: Data) {
    guard data.count == 16 || data.count == 17 else { return nil }
    let bytes = Array(data)
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(device: number(0..<8), inode: number(8..<16))
  }
}

extension StepRecord {
  /// From a row of the table `step`; `nil` if it is invalid, since defective rows are skipped.
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
  /// From a row of the table `entry`; `nil` for an unknown operation.
  init?(row: Row) {
    guard let operation = (row["operation"] as String?).flatMap(DragOperation.init(rawValue:))
    else { return nil }
    self.init(
      number: row["number"], operation: operation, permanently: row["permanently"],
      place: row["place"], time: row["time"], token: row["token"], planned: row["planned"],
      isUndone: (row["undo_order"] as Int64?) != nil, visitor: row["visitor"])
  }
}
