import CAtspi
import KeyDragCore

/// A row or cell of a list that makes its rows as they are looked at.
struct ShownRow: Hashable, Sendable {
  var id: ElementID
  var index: Int?
  var total: Int?
  /// Its position among the others, where they lie in columns.
  var spot: EvenRows.Spot?
  /// Its rectangle, where that was asked to find it.
  var told: ToldRectangle?
  /// The other answers that it gave then; nothing of it is asked again.
  var look: Look?

  /// The facts that a row tells of itself.
  struct Look: Hashable, Sendable {
    /// Nothing for one that is gone.
    var states: AccessibleStates?
    var name = ""
    /// `nil` where another row of its list says it for all.
    var role: String?
    /// All that is directly in it, where that was asked.
    var children: [Child]?

    /// An element in a row.
    struct Child: Hashable, Sendable {
      var id: ElementID
      /// Whether it is known to be a label that is not hidden: then nothing but its words is asked.
      var isLabel = false
      var look: Look?

      var questions: [BusQuestion] { isLabel ? [id.name] : Look.questions(id) }
    }
  }
}

extension ShownRow.Look {
  /// The questions to an element in a row.
  static func questions(_ id: ElementID) -> [BusQuestion] { [id.role, id.name, id.states] }

  /// A label of which nothing but its words was asked.
  init(label name: [BusValue]?) {
    (role, states) = ("label", [.showing, .visible])
    self.name = AccessibleAnswers.name(name)
  }

  init(_ answers: ArraySlice<[BusValue]?>) {
    var rest = answers
    role = rest.popFirst().flatMap { AccessibleAnswers.role($0) }
    name = AccessibleAnswers.name(rest.popFirst() ?? nil)
    states = rest.popFirst().flatMap { AccessibleAnswers.states($0) }
  }
}

/// The position of the visible rows in a long list: a pure value.
struct RowWindow: Hashable, Sendable {
  /// How many elements are in the list, its headers included.
  var count: Int
  var rows: Int?
  var columns: Int?

  /// More cells than this are never looked at.
  static let most = 600

  /// How many of the first elements of a list fill it, about: in one that was not scrolled they are what
  /// can be seen, and are asked for before that is known.
  static func likely(of count: Int, in place: ToldRectangle) -> Int {
    min(count, max(place.height, 0) / lowestRow + spare, mostLikely)
  }

  /// In pixels.
  private static let lowestRow = 20
  private static let spare = 4
  private static let mostLikely = 64

  /// The cells that can be seen, by the indices of some of them.
  ///
  /// - Parameter reachesEnd: whether one of them is at the lower edge of the list.
  func range(seen: [Int], reachesEnd: Bool) -> Range<Int> {
    guard let first = seen.min(), let last = seen.max() else { return 0..<min(count, Self.most) }
    let width = min(max(columns ?? 1, 1), 64)
    let start = rowStart(of: max(first - width, 0))
    // A list that ends above its lower edge is seen to its end.
    let end = reachesEnd ? min(last + width + 1, count) : count
    return start..<max(min(end, start + Self.most), start)
  }

  /// An element of the list, and where it is.
  struct Spot: Hashable, Sendable {
    var index: Int
    var place: ToldRectangle?
  }

