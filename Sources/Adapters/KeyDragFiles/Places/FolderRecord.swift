import KeyDragCore
import SystemPackage

/// How a folder is shown at the moment; it is watched while any of these holds.
///
/// Two at most: the same folder can be walked and be opened as a place.
struct ViewKinds: OptionSet, Sendable {
  let rawValue: UInt8
  /// Its items are walked.
  static let browsed = ViewKinds(rawValue: 1)
  /// It was opened while carrying, to show the places in it.
  static let opened = ViewKinds(rawValue: 2)
}

/// All that is known of one folder: what stays the same, and what its last listing showed.
///
/// A value in ``PlaceRegistry/Tables``, changed under its lock. An ordinal is a name's number in
/// ``names``; it stays the name's own when that goes and comes again.
struct FolderRecord: Sendable {
  /// Absolute.
  let path: FilePath
  /// Safe to speak.
  let name: String
  /// The number of the folder around it; `nil` for a folder given, and for one that was met by its
  /// path alone.
  let parent: UInt32?
  /// The number of the outermost root it lies in.
  let tree: UInt32
  /// All names ever seen in it.
  var names = NameTable()
  /// By ordinal; `nil` for what is not shown now.
  private(set) var kinds: [ItemKind?] = []
  /// The ordinals that are shown, in order: folders first.
  private(set) var order: [UInt32] = []
  /// How many of ``order`` are folders, links to one among them: they come first.
  private(set) var folderCount = 0
  /// Names with a dot that were left out at the last reading.
  var hiddenCount = 0
  /// Whether names with a dot are shown.
  var includesHidden = false
  /// Empty for a folder that is not watched.
  var showing: ViewKinds = []
  /// While a listing is made, names that changed wait here, so that neither hides the other. See
  /// ``PlaceRegistry/endListing(_:)``.
  var isListing = false
  var waiting: Set<[UInt8]> = []

  init(path: FilePath, name: String, parent: UInt32?, tree: UInt32) {
    self.path = path
    self.name = name
    self.parent = parent
    self.tree = tree
  }

  /// The folders around it, safe to show, from "/" or from the person's home on.
  ///
  /// "/" or "~" comes first. Empty for the root of the file system.
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

  /// The number of a name that is perhaps not shown yet.
  ///
  /// A new one is there as not shown.
  mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let ordinal = names.intern(name)
    if Int(ordinal) == kinds.count { kinds.append(nil) }
    return ordinal
  }

  /// Shows exactly what was read; `sorted` are the snapshot's indices in order.
  ///
  /// Ordinals of names that were known stay.
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

  /// Shows one entry more and tells where it stands.
  ///
  /// Only for an ordinal that is not shown now; it would stand there twice.
  mutating func insert(_ ordinal: UInt32, kind: ItemKind) -> Int {
    let position = position(for: ordinal, isFolder: kind.isFolder)
    order.insert(ordinal, at: position)
    kinds[Int(ordinal)] = kind
    folderCount += kind.isFolder ? 1 : 0
    return position
  }

  /// Shows an entry no more and tells what it was; `nil` when it was not shown.
  ///
  /// Its ordinal stays known.
  mutating func remove(_ ordinal: UInt32) -> ItemKind? {
    guard let kind = kind(ordinal) else { return nil }
    let position = position(for: ordinal, isFolder: kind.isFolder)
    if position < order.count, order[position] == ordinal { order.remove(at: position) }
    kinds[Int(ordinal)] = nil
    folderCount -= kind.isFolder ? 1 : 0
    return kind
  }

  /// The position at which a name stands or would stand, by halving.
  private func position(for ordinal: UInt32, isFolder: Bool) -> Int {
    // Folders stand before all others.
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
