/// Cached sizes and dates of visible items, for columns on a screen; nothing waits for them.
struct RowFactTable {
  /// The limit of the cache; a screenful is needed.
  private static let most = 2000

  private(set) var known: [DragSourceID: RowFacts] = [:]
  /// Whether anything has changed since the last request.
  var isStale = false

  /// The items to request facts for, after which the table is no longer stale.
  mutating func wanted(of items: [DragSourceID]) -> [DragSourceID] {
    let wanted = isStale ? items : items.filter { known[$0] == nil }
    if !wanted.isEmpty { isStale = false }
    return wanted
  }

  /// Adds facts; returns whether any of them is new.
  mutating func take(_ facts: [DragSourceID: RowFacts]) -> Bool {
    if known.count + facts.count > Self.most { known = [:] }
    guard facts.contains(where: { known[$0.key] != $0.value }) else { return false }
    known.merge(facts) { $1 }
    return true
  }
}

extension Session {
  mutating func measure(_ items: [DragSourceID]) {
    guard settings.isInFolders, !outstanding.values.contains(.measure) else { return }
    let wanted = rowFacts.wanted(of: items)
    guard !wanted.isEmpty else { return }
    request(.folders(.measure(wanted)), for: .measure)
  }

  mutating func measured(_ facts: [DragSourceID: RowFacts]) {
    if rowFacts.take(facts) { emit(.repaint) }
  }
}
