import CAtspi
import KeyDragBus
import KeyDragCore

/// A row or cell of a list that creates its rows on demand.
struct VisibleRow: Hashable, Sendable {
  var id: ElementID
  var index: Int?
  var total: Int?
  /// Its position among the others, if they lie in columns.
  var spot: RowInterpolation.GridIndex?
  /// Its rectangle, if that was queried to find it.
  var told: ReportedRectangle?
  /// Its other answers from then, which are not queried again.
  var look: Observation?

  struct Observation: Hashable, Sendable {
    /// `nil` for a row that has vanished.
    var states: AccessibleStates?
    var name = ""
    /// It had no name to tell any more.
    var hasVanished = false
    /// `nil` when another row of the list supplies it for all.
    var role: String?
    /// Its children, if they were queried.
    var children: [Child]?

    struct Child: Hashable, Sendable {
      var id: ElementID
      /// Whether it is known to be a visible label: then only its name is queried.
      var isLabel = false
      var look: Observation?

      var questions: [BusRequest] { isLabel ? [id.name] : Observation.questions(id) }
    }
  }
}

extension VisibleRow.Observation {
  static func questions(_ id: ElementID) -> [BusRequest] { [id.role, id.name, id.states] }

  /// A label that was queried for its name only.
  init(label name: [BusValue]?) {
    (role, states) = ("label", [.showing, .visible])
    self.name = AtspiReplyDecoder.name(name)
  }

  init(_ answers: ArraySlice<[BusValue]?>) {
    var rest = answers
    role = rest.popFirst().flatMap { AtspiReplyDecoder.role($0) }
    let own = rest.popFirst() ?? nil
    (name, hasVanished) = (AtspiReplyDecoder.name(own), own == nil)
    states = rest.popFirst().flatMap { AtspiReplyDecoder.states($0) }
  }
}

/// Computes which rows of a long list are visible: a pure value.
struct VisibleRowRange: Hashable, Sendable {
  /// The number of elements in the list, headers included.
  var count: Int
  var rows: Int?
  var columns: Int?

  /// Limit on the cells queried.
  static let most = 600

  /// About how many of the first elements fill the list: unless it was scrolled they are the
  /// visible ones, and are queried before that is known.
  static func likely(of count: Int, in place: ReportedRectangle) -> Int {
    min(count, max(place.height, 0) / lowestRow + spare, mostLikely)
  }

  /// In pixels.
  private static let lowestRow = 20
  private static let spare = 4
  private static let mostLikely = 64

  /// The visible cells, by the indices of some of them.
  ///
  /// - Parameter reachesEnd: whether one of them is at the lower edge of the list.
  func range(seen: [Int], reachesEnd: Bool) -> Range<Int> {
    guard let first = seen.min(), let last = seen.max() else { return 0..<min(count, Self.most) }
    let width = min(max(columns ?? 1, 1), 64)
    let start = rowStart(of: max(first - width, 0))
    // A list that ends above its lower edge is visible to its end.
    let end = reachesEnd ? min(last + width + 1, count) : count
    return start..<max(min(end, start + Self.most), start)
  }

  struct RowPosition: Hashable, Sendable {
    var index: Int
    var place: ReportedRectangle?
  }

  /// The visible cells, by the places of some of them: as many above and below as there is room
  /// for, and a few more. `nil` when that can't be told.
  func range(around spots: [RowPosition], seen: ReportedRectangle) -> Range<Int>? {
    let rows = spots.filter { spot in
      // Headers stay above the rows, wherever those were scrolled to.
      spot.index >= headers ?? 0 && spot.place.map { !$0.common(seen).isEmpty } == true
    }.sorted { $0.index < $1.index }
    guard let first = rows.first, let last = rows.last, let upper = first.place,
      let lower = last.place, let height = rows.compactMap(\.place?.height).min(), height > 0
    else { return nil }
    let width = min(max(columns ?? 1, 1), 64)
    let above = max(upper.y - seen.y, 0) / height + 2
    let below = max(seen.y + seen.height - lower.y - lower.height, 0) / height + 2
    let start = rowStart(of: max(first.index - above * width, 0))
    let end = min(last.index + below * width + 1, count)
    return end - start <= Self.most && start < end ? start..<end : nil
  }

