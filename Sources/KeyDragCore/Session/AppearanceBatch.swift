/// Changes from outside, and which of them need no announcement.
struct ChangeLog {
  /// Items appearing in quick succession.
  var appearing: AppearanceBatch?
  /// The items carried away last, whose disappearance needs no announcement.
  var taken: Set<DragSourceID> = []
  /// Those of them that are certain to disappear.
  var leaving: Set<DragSourceID> = []
  /// Their names, by which a given folder is known that was carried away.
  var takenNames: Set<String> = []
  /// The folder made by the last drop, whose outcome mentions it.
  var madeFolder: String?
  /// The last undo or redo announced, until the next key; its changes need no announcement.
  var settling: HistoryEntry?
  /// What one stood on when a new name, an undo or a redo took it away, until the outcome says where it went.
  var removed: (name: String, container: ContainerID)?
}

/// Items that appear in one container in quick succession.
///
/// A single one is announced at once. Many take at most two messages at any pace: the count when
/// the first is due, and the total once no more come.
struct AppearanceBatch: Sendable {
  let container: ContainerID
  /// Not announced yet, in order of appearance.
  private(set) var names: [String]
  private var told = 0
  /// Whether any appeared since the last tick.
  private var hasGrown = false
  /// The number of ticks before the first message.
  private var waits = 0
  private(set) var isOver = false

  /// More than these are announced by their number.
  private static let mostNamed = 3
  /// The ticks after which the first message comes while more are appearing: two seconds.
  private static let mostWaits = 8

  init(container: ContainerID, names: [String]) {
    (self.container, self.names) = (container, names)
  }

  /// Milliseconds to the next tick; a program writing files may pause longer on a busy machine.
  var delay: Int {
    if told == 0 { return waits == 0 ? 100 : 250 }
    return told + names.count > Self.mostNamed ? 2000 : 1000
  }

  mutating func add(_ new: [String]) {
    names += new
    hasGrown = true
  }

  /// Removes an item that has disappeared again; `false` if it has been announced.
  mutating func remove(_ name: String) -> Bool {
    guard let index = names.firstIndex(of: name) else { return false }
    names.remove(at: index)
    return true
  }

  /// Called when the delay is over; returns what to announce.
  mutating func tick() -> [Announcement] {
    let isGrowing = hasGrown
    hasGrown = false
    if told == 0 {
      // Several at once may be the first of many.
      if names.count > 1, waits < Self.mostWaits, isGrowing || waits == 0 {
        waits += 1
        return []
      }
    } else if isGrowing {
      return []
    } else {
      isOver = true
    }
    return tell()
  }

  private mutating func tell() -> [Announcement] {
    let (new, before) = (names, told)
    names = []
    told += new.count
    if told == 0 { isOver = true }
    guard let first = new.first else { return [] }
    if told <= Self.mostNamed || new.count == 1 { return new.map { .appeared(name: $0) } }
    return [.appeared(name: first, count: told, isTotal: before > 0)]
  }
}
