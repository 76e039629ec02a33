import KeyDragCore
import SystemPackage

/// A folder's current views; it is watched unless empty.
struct ViewKinds: OptionSet, Sendable {
  let rawValue: UInt8
  static let browsed = ViewKinds(rawValue: 1)
  /// Opened during a drag, to show the drop points in it.
  static let opened = ViewKinds(rawValue: 2)
}

/// Everything known about one folder: fixed properties and the latest listing.
///
/// A value in ``PlaceRegistry/Tables``, protected by its lock. An ordinal is a name's index in
/// ``names``, kept even if the name disappears and returns.
struct FolderRecord: Sendable {
  /// Absolute.
  let path: FilePath
  /// Safe to speak.
  let name: String
  /// The parent's number; `nil` for a root, and for a folder known only by path.
  let parent: UInt32?
  /// Number of the outermost root that contains it.
  let tree: UInt32
  /// All names ever seen in it.
  var names = NameTable()
  /// By ordinal; `nil` if not currently shown.
  private(set) var kinds: [ItemKind?] = []
  /// Shown ordinals in order, folders first.
  private(set) var order: [UInt32] = []
  /// Number of folders in ``order``, including links to folders.
  private(set) var folderCount = 0
  /// Number of hidden names left out of the last listing.
  var hiddenCount = 0
  var includesHidden = false
  /// Empty if it is not watched.
  var showing: ViewKinds = []
  /// Names that changed during a listing are deferred to ``PlaceRegistry/endListing(_:)``, so that
  /// neither overwrites the other.
  var isListing = false
  var waiting: Set<[UInt8]> = []

  /// Speakable ancestors, starting with "/" or, below home, with "~". Empty for the file system
  /// root.
  var around: [String] {
    let (outer, home) = (path.folder, StandardFolders.home)
    guard outer != path else { return [] }
    let isAtHome = home.components.count > 0 && outer.starts(with: home)
    let inside = outer.components.dropFirst(isAtHome ? home.components.count : 0)
    return [isAtHome ? "~" : "/"] + inside.map { SpokenName.file($0.bytes) }
  }

  /// `nil` for an unknown ordinal too.
  func kind(_ ordinal: UInt32) -> ItemKind? {
    Int(ordinal) < kinds.count ? kinds[Int(ordinal)] : nil
  }

  /// The ordinal of a name, added as not shown if it is new.
  mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let ordinal = names.intern(name)
    if Int(ordinal) == kinds.count { kinds.append(nil) }
    return ordinal
  }

  /// Shows exactly the snapshot. Known names keep their ordinals.
  ///
  /// - Parameter sorted: snapshot indices in order.
  mutating func replace(by snapshot: FolderSnapshot, sorted: [UInt32]) {
    names.reserve(names: snapshot.count, bytes: snapshot.byteCount)
    kinds = [ItemKind?](repeating: nil, count: names.count)
    order.removeAll(keepingCapacity: false)
    order.reserveCapacity(sorted.count)
    folderCount = 0
    for index in sorted {
      let ordinal = snapshot.withName(Int(index)) { intern($0) }
      let kind = snapshot.kinds[Int(index)]
      kinds[Int(ordinal)] = kind
      folderCount += kind.isFolder ? 1 : 0
      order.append(ordinal)
    }
    hiddenCount = snapshot.hiddenCount
  }

  /// Shows an entry and returns its position. Must not be shown already.
  mutating func insert(_ ordinal: UInt32, kind: ItemKind) -> Int {
    let position = position(for: ordinal, isFolder: kind.isFolder)
    order.insert(ordinal, at: position)
    kinds[Int(ordinal)] = kind
    folderCount += kind.isFolder ? 1 : 0
    return position
  }

  /// Hides an entry and returns its kind; `nil` if it was not shown. The ordinal stays assigned.
  mutating func remove(_ ordinal: UInt32) -> ItemKind? {
    guard let kind = kind(ordinal) else { return nil }
    let position = position(for: ordinal, isFolder: kind.isFolder)
    if position < order.count, order[position] == ordinal { order.remove(at: position) }
    kinds[Int(ordinal)] = nil
    folderCount -= kind.isFolder ? 1 : 0
    return kind
  }

  /// Binary search for a name's current or future position.
  private func position(for ordinal: UInt32, isFolder: Bool) -> Int {
    var low = isFolder ? 0 : folderCount
    var high = isFolder ? folderCount : order.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore = names.withName(order[middle]) { one in
        names.withName(ordinal) { other in NameOrder.precedes(one, other) }
      }
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