  /// The first cell of a cell's row: without it the row would be named by another one.
  private func rowStart(of cell: Int) -> Int { cell - (evenSpot(cell)?.column ?? 0) }

  /// The number of headers, which come first and belong to no row.
  private var headers: Int? {
    guard let rows, let columns, rows > 0, columns > 0 else { return nil }
    let (cells, isTooMany) = rows.multipliedReportingOverflow(by: columns)
    guard !isTooMany, (0...columns).contains(count - cells) else { return nil }
    return count - cells
  }

  /// The row of a cell, from 1, and the number of rows.
  func position(_ index: Int) -> (index: Int, total: Int)? {
    guard let rows, let spot = evenSpot(index) else { return nil }
    return (spot.row + 1, rows)
  }

  /// A cell's position without the headers; `nil` for a header.
  func evenSpot(_ index: Int) -> RowInterpolation.GridIndex? {
    guard let headers, let columns, index >= headers else { return nil }
    return RowInterpolation.GridIndex(
      row: (index - headers) / columns, column: (index - headers) % columns)
  }
}

extension VisibleRowRange {
  /// The questions for a list's size; only a table gets more than the first.
  ///
  /// All together: a list that changes between them would count some of its cells as headers.
  static func questions(of list: ElementID, isTable: Bool) -> [BusRequest] {
    [list.childCount]
      + (isTable ? ["NRows", "NColumns"].map { list.property($0, of: "Table") } : [])
  }

  init(_ answers: [[BusValue]?]) {
    let numbers = answers.prefix(3).map { AtspiReplyDecoder.number($0) }
    self.init(
      count: numbers.first.flatMap { $0 } ?? 0, rows: numbers.count > 1 ? numbers[1] : nil,
      columns: numbers.count > 2 ? numbers[2] : nil)
  }
}

extension ProgramReader {
  /// Shorter lists are read as a whole.
  private static let shortList = 100
  /// The same where the visible part is found with few questions.
  private static let shortPlainList = 40
  /// Heights of hit tests, in pixels from the upper and from the lower edge: below the headers,
  /// however high they are, and above a scroll bar.
  private static let upper = [2, 14, 26, 38, 50, 62]
  private static let lower = [2, 14, 26, 40]

