/// Sizes and dates of what has been in sight, for columns on a screen; nothing waits for them.
struct RowFactTable {
  /// More are not kept: a person looks at a screenful.
  private static let most = 2000

  private(set) var known: [DragSourceID: RowFacts] = [:]
  /// Whether anything has changed since they were asked for.
  var isStale = false

  /// The items whose facts are to be asked for, which are not stale from then on.
  mutating func wanted(of items: [DragSourceID]) -> [DragSourceID] {
    let wanted = isStale ? items : items.filter { known[$0] == nil }
    if !wanted.isEmpty { isStale = false }
    return wanted
  }

  /// Takes facts.
  ///
  /// - Returns: whether any of them is new.
  mutating func take(_ facts: [DragSourceID: RowFacts]) -> Bool {
    if known.count + facts.count > Self.most { known = [:] }
    guard facts.contains(where: { known[$0.key] != $0.value }) else { return false }
    known.merge(facts) { $1 }
    return true
  }
}

extension Session {
  /// Asks for what is not known of these, or of all where something has changed.
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
