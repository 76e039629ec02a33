import KeyDragCore

/// The number of a drag source, taken apart: a folder known by number and a name's place in it.
///
/// 64 bits: the folder in the upper half, the ordinal in the lower.
struct EntryID: Hashable, Sendable {
  /// Given by ``PlaceRegistry``.
  var folder: UInt32
  /// Given by ``NameTable``.
  var ordinal: UInt32

  init(folder: UInt32, ordinal: UInt32) {
    self.folder = folder
    self.ordinal = ordinal
  }

  /// What no folder has numbered is in none.
  ///
  /// No folder has the number that stands for them.
  init(_ source: DragSourceID) {
    self.init(source.owner == .files ? source.rawValue : .max)
  }

  fileprivate init(_ number: UInt64) {
    folder = UInt32(truncatingIfNeeded: number >> 32)
    ordinal = UInt32(truncatingIfNeeded: number)
  }

  fileprivate var number: UInt64 { UInt64(folder) << 32 | UInt64(ordinal) }

  var source: DragSourceID { DragSourceID(number, of: .files) }
}

/// The number of a drop point, taken apart.
///
/// 64 bits as in ``EntryID``; two ordinals and one folder number are kept for what is no entry.
enum PointID: Hashable, Sendable {
  /// The folder with this number itself.
  case folder(UInt32)
  /// A folder, or a link to one, inside a folder that has a number.
  case entry(EntryID)
  case trash
  case print
  case clipboard
  /// A program, by its place among the programs offered in this run.
  case program(UInt32)
  /// A folder that is to be made in the folder with this number.
  case newFolder(UInt32)

  /// The folder number no folder ever gets; it marks the task places.
  static let taskFolder = UInt32.max
  /// The ordinal no entry ever gets; it marks the folder itself.
  static let itself = UInt32.max
  /// The ordinal that stands for a folder to be made; no entry gets it either.
  static let toBeMade = UInt32.max - 1

  /// Never fails: a point of another owner is a folder that nobody has numbered.
  init(_ point: DropPointID) {
    let id = EntryID(point.rawValue)
    if point.owner != .files {
      self = .folder(Self.taskFolder)
    } else if id.folder == Self.taskFolder {
      switch id.ordinal {
      case 0: self = .trash
      case 1: self = .print
      case 2: self = .clipboard
      default: self = .program(id.ordinal - 3)
      }
    } else if id.ordinal == Self.itself {
      self = .folder(id.folder)
    } else if id.ordinal == Self.toBeMade {
      self = .newFolder(id.folder)
    } else {
      self = .entry(id)
    }
  }

  /// The inverse of ``init(_:)`` for points that are ours.
  var point: DropPointID {
    let id =
      switch self {
      case .folder(let folder): EntryID(folder: folder, ordinal: Self.itself)
      case .entry(let entry): entry
      case .trash: EntryID(folder: Self.taskFolder, ordinal: 0)
      case .print: EntryID(folder: Self.taskFolder, ordinal: 1)
      case .clipboard: EntryID(folder: Self.taskFolder, ordinal: 2)
      case .program(let number): EntryID(folder: Self.taskFolder, ordinal: number + 3)
      case .newFolder(let folder): EntryID(folder: folder, ordinal: Self.toBeMade)
      }
    return DropPointID(id.number, of: .files)
  }
}