  /// The visible rows of a list that creates its rows on demand, found by hit testing, whatever
  /// their number. `nil` for a list to be read like any other element.
  func shownRows(
    of list: OutlineTree.Node, _ toolkit: Toolkit
  ) async throws(Reason) -> [VisibleRow]? {
    guard let told = list.told else { return [] }
    // A list reports the places of its rows in its own coordinates.
    let place = (list.clip?.common(told) ?? told).lowered(by: -list.shift)
    // Only GTK 3 is sure to answer an unsupported call with an error.
    guard toolkit.reading == .levels else {
      let window = try await rowWindow(of: list.id)
      guard window.count > Self.shortList else {
        return window.count > 0
          ? try await rows(of: list.id, window, 0..<window.count, toolkit) : []
      }
      return try await rows(atEdgesOf: place, of: list.id, window, toolkit)
    }
    if list.role == Toolkit.listBox { return try await boxRows(of: list, toolkit) }
    let sizes = VisibleRowRange.questions(of: list.id, isTable: true)
    // The places of the first rows suffice for a list that was not scrolled.
    let early = list.early ?? []
    let relations = list.name != nil && asksLabels(of: list, toolkit) ? [list.id.relations] : []
    let first =
      scrolledLists.contains(list.id)
      ? 0 : list.count.map { VisibleRowRange.likely(of: $0, in: place) } ?? 0
    var answers = try await ask(
      sizes + early.map { $0.extents(toolkit.coordinates) } + relations
        + (first > 0 ? [list.id.firstChildren(first)] : []))
    var likely = first > 0 ? AtspiReplyDecoder.elements(answers.removeLast()) ?? [] : []
    // With one left out, the others would get wrong places.
    if likely.count != first { likely = [] }
    for relation in relations { Self.foresight?.keep(answers.removeLast(), to: relation) }
    let window = VisibleRowRange(answers)
    if let sheet = SheetWindow(window) {
      markScrolled(list.id)
      return try await cells(of: list.id, sheet, seen: place, toolkit)
    }
    guard window.count > Self.shortPlainList else {
      return window.count > 0
        ? try await rows(of: list.id, window, 0..<window.count, toolkit, beginning: likely) : []
    }
    let known = zip(early, answers.dropFirst(sizes.count)).map { id, answer in
      (id: id, told: AtspiReplyDecoder.rectangle(answer))
    }
    let atStart = known.enumerated().map { VisibleRowRange.RowPosition(index: $0, place: $1.told) }
    var range = window.range(around: atStart, seen: place)
    if range == nil {
      let points = [1, 3, 5].map { (place.x + place.width / 2, place.y + place.height * $0 / 6) }
      let hits = try await ask(points.map { list.id.hit($0, toolkit.coordinates) })
        .compactMap { AtspiReplyDecoder.element($0) }
      let found = try await spots(of: Set(hits), in: list.id, toolkit)
      range = window.range(around: Array(found.values), seen: place)
    }
    if let range {
      let isFlat = list.role == Toolkit.flatTable
      var found = try await self.rows(of: list.id, window, range, toolkit, beginning: likely)
      for index in found.indices {
        found[index].told = known.first { $0.id == found[index].id }?.told
        // The rows of a tree are indented below their parents.
        if !isFlat { found[index].spot = nil }
      }
      let rows = try await look(
        at: found, toolkit, sample: { $0.index != nil }, areEqual: toolkit.asksOneRow && isFlat)
      if reachesBeyond(rows, range, window, place, toolkit) { return rows }
    }
    markScrolled(list.id)
    return try await rows(atEdgesOf: place, of: list.id, window, toolkit)
  }

  /// Whether the first and the last row lie outside the visible part, or are the list's own.
  private nonisolated func reachesBeyond(
    _ rows: [VisibleRow], _ range: Range<Int>, _ window: VisibleRowRange, _ seen: ReportedRectangle,
    _ toolkit: Toolkit
  ) -> Bool {
    guard let first = rows.first, let last = rows.last, rows.count == range.count else {
      return false
    }
    let places = [first, last].map { row in row.told.flatMap { toolkit.isPlace($0) ? $0 : nil } }
    // The invisible cells of a table have no place; elsewhere a row without one may be hidden.
    let isTable = window.rows != nil
    let isAbove = places[0].map { $0.y <= seen.y } ?? isTable
    let isBelow = places[1].map { $0.y + $0.height >= seen.y + seen.height } ?? isTable
    return (range.lowerBound == 0 || isAbove) && (range.upperBound == window.count || isBelow)
  }

