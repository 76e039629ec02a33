import KeyDragCore

extension ProgramReader {
  /// The visible rows of a GTK 3 list box. Not by hit testing: the box would look at one row after
  /// the other, and take seconds for thousands. The place of a single row is known at once, if the
  /// row is visible.
  func boxRows(
    of box: OutlineTree.Node, _ toolkit: Toolkit
  ) async throws(Reason) -> [VisibleRow] {
    guard let told = box.told else { return [] }
    var count = box.count
    if count == nil { count = AtspiReplyDecoder.number(try await ask(box.id.childCount)) }
    guard let count, count > 0 else { return [] }
    var search = BoxSearch(count: count, box: told, seen: box.clip ?? told)
    var rows: [Int: VisibleRow] = [:]
    while case let wanted = search.wanted, !wanted.isEmpty {
      let children = try await single(wanted, of: box.id, count: count, toolkit)
      let found = try await looked(at: children.map(\.row), toolkit)
      var places: [Int: ReportedRectangle] = [:]
      for (child, row) in zip(children, found) {
        guard let place = row.told.flatMap(search.place) else { continue }
        places[child.index] = place
        rows[child.index] = row
        rows[child.index]?.told = place
      }
      search.take(wanted, places)
    }
    return rows.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Single rows of a box; the first ones with their contents, if those are one element each.
  private func single(
    _ wanted: [Int], of box: ElementID, count: Int, _ toolkit: Toolkit
  ) async throws(Reason) -> [(index: Int, row: VisibleRow)] {
    if count <= Self.mostOpened, wanted.count <= Self.mostHopeful, wanted == Array(0..<wanted.count)
    {
      let answers = try await ask([
        box.firstChildren(wanted.count),
        box.matches(MatchRule(), most: BoxContents.most(of: wanted.count), isDeep: true),
        box.matches(Self.labels, most: wanted.count, isDeep: true),
      ])
      if let rows = AtspiReplyDecoder.elements(answers[0]), rows.count == wanted.count,
        let all = AtspiReplyDecoder.elements(answers[1])
      {
        let contents = BoxContents(rows: rows, isAll: wanted.count == count, all: all)
        let labels = Set(AtspiReplyDecoder.elements(answers[2]) ?? [])
        return rows.enumerated().map { index, id in
          let children = contents[index]?.map {
            VisibleRow.Observation.Child(id: $0, isLabel: labels.contains($0))
          }
          return (
            index,
            VisibleRow(
              id: id, spot: RowInterpolation.GridIndex(row: index),
              look: VisibleRow.Observation(children: children))
          )
        }
      }
    }
    return try await children(wanted, of: box, toolkit).map {
      ($0.index, VisibleRow(id: $0.id, spot: RowInterpolation.GridIndex(row: $0.index)))
    }
  }

  /// The elements that most rows consist of; only their text is wanted.
  private static let labels = MatchRule(states: .visible, roles: ["label"])
  /// A larger box takes longer to find a row twice than each row to list its contents.
  private static let mostOpened = 1_000
  /// Most rows queried in the hope that they are visible.
  private static let mostHopeful = 64

  /// Queries the places of rows; few rows are queried for everything that is wanted of a visible
  /// one.
  private func looked(
    at rows: [VisibleRow], _ toolkit: Toolkit
  ) async throws(Reason) -> [VisibleRow] {
    if rows.count <= Self.mostHopeful {
      return try await look(
        at: rows, toolkit, sample: { _ in true }, areEqual: toolkit.asksOneRow, opens: true)
    }
    let answers = try await ask(rows.map { $0.id.extents(toolkit.coordinates) })
    return zip(rows, answers).map { row, answer in
      VisibleRow(id: row.id, told: AtspiReplyDecoder.rectangle(answer))
    }
  }
}

/// The contents of a list box's rows, by a flat list of what is in the box from its beginning: a
/// pure value.
struct BoxContents: Hashable, Sendable {
  private var inside: [Int: [ElementID]] = [:]

  /// The number of elements to ask for, to cover so many rows with one element each.
  static func most(of rows: Int) -> Int { 2 * rows + 1 }

  /// - Parameters:
  ///   - rows: the first rows.
  ///   - isAll: whether the box has no more.
  ///   - all: the elements that were asked for, parents before children.
  init(rows: [ElementID], isAll: Bool, all: [ElementID]) {
    var starts: [Int] = []
    for (place, id) in all.enumerated() where starts.count < rows.count {
      if id == rows[starts.count] { starts.append(place) }
    }
    let isWhole = isAll && starts.count == rows.count && all.count < Self.most(of: rows.count)
    // After the last row found there may be more of it, or a row that is none of these.
    let ends = starts.dropFirst() + (isWhole ? [all.count] : [])
    for (row, (start, end)) in zip(starts, ends).enumerated() {
      // Of several elements the hierarchy is unknown.
      if end - start <= 2 { inside[row] = Array(all[(start + 1)..<end]) }
    }
  }

