/// What comes and goes by itself, and what of it needs no word.
struct ChangeLog {
  /// Items that appear closely after one another.
  var appearing: AppearanceBatch?
  /// The items carried away last, whose vanishing needs no word.
  var taken: Set<DragSourceID> = []
  /// The folder that the last drop makes; its outcome tells of it.
  var madeFolder: String?
  /// The undo or redo that was told last, until the next key: by it things still come and go, which
  /// need no word of their own.
  var settling: HistoryEntry?
}

/// Items that appear in one container closely after one another, until a while passes without any.
///
/// One alone is told at once. Of many there are at most two messages, whatever their pace: how many
/// there were when the first was due, and how many there are in all once no more come.
struct AppearanceBatch: Sendable {
  let container: ContainerID
  /// Those that nobody has been told of, in their order.
  private(set) var names: [String]
  /// How many have been told.
  private var told = 0
  /// Whether some came since the last tick.
  private var hasGrown = false
  /// How often it was waited for more before anything was told.
  private var waits = 0
  private(set) var isOver = false

  /// More things than these are told by their number.
  private static let mostNamed = 3
  /// The first message of many comes after so many waits, though more are coming: after two seconds.
  private static let mostWaits = 8

  init(container: ContainerID, names: [String]) {
    (self.container, self.names) = (container, names)
  }

  /// The time in milliseconds until the next tick. A program that writes files pauses longer on a busy
  /// machine than between two of its files.
  var delay: Int {
    if told == 0 { return waits == 0 ? 100 : 250 }
    return told + names.count > Self.mostNamed ? 2000 : 1000
  }

  mutating func add(_ new: [String]) {
    names += new
    hasGrown = true
  }

  /// Takes out one that has gone again; `false` where the person has been told of it.
  mutating func remove(_ name: String) -> Bool {
    guard let index = names.firstIndex(of: name) else { return false }
    names.remove(at: index)
    return true
  }

  /// The delay is over.
  ///
  /// - Returns: what there is to say of it.
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
