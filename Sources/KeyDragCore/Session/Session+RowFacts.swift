/// Sizes and dates of the items in sight.
extension Session {
  /// More are not kept: a person looks at a screenful.
  private static var mostFacts: Int { 2000 }

  /// Asks for what is not known of these, or of all where something has changed.
  mutating func measure(_ items: [DragSourceID]) {
    guard settings.isInFolders, !outstanding.values.contains(.measure) else { return }
    let wanted = areFactsStale ? items : items.filter { rowFacts[$0] == nil }
    guard !wanted.isEmpty else { return }
    areFactsStale = false
    request(.folders(.measure(wanted)), for: .measure)
  }

  mutating func measured(_ facts: [DragSourceID: RowFacts]) {
    if rowFacts.count + facts.count > Session.mostFacts { rowFacts = [:] }
    guard facts.contains(where: { rowFacts[$0.key] != $0.value }) else { return }
    rowFacts.merge(facts) { $1 }
    emit(.repaint)
  }
}
