import KeyDragCore

extension ProgramBus {
  /// More selected elements than this are not told.
  private static let mostSelected = 1_000
  private static let height = 8
  /// More children than this are not asked whether they are selected.
  private static let mostChildren = 2_000

  /// The selected elements in the container around an element; the element itself when it is not
  /// among them.
  func selection(
    around element: ElementID, in program: ProgramFacts
  ) async throws(Reason) -> [ElementFacts] {
    let toolkit = Toolkit.of(program)
    let around = try await surroundings(of: [element], toolkit)[0].steps
    var chosen: [ElementID]?
    for step in around.prefix(Self.height) where chosen == nil {
      chosen = try await selected(in: step, toolkit)
    }
    let (ids, position) = try await ordered(chosen ?? [], around.map(\.id))
    // The cells of a row stand for it: which of them has the focus does not matter.
    let isAmong = ids.contains { id in around.contains { $0.id == id } } || position
    return try await facts(of: isAmong ? ids : [element], in: program)
  }

  /// What is selected in a container; `nil` in what is none, or where nothing is selected.
  private func selected(
    in container: Surroundings.Step, _ toolkit: Toolkit
  ) async throws(Reason) -> [ElementID]? {
    let id = container.id
    let sizes = try await ask([
      id.property("NSelectedChildren", of: "Selection"), id.ask("Table", "GetSelectedRows"),
      id.property("ChildCount"),
    ])
    if let count = AccessibleAnswers.number(sizes[0]) {
      guard count > 0 else { return nil }
      let answers = try await ask(
        (0..<min(count, Self.mostSelected)).map {
          id.ask("Selection", "GetSelectedChild", .int32(Int32($0)))
        })
      let found = answers.compactMap { AccessibleAnswers.element($0) }
      if !found.isEmpty { return found }
    }
    if case .array("i", let rows)? = sizes[1]?.first, !rows.isEmpty {
      let answers = try await ask(
        rows.compactMap(\.number).prefix(Self.mostSelected).map {
          id.ask("Table", "GetAccessibleAt", .int32(Int32(clamping: $0)), .int32(0))
        })
      let found = answers.compactMap { AccessibleAnswers.element($0) }
      if !found.isEmpty { return found }
    }
    return try await selectedChildren(
      of: container, count: AccessibleAnswers.number(sizes[2]) ?? 0, toolkit)
  }

  /// The children that say that they are selected.
  private func selectedChildren(
    of container: Surroundings.Step, count: Int, _ toolkit: Toolkit
  ) async throws(Reason) -> [ElementID]? {
    guard Toolkit.lists.contains(container.role), (1...Self.mostChildren).contains(count) else {
      return nil
    }
    let children = AccessibleAnswers.elements(try await ask(container.id.children)) ?? []
    let answers = try await ask(children.map(\.states))
    let found = zip(children, answers).filter {
      AccessibleAnswers.states($0.1)?.contains(.selected) == true
    }.map(\.0)
    return found.isEmpty ? nil : found
  }

  /// Elements in the order of their container, and whether the row of the element in focus is among
  /// them.
  private func ordered(
    _ elements: [ElementID], _ around: [ElementID]
  ) async throws(Reason) -> ([ElementID], Bool) {
    let rows = try await ask(elements.map { $0.property("Position", of: "TableCell") })
    let indices = try await ask(elements.map(\.indexInParent))
    let keys = zip(rows, indices).map { row, index in
      Self.row(row) ?? AccessibleAnswers.number(index) ?? 0
    }
    let sorted = zip(elements, keys).sorted { $0.1 < $1.1 }.map(\.0)
    guard rows.contains(where: { Self.row($0) != nil }) else { return (sorted, false) }
    let own = try await ask(around.prefix(3).map { $0.property("Position", of: "TableCell") })
    let place = own.compactMap { Self.row($0) }.last
    return (sorted, place.map { row in rows.contains { Self.row($0) == row } } ?? false)
  }

  private static func row(_ values: [BusValue]?) -> Int? {
    guard case .variant(.tuple(let parts))? = values?.first, parts.count == 2 else { return nil }
    return parts[0].number
  }
}
