import KeyDragCore

extension ProgramBus {
  /// The rows that can be seen in a list box of GTK 3.
  ///
  /// It is not asked what is at a point of it: it would look at one row after the other, and take
  /// seconds for thousands. Where a single row is it knows at once, if the row can be seen.
  func boxRows(
    of box: ElementOutline.Node, _ toolkit: Toolkit
  ) async throws(Reason) -> [ShownRow] {
    guard let told = box.told else { return [] }
    var count = box.count
    if count == nil { count = AccessibleAnswers.number(try await ask(box.id.childCount)) }
    guard let count, count > 0 else { return [] }
    var search = BoxSearch(count: count, box: told, seen: box.clip ?? told)
    var rows: [Int: ShownRow] = [:]
    while case let wanted = search.wanted, !wanted.isEmpty {
      let children = try await single(wanted, of: box.id, count: count, toolkit)
      let found = try await looked(at: children.map(\.row), toolkit)
      var places: [Int: ToldRectangle] = [:]
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

  /// Single rows of a box; the first ones with what is in them, where that is one thing each.
  private func single(
    _ wanted: [Int], of box: ElementID, count: Int, _ toolkit: Toolkit
  ) async throws(Reason) -> [(index: Int, row: ShownRow)] {
    if count <= Self.mostOpened, wanted.count <= Self.mostHopeful, wanted == Array(0..<wanted.count)
    {
      let answers = try await ask([
        box.firstChildren(wanted.count),
        box.matches(MatchRule(), most: BoxContents.most(of: wanted.count), isDeep: true),
        box.matches(Self.labels, most: wanted.count, isDeep: true),
      ])
      if let rows = AccessibleAnswers.elements(answers[0]), rows.count == wanted.count,
        let all = AccessibleAnswers.elements(answers[1])
      {
        let contents = BoxContents(rows: rows, isAll: wanted.count == count, all: all)
        let labels = Set(AccessibleAnswers.elements(answers[2]) ?? [])
        return rows.enumerated().map { index, id in
          let children = contents[index]?.map {
            ShownRow.Look.Child(id: $0, isLabel: labels.contains($0))
          }
          return (
            index,
            ShownRow(
              id: id, spot: EvenRows.Spot(row: index), look: ShownRow.Look(children: children))
          )
        }
      }
    }
    return try await children(wanted, of: box, toolkit).map {
      ($0.index, ShownRow(id: $0.id, spot: EvenRows.Spot(row: $0.index)))
    }
  }

  /// The elements that most rows consist of; nothing but their words is wanted of them.
  private static let labels = MatchRule(states: .visible, roles: ["label"])
  /// A box of more takes longer to find a row twice than each row to say what is in it.
  private static let mostOpened = 1_000
  /// The most rows that are looked at in the hope that they can be seen.
  private static let mostHopeful = 64

  /// Asks rows where they are; those that are few, for all that is wanted of one that can be seen.
  private func looked(
    at rows: [ShownRow], _ toolkit: Toolkit
  ) async throws(Reason) -> [ShownRow] {
    if rows.count <= Self.mostHopeful {
      return try await look(
        at: rows, toolkit, sample: { _ in true }, areEqual: toolkit.asksOneRow, opens: true)
    }
    let answers = try await ask(rows.map { $0.id.extents(toolkit.coordinates) })
    return zip(rows, answers).map { row, answer in
      ShownRow(id: row.id, told: AccessibleAnswers.rectangle(answer))
    }
  }
}

/// The contents of the rows of a list box, by all that is in the box from its beginning: a pure
/// value.
struct BoxContents: Hashable, Sendable {
  private var inside: [Int: [ElementID]] = [:]

  /// How much is asked for to see all that is in so many rows with one thing each.
  static func most(of rows: Int) -> Int { 2 * rows + 1 }

  /// - Parameters:
  ///   - rows: the first rows.
  ///   - isAll: whether the box has no more.
  ///   - all: as many elements as were asked for, each before what is in it.
  init(rows: [ElementID], isAll: Bool, all: [ElementID]) {
    var starts: [Int] = []
    for (place, id) in all.enumerated() where starts.count < rows.count {
      if id == rows[starts.count] { starts.append(place) }
    }
    let isWhole = isAll && starts.count == rows.count && all.count < Self.most(of: rows.count)
    // Behind the last row that was found there may be more of it, or a row that is none of these.
    let ends = starts.dropFirst() + (isWhole ? [all.count] : [])
    for (row, (start, end)) in zip(starts, ends).enumerated() {
      // Of several nobody tells what is in what.
      if end - start <= 2 { inside[row] = Array(all[(start + 1)..<end]) }
    }
  }

  /// The elements directly in a row; `nil` where they are not known.
  subscript(row: Int) -> [ElementID]? { inside[row] }
}

/// Finds which rows of a list box can be seen, by looking at a few of them: a pure value.
///
/// Rows that can't be seen are nowhere, and where the box itself is may be told a whole turn off.
struct BoxSearch: Hashable, Sendable {
  private let count: Int
  private let box: ToldRectangle
  private let seen: ToldRectangle
  private var looked: Set<Int> = []
  private var found: [Int: ToldRectangle] = [:]
  /// How far from the rows that were found is looked next.
  private var reach = 4
  /// How many rows that lie anywhere are looked at next.
  private var spread = 0
  /// The rows to look at next; none when the search is over.
  private(set) var wanted: [Int] = []

  /// Fewer rows are all looked at.
  private static let few = 12
  /// More rows are not looked at.
  private static let most = 2_000
  private static let widest = 512
  private static let turn = 65_536
  /// Boxes that are higher than so many turns are searched like those of rows of any height.
  private static let mostTurns = 64

  /// - Parameters:
  ///   - box: where the box is told to be.
  ///   - seen: what can be seen of what is around it.
  init(count: Int, box: ToldRectangle, seen: ToldRectangle) {
    (self.count, self.box, self.seen) = (max(count, 0), box, seen)
    guard !seen.isEmpty, !box.isEmpty else { return }
    wanted = guess()
  }

  /// A place that is seen; `nil` for any other.
  func place(_ told: ToldRectangle) -> ToldRectangle? {
    // A row that is nowhere has a size all the same.
    guard told.y > Int(Int32.min) / 2, !told.isEmpty else { return nil }
    let place = told.unwrapped(into: seen)
    return place.common(seen).isEmpty ? nil : place
  }

  /// Rows of about one height: those that lie there, or the middle ones where the box may be in
  /// several places.
  private func guess() -> [Int] {
    guard count > Self.few else { return Array(0..<count) }
    let last = seen.y + seen.height - box.height
    // As it is told, and whole turns off as far as it then covers what is seen.
    let turns = min((abs(box.y) + box.height) / Self.turn + 1, Self.mostTurns)
    let tops = (-turns...turns).map { box.y + $0 * Self.turn }.filter { $0 <= seen.y && $0 >= last }
    if tops.count > 1 { return Set(tops.map { row(at: seen.y + seen.height / 2, $0) }).sorted() }
    let top = tops.first ?? box.y
    let (first, end) = (row(at: seen.y, top), row(at: seen.y + seen.height, top))
    return Array((max(first - 1, 0)..<min(max(end, first) + 2, count)).prefix(Self.most))
  }

  /// About which row is there.
  private func row(at y: Int, _ top: Int) -> Int {
    let index = Double(y - top) / Double(max(box.height, 1)) * Double(count)
    return Int(min(max(index, 0), Double(count - 1)))
  }

  /// Takes what was found of the rows that were looked at.
  mutating func take(_ rows: [Int], _ places: [Int: ToldRectangle]) {
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
    // Between two that are seen all are seen, or hidden.
    result += unseen(first..<last)
    // Rows that are hidden lie before and behind too, so that each time more are looked at.
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

  /// Those that were not looked at: a program may claim any number of rows.
  private func unseen(_ rows: Range<Int>) -> [Int] {
    Array(rows.lazy.filter { !looked.contains($0) }.prefix(Self.most))
  }

  /// The nearest row before one, and all before it, that was not looked at.
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

  /// More and more rows all over the box.
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