  /// Queries the rows' own data in one round. In GTK 3 a sample row supplies the role of all.
  ///
  /// - Parameters:
  ///   - sample: whether a row is one of those of the same kind.
  ///   - areEqual: whether those share the sample's states, as far as they are wanted.
  ///   - opens: whether to query their children too, where unknown.
  func look(
    at rows: [VisibleRow], _ toolkit: Toolkit, sample isOfOneSort: (VisibleRow) -> Bool,
    areEqual: Bool, opens: Bool = false
  ) async throws(Reason) -> [VisibleRow] {
    let sample = rows.firstIndex(where: isOfOneSort)
    let asksRole = rows.indices.map { $0 == sample || !isOfOneSort(rows[$0]) }
    let asksStates = asksRole.map { $0 || !areEqual }
    let evenRows = RowInterpolation(rows.map(\.spot))
    let asksPlace = rows.indices.map { evenRows.asked[$0] && rows[$0].told == nil }
    var questions: [BusRequest] = []
    for (index, row) in rows.enumerated() {
      // Each makes the program ask the display, and takes as long as three others.
      if asksPlace[index] { questions.append(row.id.extents(toolkit.coordinates)) }
      questions.append(row.id.name)
      if asksStates[index] { questions.append(row.id.states) }
      if asksRole[index] { questions.append(row.id.role) }
      if let known = row.look?.children {
        questions += known.flatMap(\.questions)
      } else if opens {
        questions.append(row.id.firstChildren(Self.mostInRow + 1))
      }
    }
    let answers = try await ask(questions)
    var rest = answers[...]
    var found = rows.enumerated().map { index, row in
      var (row, look) = (row, VisibleRow.Observation())
      if asksPlace[index] { row.told = AtspiReplyDecoder.rectangle(rest.removeFirst()) }
      let name = rest.removeFirst()
      (look.name, look.hasVanished) = (AtspiReplyDecoder.name(name), name == nil)
      if asksStates[index] { look.states = AtspiReplyDecoder.states(rest.removeFirst()) }
      if asksRole[index] { look.role = AtspiReplyDecoder.role(rest.removeFirst()) }
      if let known = row.look?.children {
        look.children = known.map { child in
          var child = child
          let own = rest.prefix(child.questions.count)
          rest = rest.dropFirst(own.count)
          child.look =
            child.isLabel
            ? VisibleRow.Observation(label: own.first ?? nil) : VisibleRow.Observation(own)
          return child
        }
      } else if opens, let children = AtspiReplyDecoder.elements(rest.removeFirst()),
        children.count <= Self.mostInRow
      {
        look.children = children.map { VisibleRow.Observation.Child(id: $0) }
      }
      row.look = look
      return row
    }
    try await place(&found, evenRows, toolkit)
    let all = sample.flatMap { found[$0].look }
    let states = (all?.states ?? AccessibleStates.present).subtracting(.ofSingle)
    for index in found.indices where !asksRole[index] {
      found[index].look?.role = all?.role
      // A vanished row has no place.
      if areEqual, found[index].told != nil { found[index].look?.states = states }
    }
    return found
  }

  /// Interpolates the places of rows that were not queried, and queries the rest.
  private func place(
    _ rows: inout [VisibleRow], _ evenRows: RowInterpolation, _ toolkit: Toolkit
  ) async throws(Reason) {
    let told = rows.map { row in row.told.flatMap { toolkit.isPlace($0) ? $0 : nil } }
    for (index, place) in evenRows.between(told) { rows[index].told = place }
    let open = rows.indices.filter { !evenRows.asked[$0] && rows[$0].told == nil }
    let answers = try await ask(open.map { rows[$0].id.extents(toolkit.coordinates) })
    for (index, answer) in zip(open, answers) {
      rows[index].told = AtspiReplyDecoder.rectangle(answer)
    }
    Self.straighten(&rows) { toolkit.isPlace($0) }
  }

  /// Aligns the cells of each row: a list that scrolls while it is read reports several heights for
  /// them, and no place for some of a row at its edge.
  nonisolated static func straighten(
    _ rows: inout [VisibleRow], isPlace: (ReportedRectangle) -> Bool
  ) {
    var lines: [Int: ReportedRectangle] = [:]
    var columns: [Int: ReportedRectangle] = [:]
    for row in rows {
      guard let place = row.told, isPlace(place) else { continue }
      if let number = row.index, lines[number] == nil { lines[number] = place }
      if let column = row.spot?.column, columns[column] == nil { columns[column] = place }
    }
    for index in rows.indices {
      guard let line = rows[index].index.flatMap({ lines[$0] }) else { continue }
      let own = rows[index].told.flatMap { isPlace($0) ? $0 : nil }
      guard let place = own ?? rows[index].spot.flatMap({ columns[$0.column] }) else { continue }
      rows[index].told = ReportedRectangle(
        x: place.x, y: line.y, width: place.width, height: line.height)
    }
  }