  /// The children of a row; `nil` when unknown.
  subscript(row: Int) -> [ElementID]? { inside[row] }
}

/// Finds the visible rows of a list box by probing a few of them: a pure value. Invisible rows have
/// no place, and the box's own may be off by a whole turn.
struct BoxSearch: Hashable, Sendable {
  private let count: Int
  private let box: ReportedRectangle
  private let seen: ReportedRectangle
  private var looked: Set<Int> = []
  private var found: [Int: ReportedRectangle] = [:]
  /// Distance from the found rows to probe next.
  private var reach = 4
  /// Number of evenly spread probes.
  private var spread = 0
  /// The rows to probe next; empty when the search is over.
  private(set) var wanted: [Int] = []

  /// Fewer rows are all probed.
  private static let few = 12
  /// More rows are not probed.
  private static let most = 2_000
  private static let widest = 512
  private static let turn = 65_536
  /// Boxes higher than so many turns are searched like those with rows of any height.
  private static let mostTurns = 64

  /// - Parameters:
  ///   - box: as reported.
  ///   - seen: the visible part of its surroundings.
  init(count: Int, box: ReportedRectangle, seen: ReportedRectangle) {
    (self.count, self.box, self.seen) = (max(count, 0), box, seen)
    guard !seen.isEmpty, !box.isEmpty else { return }
    wanted = guess()
  }

  /// The place of a visible row; `nil` for any other.
  func place(_ told: ReportedRectangle) -> ReportedRectangle? {
    // A row without a place still reports a size.
    guard told.y > Int(Int32.min) / 2, !told.isEmpty else { return nil }
    let place = told.unwrapped(into: seen)
    return place.common(seen).isEmpty ? nil : place
  }

  /// Assumes equal heights: the rows that would be visible, or the middle ones when the box may be
  /// in several places.
  private func guess() -> [Int] {
    guard count > Self.few else { return Array(0..<count) }
    let last = seen.y + seen.height - box.height
    // As reported, and off by whole turns as far as it then covers the visible part.
    let turns = min((abs(box.y) + box.height) / Self.turn + 1, Self.mostTurns)
    let tops = (-turns...turns).map { box.y + $0 * Self.turn }.filter { $0 <= seen.y && $0 >= last }
    if tops.count > 1 { return Set(tops.map { row(at: seen.y + seen.height / 2, $0) }).sorted() }
    let top = tops.first ?? box.y
    let (first, end) = (row(at: seen.y, top), row(at: seen.y + seen.height, top))
    return Array((max(first - 1, 0)..<min(max(end, first) + 2, count)).prefix(Self.most))
  }

  private func row(at y: Int, _ top: Int) -> Int {
    let index = Double(y - top) / Double(max(box.height, 1)) * Double(count)
    return Int(min(max(index, 0), Double(count - 1)))
  }

  mutating func take(_ rows: [Int], _ places: [Int: ReportedRectangle]) {
    looked.formUnion(rows)
    found.merge(places) { $1 }
    wanted = looked.count < Self.most ? next() : []
  }

  private mutating func next() -> [Int] {
    guard let first = found.keys.min(), let last = found.keys.max(), let upper = found[first],
      let lower = found[last]
    else { return anywhere() }
    let height = max(found.values.map(\.height).min() ?? 1, 1)
    var result: [Int] = []
    // Rows between two visible ones are visible, or hidden.
    result += unseen(first..<last)
    // Hidden rows lie before and after too, so the reach grows each time.
    if upper.y > seen.y {
      let end = gap(below: first)
      result += unseen(max(end - (upper.y - seen.y) / height - reach, 0)..<end)
    }
    if lower.y + lower.height < seen.y + seen.height {
      let room = (seen.y + seen.height - lower.y - lower.height) / height + reach
      let start = gap(above: last)
      result += unseen(start..<max(min(start + room, count), start))
    }
    reach = min(reach * 2, Self.most)
    return Array(result.prefix(Self.most))
  }

  /// Those not probed yet: a program may claim any number of rows.
  private func unseen(_ rows: Range<Int>) -> [Int] {
    Array(rows.lazy.filter { !looked.contains($0) }.prefix(Self.most))
  }

  /// The end of the nearest gap of unprobed rows before a row.
  private func gap(below row: Int) -> Int {
    var row = row
    while row > 0, looked.contains(row - 1) { row -= 1 }
    return row
  }

  private func gap(above row: Int) -> Int {
    var row = row + 1
    while row < count, looked.contains(row) { row += 1 }
    return row
  }

  /// Ever more rows, spread over the box.
  private mutating func anywhere() -> [Int] {
    while spread < min(Self.widest, count) {
      spread = max(spread * 4, 32)
      let rows = (0..<spread).map { count * $0 / spread + count / spread / 2 }
      let new = Set(rows.map { min($0, count - 1) }).subtracting(looked)
      if !new.isEmpty { return new.sorted() }
    }
    return []
  }
}
