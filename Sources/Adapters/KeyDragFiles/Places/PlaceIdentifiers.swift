import KeyDragCore

/// A drag source id: folder number in the upper 32 bits, name ordinal in the lower.
struct EntryID: Hashable, Sendable {
  /// Assigned by ``PlaceRegistry``.
  var folder: UInt32
  /// Assigned by ``NameTable``.
  var ordinal: UInt32

  init(folder: UInt32, ordinal: UInt32) {
    self.folder = folder
    self.ordinal = ordinal
  }

  /// Ids of other owners map to a folder number that is never assigned.
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

/// A drop point id: 64 bits as in ``EntryID``, with two reserved ordinals and one reserved folder
/// number.
enum PointID: Hashable, Sendable {
  case folder(UInt32)
  /// A folder, or a link to one, in a numbered folder.
  case entry(EntryID)
  case trash
  case print
  case clipboard
  /// A program, by its index among those offered in this run.
  case program(UInt32)
  /// A folder to be created in the folder with this number.
  case newFolder(UInt32)

  /// Reserved folder number of task places.
  static let taskFolder = UInt32.max
  /// Reserved ordinal of the folder itself.
  static let itself = UInt32.max
  /// Reserved ordinal of a folder to be created.
  static let toBeMade = UInt32.max - 1

  /// Never fails: a point of another owner maps to an unassigned folder.
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