  /// The rows between those at the edges of the visible part.
  private func rows(
    atEdgesOf place: ReportedRectangle, of list: ElementID, _ window: VisibleRowRange,
    _ toolkit: Toolkit
  ) async throws(Reason) -> [VisibleRow] {
    let columns = [place.x + 5, place.x + place.width / 2]
    let (upper, lower) = (
      Self.upper.map { place.y + $0 }, Self.lower.map { place.y + place.height - 1 - $0 }
    )
    let points = (upper + lower).flatMap { y in columns.map { ($0, y) } }
    let answers = try await ask(points.map { list.hit($0, toolkit.coordinates) })
    let hits = answers.map { AtspiReplyDecoder.element($0) }
    let found = try await spots(of: Set(hits.compactMap { $0 }), in: list, toolkit)
    let atEnd = hits.suffix(lower.count * columns.count).compactMap { $0 }
    return try await rows(
      of: list, window,
      window.range(
        seen: found.values.map(\.index), reachesEnd: atEnd.contains { found[$0] != nil }), toolkit)
  }

  /// The interfaces of each element, by the last component of their names.
  func interfaces(of elements: [ElementID]) async throws(Reason) -> [Set<String>] {
    let answers = try await ask(elements.map { $0.ask("Accessible", "GetInterfaces") })
    return answers.map { answer in
      Set(
        (answer?.first?.elements ?? []).compactMap { value in
          value.text?.split(separator: ".").last.map(String.init)
        })
    }
  }

  private func rowWindow(of list: ElementID) async throws(Reason) -> VisibleRowRange {
    let isTable = try await interfaces(of: [list]).first?.contains("Table") == true
    return try await spread(of: list, isTable: isTable, with: []).window
  }

  /// The size of a list, and the indices of elements in it.
  func spread(
    of list: ElementID, isTable: Bool, with elements: [ElementID]
  ) async throws(Reason) -> (window: VisibleRowRange, indices: [Int?]) {
    let sizes = VisibleRowRange.questions(of: list, isTable: isTable)
    let answers = try await ask(sizes + elements.map(\.indexInParent))
    return (
      VisibleRowRange(Array(answers.prefix(sizes.count))),
      answers.dropFirst(sizes.count).map { AtspiReplyDecoder.number($0) }
    )
  }

  /// - Parameter first: the first children of the list, as far as they are known.
  private func rows(
    of list: ElementID, _ window: VisibleRowRange, _ range: Range<Int>, _ toolkit: Toolkit,
    beginning first: [ElementID] = []
  ) async throws(Reason) -> [VisibleRow] {
    let isKnown = range.upperBound <= first.count
    if !isKnown, !first.isEmpty { markScrolled(list) }
    let found =
      isKnown ? range.map { ($0, first[$0]) } : try await children(Array(range), of: list, toolkit)
    return found.map { index, id in
      let position = window.position(index)
      return VisibleRow(
        id: id, index: position?.index, total: position?.total, spot: window.evenSpot(index))
    }
  }

  /// The positions in a list of elements, or of their ancestors there.
  private func spots(
    of elements: Set<ElementID>, in list: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> [ElementID: VisibleRowRange.RowPosition] {
    var result: [ElementID: VisibleRowRange.RowPosition] = [:]
    var open = elements.map { (hit: $0, at: $0) }
    // The element hit may be part of a cell, and that one of another.
    for _ in 0..<4 where !open.isEmpty {
      let answers = try await ask(
        open.flatMap { [$0.at.parent, $0.at.indexInParent, $0.at.extents(toolkit.coordinates)] })
      var next: [(hit: ElementID, at: ElementID)] = []
      for (place, pair) in open.enumerated() {
        guard let parent = AtspiReplyDecoder.element(answers[place * 3]) else { continue }
        if parent != list {
          next.append((pair.hit, parent))
        } else if let index = AtspiReplyDecoder.number(answers[place * 3 + 1]), index >= 0 {
          result[pair.hit] = VisibleRowRange.RowPosition(
            index: index, place: AtspiReplyDecoder.rectangle(answers[place * 3 + 2]))
        }
      }
      open = next
    }
    return result
  }
}

extension ElementID {
  func hit(_ point: (x: Int, y: Int), _ coordinates: AtspiCoordType) -> BusRequest {
    ask(
      "Component", "GetAccessibleAtPoint", .int32(Int32(clamping: point.x)),
      .int32(Int32(clamping: point.y)), .uint32(coordinates.rawValue))
  }
}
