import KeyDragCore

extension ProgramReader {
  /// Levels read upwards from an element.
  static let highest = 32

  /// An element with its ancestors, from the inside out, up to its window.
  struct Surroundings: Sendable {
    struct Step: Sendable {
      var id: ElementID
      var role: String
      var states: AccessibleStates
      /// As the program reports it; `nil` when it has none.
      var told: ReportedRectangle?
    }

    /// The element itself comes first.
    var steps: [Step] = []

    /// The last one: the window, if the climb reached it.
    var frame: ElementID? { steps.last?.id }

    /// The nearest list around an element, by its role: the list's child that holds the element,
    /// the list itself, and its ancestors.
    func row(in roles: Set<String>) -> (row: Step, list: Step, outer: ArraySlice<Step>)? {
      guard let place = steps.firstIndex(where: { roles.contains($0.role) }), place > 0 else {
        return nil
      }
      return (steps[place - 1], steps[place], steps[(place + 1)...])
    }
  }

  /// Current places; `nil` for an element that is gone or hidden, empty when the program is silent.
  package func rectangles(
    of elements: [ElementID], in program: ProgramFacts, windowOrigin origin: ScreenPoint?
  ) async -> [ScreenRectangle?] {
    let toolkit = Toolkit.of(program)
    guard let around = try? await surroundings(of: elements, toolkit) else { return [] }
    return around.map { placement(of: $0, toolkit, origin: origin).shown }
  }

  /// The shown part of an element, and the area outside of which nothing of it would be shown.
  nonisolated func placement(
    of surroundings: Surroundings, _ toolkit: Toolkit, origin: ScreenPoint?
  ) -> (shown: ScreenRectangle?, view: ScreenRectangle?) {
    var outline = OutlineTree(toolkit)
    var index: Int?
    var isOnDemand = false
    for step in surroundings.steps.reversed() {
      let new = outline.add(step.id, in: index)
      outline[new].isVirtual = isOnDemand
      outline.settle(new, role: step.role, states: step.states, told: step.told)
      isOnDemand =
        step.states.contains(.managesDescendants) || (isOnDemand && step.role == "table cell")
      index = new
    }
    guard let index else { return (nil, nil) }
    return (
      outline.rectangle(index, origin: origin), outline.view(around: index, origin: origin)
    )
  }

  /// Beyond this, all remembered parents are forgotten.
  private static let mostParents = 4_096
  /// Most ancestors queried on the assumption that they are unchanged.
  private static let mostGuesses = 64

  /// The ancestors of elements, each level in one round, together with those remembered from the
  /// last time, which are mostly still right.
  ///
  /// - Parameter height: how many levels.
  func surroundings(
    of elements: [ElementID], _ toolkit: Toolkit, height: Int = highest
  ) async throws(Reason) -> [Surroundings] {
    var steps: [ElementID: Surroundings.Step] = [:]
    var parents: [ElementID: ElementID] = [:]
    var level = Set(elements)
    for _ in 0..<height where !level.isEmpty {
      let asked = Array(guess(from: level, height: height, known: Set(steps.keys)))
      let answers = try await ask(
        asked.flatMap { [$0.role, $0.states, $0.extents(toolkit.coordinates), $0.parent] })
      for (place, id) in asked.enumerated() {
        guard let role = AtspiReplyDecoder.role(answers[place * 4]), role != "application",
          let states = AtspiReplyDecoder.states(answers[place * 4 + 1])
        else { continue }
        steps[id] = Surroundings.Step(
          id: id, role: role, states: states,
          told: AtspiReplyDecoder.rectangle(answers[place * 4 + 2]))
        if role == Toolkit.rootPane, let pane = panes[id] {
          parents[id] = pane
        } else if let parent = AtspiReplyDecoder.element(answers[place * 4 + 3]),
          parent.path != AccessibleTree.root
        {
          parents[id] = parent
        }
      }
      remember(parents)
      // A wrong guess is nobody's ancestor and does no harm.
      level = Set(level.compactMap { top(of: $0, parents, steps) })
    }
    return elements.map { element in
      var result = Surroundings()
      var id: ElementID? = element
      while let next = id, let step = steps[next], result.steps.count < height {
        result.steps.append(step)
        id = parents[next]
      }
      return result
    }
  }

  /// Records a pane's parent as found from the outside: LibreOffice leaves it out from the inside.
  func note(_ parent: ElementID, around pane: ElementID) {
    if panes.count >= Self.mostPanes { panes = [:] }
    panes[pane] = parent
  }

  /// Beyond this, all LibreOffice windows are forgotten.
  private static let mostPanes = 256

  private func guess(
    from level: Set<ElementID>, height: Int, known: Set<ElementID>
  ) -> Set<ElementID> {
    var result = level
    for element in level {
      var (id, steps) = (element, 1)
      while let parent = parents[id], steps < height, result.count < level.count + Self.mostGuesses,
        !known.contains(parent), result.insert(parent).inserted
      {
        id = parent
        steps += 1
      }
    }
    return result
  }

  private func remember(_ found: [ElementID: ElementID]) {
    if parents.count + found.count > Self.mostParents { parents = [:] }
    parents.merge(found) { $1 }
  }

  /// The nearest ancestor that has not been queried; `nil` when all have been.
  private nonisolated func top(
    of element: ElementID, _ parents: [ElementID: ElementID],
    _ steps: [ElementID: Surroundings.Step]
  ) -> ElementID? {
    var (id, seen) = (element, Set<ElementID>())
    while let parent = parents[id], seen.insert(id).inserted {
      if steps[parent] == nil { return parent }
      id = parent
    }
    return nil
  }

  /// Names GTK 4 rows by their contents, as when their whole window is read.
  private func nameFromWindow(
    _ outline: inout OutlineTree, _ wanted: [Int], _ frame: ElementID?
  ) async throws(Reason) {
    let nameless = wanted.filter {
      Toolkit.rows.contains(outline[$0].role) && outline[$0].name?.isEmpty != false
    }
    guard let frame, !nameless.isEmpty else { return }
    var window = try await walk(frame, outline.toolkit)
    let places = Dictionary(
      window.nodes.indices.map { (window[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    let rows = nameless.compactMap { places[outline[$0].id] }
    try await name(&window, rows)
    for index in nameless {
      if let row = places[outline[index].id] { outline[index].name = window[row].name }
    }
  }

  /// The facts of elements whose ancestors are known, and whether some of them changed while they
  /// were read.
  func read(
    _ around: [Surroundings], in program: ProgramFacts
  ) async throws(Reason) -> (facts: [ElementFacts], isTorn: Bool) {
    let toolkit = Toolkit.of(program)
    var outline = OutlineTree(toolkit)
    var wanted: [Int] = []
    var places: [ScreenRectangle?] = []
    for surroundings in around {
      guard let own = surroundings.steps.first else { continue }
      wanted.append(outline.add(own.id, in: nil))
      outline.settle(wanted[wanted.count - 1], role: own.role, states: own.states, told: own.told)
      places.append(placement(of: surroundings, toolkit, origin: nil).shown)
    }
    try await name(&outline, wanted)
    if toolkit.reading == .cache {
      try await nameFromWindow(&outline, wanted, around.first?.frame)
    }
    var facts = outline.facts(wanted, origin: nil)
    for (place, rectangle) in places.enumerated() { facts[place].rectangle = rectangle }
    return (facts, outline.isTorn)
  }
}
