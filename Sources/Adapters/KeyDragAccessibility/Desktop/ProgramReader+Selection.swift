import KeyDragBus
import KeyDragCore

extension ProgramReader {
  private static let height = 8
  /// Limit on selected cells, in however few rows they are.
  private static let mostCells = 10_000
  /// Limit on children queried for their state.
  private static let mostChildren = 2_000

  /// The selected elements in the container around an element; the element itself when it is not
  /// among them.
  ///
  /// - Throws: ``Reason/tooMany`` beyond `most`: some of them would pass for all.
  package func selection(
    around element: ElementID, in program: ProgramFacts, most: Int
  ) async throws(Reason) -> [ElementFacts] {
    for _ in 0..<Self.mostReadings {
      do throws(Reason) {
        return try await wholeSelection(around: element, in: program, most: most)
      } catch {
        guard error == .gone else { throw error }
      }
    }
    throw .notResponding
  }

  /// - Throws: ``Reason/gone`` when rows went while they were read, as the rest of one would be called
  ///   by another of its cells, or when the selection changed.
  private func wholeSelection(
    around element: ElementID, in program: ProgramFacts, most: Int
  ) async throws(Reason) -> [ElementFacts] {
    let toolkit = Toolkit.of(program)
    let surroundings = try await surroundings(of: [element], toolkit)[0]
    let around = surroundings.steps
    let offers = try await interfaces(of: around.prefix(Self.height).map(\.id))
    for (place, step) in around.prefix(Self.height).enumerated() {
      // A page is not a row among tabs.
      if place > 1, around[place - 1].role == "page tab" { break }
      let chosen = try await selected(in: step, offers: offers[place], toolkit, most: most)
      guard let chosen else { continue }
      let inner = place > 0 ? around[place - 1].id : element
      let places = try await self.places(
        of: chosen + [inner], in: step.id, isTable: offers[place].contains("Table"))
      // A list that has the focus itself stands for its selection.
      let isList = place == 0 && Toolkit.lists.contains(step.role)
      let row = places[inner]?.row
      guard isList || row != nil && chosen.contains(where: { places[$0]?.row == row }) else {
        break
      }
      let sorted = chosen.compactMap { id in places[id].map { (id: id, place: $0) } }
        .sorted { ($0.place.row, $0.place.column) < ($1.place.row, $1.place.column) }
      guard sorted.count == chosen.count else { throw .gone }
      let cells = try await read(self.surroundings(of: sorted.map(\.id), toolkit), in: program)
      guard !cells.isTorn, cells.facts.count == sorted.count,
        // Where it moved on meanwhile, one cell may be of the row before.
        try await selected(in: step, offers: offers[place], toolkit, most: most) == chosen
      else { throw .gone }
      return Self.rows(cells.facts, sorted.map(\.place))
    }
    return try await read([surroundings], in: program).facts
  }

  /// One element per row: its first cell with a name.
  private static func rows(_ cells: [ElementFacts], _ places: [Cell]) -> [ElementFacts] {
    var result: [ElementFacts] = []
    var last: Cell?
    for (cell, place) in zip(cells, places) {
      if let last, last.row == place.row {
        if result[result.count - 1].name.isEmpty { result[result.count - 1] = cell }
      } else {
        result.append(cell)
      }
      last = place
    }
    return result
  }

  private struct Cell: Hashable {
    var row: Int
    var column: Int
  }

  private func places(
    of elements: [ElementID], in container: ElementID, isTable: Bool
  ) async throws(Reason) -> [ElementID: Cell] {
    let (window, indices) = try await spread(of: container, isTable: isTable, with: elements)
    var result: [ElementID: Cell] = [:]
    for (id, index) in zip(elements, indices) {
      guard let index else { continue }
      result[id] = Cell(row: window.position(index)?.index ?? index, column: index)
    }
    return result
  }

  /// The selected elements of a container; `nil` when it is none, or nothing is selected.
  private func selected(
    in container: Surroundings.Step, offers: Set<String>, _ toolkit: Toolkit, most: Int
  ) async throws(Reason) -> [ElementID]? {
    let id = container.id
    // Qt 5 terminates when a cell is asked what only its table can answer.
    let isTable = offers.contains("Table") && Toolkit.lists.contains(container.role)
    // Most elements around a row can't have a selection.
    guard isTable || offers.contains("Selection") || Toolkit.lists.contains(container.role) else {
      return nil
    }
    let sizes = try await ask([
      offers.contains("Selection")
        ? id.property("NSelectedChildren", of: "Selection") : id.property("ChildCount"),
      isTable ? id.ask("Table", "GetSelectedRows") : id.property("ChildCount"),
      id.property("ChildCount"),
    ])
    var rows: [BusValue] = []
    if case .array("i", let told)? = sizes[1]?.first { rows = told }
    if offers.contains("Selection"), let count = AtspiReplyDecoder.number(sizes[0]) {
      guard count > 0 else { return nil }
      // Some tables count each cell of a row.
      guard rows.isEmpty ? count <= most : rows.count <= most && count <= Self.mostCells else {
        throw .tooMany
      }
      let answers = try await ask(
        (0..<count).map { id.ask("Selection", "GetSelectedChild", .int32(Int32($0))) })
      if let found = try Self.all(answers) { return found }
    }
    if !rows.isEmpty {
      guard rows.count <= most else { throw .tooMany }
      let answers = try await ask(
        rows.compactMap(\.number).map {
          id.ask("Table", "GetAccessibleAt", .int32(Int32(clamping: $0)), .int32(0))
        })
      if let found = try Self.all(answers) { return found }
    }
    return try await selectedChildren(
      of: container, count: AtspiReplyDecoder.number(sizes[2]) ?? 0, toolkit)
  }

  /// Every element that was asked for; `nil` when there is none.
  ///
  /// - Throws: ``Reason/gone`` when some are missing.
  private static func all(_ answers: [[BusValue]?]) throws(Reason) -> [ElementID]? {
    let found = answers.compactMap { AtspiReplyDecoder.element($0) }
    guard !found.isEmpty else { return nil }
    guard found.count == answers.count else { throw .gone }
    return found
  }

  private func selectedChildren(
    of container: Surroundings.Step, count: Int, _ toolkit: Toolkit
  ) async throws(Reason) -> [ElementID]? {
    guard Toolkit.lists.contains(container.role), (1...Self.mostChildren).contains(count) else {
      return nil
    }
    let children = AtspiReplyDecoder.elements(try await ask(container.id.children)) ?? []
    let answers = try await ask(children.map(\.states))
    let found = zip(children, answers).filter {
      AtspiReplyDecoder.states($0.1)?.contains(.selected) == true
    }.map(\.0)
    return found.isEmpty ? nil : found
  }
}
