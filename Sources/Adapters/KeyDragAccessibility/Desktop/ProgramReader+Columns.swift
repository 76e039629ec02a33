import KeyDragCore

extension ProgramReader {
  /// Shorter columns are read like any other element.
  private static let shortColumn = 200

  /// The visible children of an element far taller than its visible part; `nil` for one to be read
  /// like any other. A GTK 3 list box takes a second to report which of 5,000 rows are shown, since
  /// it builds a list of all of them for each. The place of a single row is known at once.
  func shownColumn(
    of element: OutlineTree.Node, _ toolkit: Toolkit
  ) async throws(Reason) -> [ElementID]? {
    guard let column = element.told, let seen = element.clip?.common(column), !seen.isEmpty,
      column.height > 2 * seen.height
    else { return nil }
    var count = element.count
    if count == nil { count = AtspiReplyDecoder.number(try await ask(element.id.childCount)) }
    guard let count, count > Self.shortColumn else { return nil }
    var search = ColumnSearch(
      count: count, column: .init(top: column.y, bottom: column.y + column.height),
      seen: .init(top: seen.y, bottom: seen.y + seen.height))
    while case let probes = search.probes, !probes.isEmpty {
      let children = try await children(probes, of: element.id, toolkit)
      let answers = try await ask(children.map { $0.id.extents(toolkit.coordinates) })
      var places: [Int: ColumnSearch.Extent] = [:]
      for (child, answer) in zip(children, answers) {
        guard let told = AtspiReplyDecoder.rectangle(answer), toolkit.isPlace(told) else {
          continue
        }
        places[child.index] = .init(top: told.y, bottom: told.y + told.height)
      }
      search.take(probes, places)
    }
    guard let range = search.range else { return nil }
    return try await children(Array(range), of: element.id, toolkit).map(\.id)
  }

  func children(
    _ indices: [Int], of element: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> [(index: Int, id: ElementID)] {
    // The first ones come in one answer.
    if toolkit.reading == .levels, indices.count > 3, indices == Array(0..<indices.count),
      let all = AtspiReplyDecoder.elements(
        try await ask(element.firstChildren(indices.count))),
      all.count == indices.count
    {
      return zip(indices, all).map { ($0, $1) }
    }
    let answers = try await ask(indices.map { element.child($0) })
    return zip(indices, answers).compactMap { index, answer in
      AtspiReplyDecoder.element(answer).map { (index, $0) }
    }
  }
}