  /// The cells that can be seen, by some of them: about as many lie above and below as there is room
  /// for, and a few more. `nil` where that can't be told.
  func range(around spots: [Spot], seen: ToldRectangle) -> Range<Int>? {
    let rows = spots.filter { spot in
      // Headers lie above the rows wherever those were scrolled to.
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

  /// The first cell of a cell's row: without it the row is called by another one.
  private func rowStart(of cell: Int) -> Int { cell - (evenSpot(cell)?.column ?? 0) }

  /// Cells that are no part of a row: the headers, which come first.
  private var headers: Int? {
    guard let rows, let columns, rows > 0, columns > 0 else { return nil }
    let (cells, isTooMany) = rows.multipliedReportingOverflow(by: columns)
    guard !isTooMany, (0...columns).contains(count - cells) else { return nil }
    return count - cells
  }

  /// Which row a cell is in, from 1, and of how many.
  func position(_ index: Int) -> (index: Int, total: Int)? {
    guard let rows, let spot = evenSpot(index) else { return nil }
    return (spot.row + 1, rows)
  }

  /// The position of a cell among the others, headers left out; `nil` for a header.
  func evenSpot(_ index: Int) -> EvenRows.Spot? {
    guard let headers, let columns, index >= headers else { return nil }
    return EvenRows.Spot(row: (index - headers) / columns, column: (index - headers) % columns)
  }
}

extension RowWindow {
  /// The questions to a list; those that are no tables get the first only.
  ///
  /// - Parameter count: how many elements are in it, where that is known.
  static func questions(
    of list: ElementID, isTable: Bool, count: Int? = nil
  ) -> [BusQuestion] {
    (count == nil ? [list.childCount] : [])
      + (isTable ? ["NRows", "NColumns"].map { list.property($0, of: "Table") } : [])
  }

  /// Reads the answers.
  init(_ answers: [[BusValue]?], count: Int? = nil) {
    var numbers = answers.prefix(count == nil ? 3 : 2).map { AccessibleAnswers.number($0) }
    if let count { numbers.insert(count, at: 0) }
    self.init(
      count: numbers.first.flatMap { $0 } ?? 0, rows: numbers.count > 1 ? numbers[1] : nil,
      columns: numbers.count > 2 ? numbers[2] : nil)
  }
}

extension ProgramBus {
  /// Shorter lists are read as a whole.
  private static let shortList = 100
  /// The same where what can be seen is found with few questions.
  private static let shortPlainList = 40
  /// The heights at which rows are looked for, in pixels from the upper and from the lower edge:
  /// below the headers, however high they are, and above a scroll bar.
  private static let upper = [2, 14, 26, 38, 50, 62]
  private static let lower = [2, 14, 26, 40]

  /// The rows that can be seen in a list that makes its rows as they are looked at, found by asking
  /// what is where in it: it does not matter how many rows it has. `nil` for a list that is to be
  /// read as any other element.
  func shownRows(
    of list: ElementOutline.Node, _ toolkit: Toolkit
  ) async throws(Reason) -> [ShownRow]? {
    guard let told = list.told else { return [] }
    // A list tells the places of its rows in its own coordinates.
    let place = (list.clip?.common(told) ?? told).lowered(by: -list.shift)
    // Only GTK 3 is sure to answer with an error when it is asked for what it has not.
    guard toolkit.reading == .levels else {
      let window = try await rowWindow(of: list.id)
      guard window.count > Self.shortList else {
        return window.count > 0
          ? try await rows(of: list.id, window, 0..<window.count, toolkit) : []
      }
      return try await rows(atEdgesOf: place, of: list.id, window, toolkit)
    }
    if list.role == Toolkit.listBox { return try await boxRows(of: list, toolkit) }
    let sizes = RowWindow.questions(of: list.id, isTable: true, count: list.count)
    // The places of the first rows are enough for a list that was not scrolled.
    let early = list.early ?? []
    let relations = list.name != nil && asksLabels(of: list, toolkit) ? [list.id.relations] : []
    let first =
      unlikely.contains(list.id)
      ? 0 : list.count.map { RowWindow.likely(of: $0, in: place) } ?? 0
    var answers = try await ask(
      sizes + early.map { $0.extents(toolkit.coordinates) } + relations
        + (first > 0 ? [list.id.firstChildren(first)] : []))
    var likely = first > 0 ? AccessibleAnswers.elements(answers.removeLast()) ?? [] : []
    // With one of them left out the others would have wrong places.
    if likely.count != first { likely = [] }
    for relation in relations { Self.foresight?.keep(answers.removeLast(), to: relation) }
    let window = RowWindow(answers, count: list.count)
    if let sheet = SheetWindow(window) {
      noteUnlikely(list.id)
      return try await cells(of: list.id, sheet, seen: place, toolkit)
    }
    guard window.count > Self.shortPlainList else {
      return window.count > 0
        ? try await rows(of: list.id, window, 0..<window.count, toolkit, beginning: likely) : []
    }
    let known = zip(early, answers.dropFirst(sizes.count)).map { id, answer in
      (id: id, told: AccessibleAnswers.rectangle(answer))
    }
    let atStart = known.enumerated().map { RowWindow.Spot(index: $0, place: $1.told) }
    var range = window.range(around: atStart, seen: place)
    if range == nil {
      let points = [1, 3, 5].map { (place.x + place.width / 2, place.y + place.height * $0 / 6) }
      let hits = try await ask(points.map { list.id.hit($0, toolkit.coordinates) })
        .compactMap { AccessibleAnswers.element($0) }
      let found = try await spots(of: Set(hits), in: list.id, toolkit)
      range = window.range(around: Array(found.values), seen: place)
    }
    if let range {
      let isFlat = list.role == Toolkit.flatTable
      var found = try await self.rows(of: list.id, window, range, toolkit, beginning: likely)
      for index in found.indices {
        found[index].told = known.first { $0.id == found[index].id }?.told
        // A row below another one begins further in.
        if !isFlat { found[index].spot = nil }
      }
      let rows = try await look(
        at: found, toolkit, sample: { $0.index != nil }, areEqual: toolkit.asksOneRow && isFlat)
      if reachesBeyond(rows, range, window, place, toolkit) { return rows }
    }
    noteUnlikely(list.id)
    return try await rows(atEdgesOf: place, of: list.id, window, toolkit)
  }

  /// Whether the first and the last of rows are outside of what can be seen, or the list's own.
  private nonisolated func reachesBeyond(
    _ rows: [ShownRow], _ range: Range<Int>, _ window: RowWindow, _ seen: ToldRectangle,
    _ toolkit: Toolkit
  ) -> Bool {
    guard let first = rows.first, let last = rows.last, rows.count == range.count else {
      return false
    }
    let places = [first, last].map { row in row.told.flatMap { toolkit.isPlace($0) ? $0 : nil } }
    // The cells of a table that can't be seen are nowhere; a row elsewhere may be hidden.
    let isTable = window.rows != nil
    let isAbove = places[0].map { $0.y <= seen.y } ?? isTable
    let isBelow = places[1].map { $0.y + $0.height >= seen.y + seen.height } ?? isTable
    return (range.lowerBound == 0 || isAbove) && (range.upperBound == window.count || isBelow)
  }

  /// Asks rows what they say of themselves, all at once. In GTK 3 one of them says what all are.
  ///
  /// - Parameters:
  ///   - sample: whether a row is one of those that are all the same.
  ///   - areEqual: whether those have the states of one of them, as far as they are wanted.
  ///   - opens: whether what is in them is asked for too, where it is not known.
  func look(
    at rows: [ShownRow], _ toolkit: Toolkit, sample isOfOneSort: (ShownRow) -> Bool,
    areEqual: Bool, opens: Bool = false
  ) async throws(Reason) -> [ShownRow] {
    let sample = rows.firstIndex(where: isOfOneSort)
    let asksRole = rows.indices.map { $0 == sample || !isOfOneSort(rows[$0]) }
    let asksStates = asksRole.map { $0 || !areEqual }
    let evenRows = EvenRows(rows.map(\.spot))
    let asksPlace = rows.indices.map { evenRows.asked[$0] && rows[$0].told == nil }
    var questions: [BusQuestion] = []
    for (index, row) in rows.enumerated() {
      // Each costs a program a question to the display, and as much time as three others.
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
      var (row, look) = (row, ShownRow.Look())
      if asksPlace[index] { row.told = AccessibleAnswers.rectangle(rest.removeFirst()) }
      look.name = AccessibleAnswers.name(rest.removeFirst())
      if asksStates[index] { look.states = AccessibleAnswers.states(rest.removeFirst()) }
      if asksRole[index] { look.role = AccessibleAnswers.role(rest.removeFirst()) }
      if let known = row.look?.children {
        look.children = known.map { child in
          var child = child
          let own = rest.prefix(child.questions.count)
          rest = rest.dropFirst(own.count)
          child.look = child.isLabel ? ShownRow.Look(label: own.first ?? nil) : ShownRow.Look(own)
          return child
        }
      } else if opens, let children = AccessibleAnswers.elements(rest.removeFirst()),
        children.count <= Self.mostInRow
      {
        look.children = children.map { ShownRow.Look.Child(id: $0) }
      }
      row.look = look
      return row
    }
    try await place(&found, evenRows, toolkit)
    let all = sample.flatMap { found[$0].look }
    let states = (all?.states ?? AccessibleStates.present).subtracting(.ofSingle)
    for index in found.indices where !asksRole[index] {
      found[index].look?.role = all?.role
      // One that is gone is nowhere.
      if areEqual, found[index].told != nil { found[index].look?.states = states }
    }
    return found
  }

  /// Tells where the rows are that were not asked, and asks those of which that can't be told.
  private func place(
    _ rows: inout [ShownRow], _ evenRows: EvenRows, _ toolkit: Toolkit
  ) async throws(Reason) {
    let told = rows.map { row in row.told.flatMap { toolkit.isPlace($0) ? $0 : nil } }
    for (index, place) in evenRows.between(told) { rows[index].told = place }
    let open = rows.indices.filter { !evenRows.asked[$0] && rows[$0].told == nil }
    let answers = try await ask(open.map { rows[$0].id.extents(toolkit.coordinates) })
    for (index, answer) in zip(open, answers) {
      rows[index].told = AccessibleAnswers.rectangle(answer)
    }
    Self.straighten(&rows) { toolkit.isPlace($0) }
  }

  /// Puts the cells of each row side by side: a list that scrolls while it is read tells several
  /// heights for them, and has some of a row at its edge nowhere.
  nonisolated static func straighten(
    _ rows: inout [ShownRow], isPlace: (ToldRectangle) -> Bool
  ) {
    var lines: [Int: ToldRectangle] = [:]
    var columns: [Int: ToldRectangle] = [:]
    for row in rows {
      guard let place = row.told, isPlace(place) else { continue }
      if let number = row.index, lines[number] == nil { lines[number] = place }
      if let column = row.spot?.column, columns[column] == nil { columns[column] = place }
    }
    for index in rows.indices {
      guard let line = rows[index].index.flatMap({ lines[$0] }) else { continue }
      let own = rows[index].told.flatMap { isPlace($0) ? $0 : nil }
      guard let place = own ?? rows[index].spot.flatMap({ columns[$0.column] }) else { continue }
      rows[index].told = ToldRectangle(
        x: place.x, y: line.y, width: place.width, height: line.height)
    }
  }

  /// The rows between those at the edges of what can be seen.
  private func rows(
    atEdgesOf place: ToldRectangle, of list: ElementID, _ window: RowWindow, _ toolkit: Toolkit
  ) async throws(Reason) -> [ShownRow] {
    let columns = [place.x + 5, place.x + place.width / 2]
    let (upper, lower) = (
      Self.upper.map { place.y + $0 }, Self.lower.map { place.y + place.height - 1 - $0 }
    )
    let points = (upper + lower).flatMap { y in columns.map { ($0, y) } }
    let answers = try await ask(points.map { list.hit($0, toolkit.coordinates) })
    let hits = answers.map { AccessibleAnswers.element($0) }
    let found = try await spots(of: Set(hits.compactMap { $0 }), in: list, toolkit)
    let atEnd = hits.suffix(lower.count * columns.count).compactMap { $0 }
    return try await rows(
      of: list, window,
      window.range(
        seen: found.values.map(\.index), reachesEnd: atEnd.contains { found[$0] != nil }), toolkit)
  }

  /// The interfaces of each element, by the last parts of their names.
  func interfaces(of elements: [ElementID]) async throws(Reason) -> [Set<String>] {
    let answers = try await ask(elements.map { $0.ask("Accessible", "GetInterfaces") })
    return answers.map { answer in
      Set(
        (answer?.first?.elements ?? []).compactMap { value in
          value.text?.split(separator: ".").last.map(String.init)
        })
    }
  }

  private func rowWindow(of list: ElementID) async throws(Reason) -> RowWindow {
    let isTable = try await interfaces(of: [list]).first?.contains("Table") == true
    return try await spread(of: list, isTable: isTable, with: []).window
  }

  /// How much is in a list, and where in it elements are.
  func spread(
    of list: ElementID, isTable: Bool, with elements: [ElementID]
  ) async throws(Reason) -> (window: RowWindow, indices: [Int?]) {
    let sizes = RowWindow.questions(of: list, isTable: isTable)
    let answers = try await ask(sizes + elements.map(\.indexInParent))
    return (
      RowWindow(Array(answers.prefix(sizes.count))),
      answers.dropFirst(sizes.count).map { AccessibleAnswers.number($0) }
    )
  }

  /// - Parameter first: the first children of the list, as far as they are known.
  private func rows(
    of list: ElementID, _ window: RowWindow, _ range: Range<Int>, _ toolkit: Toolkit,
    beginning first: [ElementID] = []
  ) async throws(Reason) -> [ShownRow] {
    let isKnown = range.upperBound <= first.count
    if !isKnown, !first.isEmpty { noteUnlikely(list) }
    let found =
      isKnown ? range.map { ($0, first[$0]) } : try await children(Array(range), of: list, toolkit)
    return found.map { index, id in
      let position = window.position(index)
      return ShownRow(
        id: id, index: position?.index, total: position?.total, spot: window.evenSpot(index))
    }
  }

  /// The positions of elements in a list, or of what is around them there.
  private func spots(
    of elements: Set<ElementID>, in list: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> [ElementID: RowWindow.Spot] {
    var result: [ElementID: RowWindow.Spot] = [:]
    var open = elements.map { (hit: $0, at: $0) }
    // The element that is hit may be a part of a cell, and that one of another.
    for _ in 0..<4 where !open.isEmpty {
      let answers = try await ask(
        open.flatMap { [$0.at.parent, $0.at.indexInParent, $0.at.extents(toolkit.coordinates)] })
      var next: [(hit: ElementID, at: ElementID)] = []
      for (place, pair) in open.enumerated() {
        guard let parent = AccessibleAnswers.element(answers[place * 3]) else { continue }
        if parent != list {
          next.append((pair.hit, parent))
        } else if let index = AccessibleAnswers.number(answers[place * 3 + 1]), index >= 0 {
          result[pair.hit] = RowWindow.Spot(
            index: index, place: AccessibleAnswers.rectangle(answers[place * 3 + 2]))
        }
      }
      open = next
    }
    return result
  }
}

extension ElementID {
  /// The question for the element at a point of this one.
  func hit(_ point: (x: Int, y: Int), _ coordinates: AtspiCoordType) -> BusQuestion {
    ask(
      "Component", "GetAccessibleAtPoint", .int32(Int32(clamping: point.x)),
      .int32(Int32(clamping: point.y)), .uint32(coordinates.rawValue))
  }
}
