import FoundationEssentials
import GRDB
import KeyDragCore
import SystemPackage

/// How far one step of an entry is. The numbers are stored.
enum StepState: Int64 {
  case intended = 0
  case done = 1
  case failed = 2
  case undoing = 3
  case undone = 4
  case redoing = 5

  /// Whether a run that ended now would leave it for the next one to look after.
  var isUnderWay: Bool { self == .intended || self == .undoing || self == .redoing }
}

/// One item of an entry: what was at hand, where it goes, and what became of it.
struct StepRecord: Sendable {
  var index: Int64
  var state: StepState = .intended
  var source: FilePath
  /// The path it lands at; for an item that is deleted for good, the source once more.
  var target: FilePath
  /// The path in the trash of the thing that bore the name before.
  var replaced: FilePath?
  /// The stamp of that thing; `nil` where it was not written down.
  var replacedStamp: RecordedStamp?
  /// The source as it was.
  var before: RecordedStamp
  /// The thing as it landed; `nil` after a rename, which changes nothing that is compared.
  var after: RecordedStamp?
  var untouched: Fingerprint?
  var contents: Fingerprint?
  /// Whether it was copied to another file system and then removed.
  var crossed = false
  /// When it was intended, in nanoseconds since 1970.
  var begun: Int64
  /// The folders that hold source and target; `nil` where they were not written down.
  var sourceFolder: FileIdentity?
  var targetFolder: FileIdentity?
  /// Set where it is part of a folder that became one with another: that other one.
  var merged: FilePath?
  /// Set where the step removes a folder that was emptied: the permissions it had.
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
struct EntryRecord: Sendable {
  var number: Int64 = 0
  var operation: DragOperation
  var permanently: Bool
  var place: String
  /// Seconds since 1970.
  var time: Int64
  /// Part of the hidden names of unfinished copies.
  var token: String
  /// How many items were ordered.
  var planned: Int64
  var isUndone = false

  /// The hidden name under which one step's copy grows.
  func partName(_ index: Int64) -> FileName { FileName(".keydrag-\(token)-\(index).part") }

  /// The hidden name of a copy that is about to be taken back, until it is proved to be ours.
  func asideName(_ index: Int64) -> FileName { FileName(".keydrag-\(token)-\(index).aside.part") }
}

extension RecordedStamp {
  /// Forty bytes: five numbers, lowest byte first.
  var data: Data {
    var data = Data(capacity: 40)
    for number in [kind.rawValue, Int64(bitPattern: inode), size, modified, changed] {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  /// How the data of a folder's stamp begin.
  static var folderKind: Data {
    RecordedStamp(kind: .folder, inode: 0, size: 0, modified: 0, changed: 0).data.prefix(8)
  }

  /// `nil` for anything but what ``data`` gives.
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
  /// Sixteen bytes: device and inode, lowest byte first.
  var data: Data {
    var data = Data(capacity: 16)
    for number in [device, inode] {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  /// `nil` for anything but what ``data`` gives; the mark of a folder that was made anew may follow.
  init?(data: Data) {
    guard data.count == 16 || data.count == 17 else { return nil }
    let bytes = Array(data)
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(device: number(0..<8), inode: number(8..<16))
  }
}

extension FilePath {
  var data: Data {
    withPlatformString { pointer in
      Data(bytes: pointer, count: length)
    }
  }
}

extension StepRecord {
  /// From a row of the table `step`; `nil` when it does not hold what we write.
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
  init?(row: Row) {
    guard let operation = (row["operation"] as String?).flatMap(DragOperation.init(rawValue:))
    else { return nil }
    self.init(
      number: row["number"], operation: operation, permanently: row["permanently"],
      place: row["place"], time: row["time"], token: row["token"], planned: row["planned"],
      isUndone: (row["undo_order"] as Int64?) != nil)
  }
}
