import CAtspi
import KeyDragCore

/// Actions of elements, and what is read beside them.
extension ProgramBus {
  /// More actions than this are not looked at.
  private static let mostActions = 32

  /// Whether an element can be asked something: GTK answers all that it is asked, but complains to
  /// whoever started the program where an element has nothing of the kind.
  func offers(_ interface: String, _ element: ElementID) async throws(Reason) -> Bool {
    try await interfaces(of: [element]).first?.contains(interface) == true
  }

  // MARK: Text

  /// The text of an element, at most so many characters; never that of a password field.
  func text(of element: ElementID, most: Int) async throws(Reason) -> String? {
    guard try await !isPassword(element), try await offers("Text", element) else { return nil }
    let count = try await ask(element.property("CharacterCount", of: "Text"))
    guard let count = AccessibleAnswers.number(count) else { return nil }
    return try await text(of: element, from: 0, to: count, most: most)
  }

  /// A part of a text; a program that gives more than was asked for is cut.
  func text(
    of element: ElementID, from start: Int, to end: Int, most: Int
  ) async throws(Reason) -> String? {
    // In characters as the program counts them.
    let end = min(end, start + max(most, 0))
    let answer = try await ask(
      element.ask(
        "Text", "GetText", .int32(Int32(clamping: start)), .int32(Int32(clamping: end))))
    return AccessibleAnswers.text(answer).map { String($0.prefix(max(most, 0))) }
  }

  // MARK: Actions

  /// The actions of each element, in their order; those without a name keep their places.
  func actions(of elements: [ElementID]) async throws(Reason) -> [[String]] {
    let having = zip(elements, try await interfaces(of: elements)).map { $1.contains("Action") }
    let asked = elements.indices.filter { having[$0] }
    let answers = try await ask(asked.map { elements[$0].property("NActions", of: "Action") })
    var counts = [Int](repeating: 0, count: elements.count)
    for (index, answer) in zip(asked, answers) {
      counts[index] = min(max(AccessibleAnswers.number(answer) ?? 0, 0), Self.mostActions)
    }
    let offers = zip(elements, counts).map { element, count in
      (0..<count).map { element.ask("Action", "GetName", .int32(Int32($0))) }
    }
    // All names in one round.
    var names = try await ask(offers.flatMap { $0 })[...]
    return offers.map { questions in
      defer { names = names.dropFirst(questions.count) }
      return names.prefix(questions.count).map { AccessibleAnswers.name($0) }
    }
  }

  /// Has an action done by its name; `false` where the element has none of that name.
  func perform(_ action: String, on element: ElementID) async throws(Reason) -> Bool {
    let offered = try await actions(of: [element])
    guard let index = offered.first?.firstIndex(of: action) else { return false }
    return try await act(on: element) { acts, address throws(Reason) in
      try await acts.perform(index, of: element, at: address)
    }
  }

  /// Has an element take the focus in its window.
  func takeFocus(_ element: ElementID) async throws(Reason) -> Bool {
    try await act(on: element) { acts, address throws(Reason) in
      try await acts.takeFocus(element, at: address)
    }
  }

  /// Has something done that waits for the program's answer.
  ///
  /// - Throws: ``Reason/notResponding`` at once for a program that is known not to respond.
  func act(
    on element: ElementID,
    _ body: (ProgramActs, String) async throws(Reason) -> Bool
  ) async throws(Reason) -> Bool {
    guard await connected() != nil, let address else { throw .noAccessibility }
    guard !silent.contains(element.program) else { throw .notResponding }
    do throws(Reason) {
      return try await body(.shared, address)
    } catch {
      if error == .notResponding { fallSilent(element.program) }
      throw error
    }
  }

  // MARK: Scrolling

  /// Has an element scrolled into view, by itself where its toolkit can, else by the scroll bar
  /// beside the list: nothing is selected for it and the focus stays.
  func scrollIntoView(_ element: ElementID) async throws(Reason) -> Bool {
    let program = await facts(of: element.program)
    guard program.isResponding else { throw .notResponding }
    if await isInView(element, program) { return true }
    let isScrolled = try await act(on: element) { acts, address throws(Reason) in
      try await acts.scrollIntoView(element, at: address)
    }
    if isScrolled, await comesIntoView(element, program) { return true }
    let toolkit = Toolkit.of(program)
    guard try await pushScrollBar(to: element, toolkit) else { return false }
    guard await comesIntoView(element, program) else { return false }
    try await leaveEdge(element, toolkit)
    return true
  }

  /// Scrolls an element on to the middle: lists of GTK 3 scroll by themselves under a drag that is
  /// near their edges. Their scroll bars count in pixels.
  private func leaveEdge(_ element: ElementID, _ toolkit: Toolkit) async throws(Reason) {
    guard toolkit.reading == .levels else { return }
    let around = try await surroundings(of: [element], toolkit)[0]
    guard let (row, list, pane) = around.row(in: Toolkit.lists), let pane,
      let seen = list.told, let own = row.told, toolkit.isPlace(own), toolkit.isPlace(seen),
      let bar = try await verticalBar(in: pane.id),
      case .variant(.double(let now))? = try await ask(
        bar.property("CurrentValue", of: "Value"))?.first
    else { return }
    let way = own.y + own.height / 2 - seen.y - seen.height / 2
    guard abs(way) > seen.height / 4 else { return }
    // The program keeps it within its bounds.
    _ = try await set(bar, to: now + Double(way))
  }

  /// Whether anything of an element is shown.
  private func isInView(_ element: ElementID, _ program: ProgramFacts) async -> Bool {
    // The position of the window does not matter here.
    let places = await rectangles(of: [element], in: program, origin: ScreenPoint(x: 0, y: 0))
    return places.first.flatMap { $0 } != nil
  }

  /// Asks where it is until it is somewhere: programs scroll when they next draw.
  ///
  /// For less than half a second.
  private func comesIntoView(_ element: ElementID, _ program: ProgramFacts) async -> Bool {
    for delay: UInt32 in [5, 20, 50, 100, 200] {
      if await isInView(element, program) { return true }
      await withCheckedContinuation { continuation in
        thread.run(after: delay) { continuation.resume() }
      }
    }
    return await isInView(element, program)
  }

  /// Moves the scroll bar of the list to where an element should be, by its place among the others.
  ///
  /// `false` where no list with a scroll bar is around it.
  private func pushScrollBar(
    to element: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> Bool {
    let around = try await surroundings(of: [element], toolkit)[0].steps
    // Thunar calls the pane around its list by what is shown there.
    for (inner, outer) in zip(around, around.dropFirst())
    where outer.role == Toolkit.scrollPane || Toolkit.lists.contains(inner.role) {
      guard let list = around.first(where: { Toolkit.lists.contains($0.role) }) ?? Optional(inner),
        let place = around.firstIndex(where: { $0.id == list.id }), place > 0,
        let bar = try await verticalBar(in: outer.id)
      else { continue }
      let answers = try await ask([
        around[place - 1].id.indexInParent, list.id.property("ChildCount"),
        bar.property("MinimumValue", of: "Value"), bar.property("MaximumValue", of: "Value"),
      ])
      guard let index = AccessibleAnswers.number(answers[0]),
        let count = AccessibleAnswers.number(answers[1]), count > 1,
        case .variant(.double(let low))? = answers[2]?.first,
        case .variant(.double(let high))? = answers[3]?.first, high > low
      else { continue }
      let value = low + (high - low) * Double(min(max(index, 0), count)) / Double(count)
      return try await set(bar, to: value)
    }
    return false
  }

  /// Not by libatspi, whose call for it ends the process where the answer is an error.
  ///
  /// - Returns: whether the program has taken the value.
  private func set(_ bar: ElementID, to value: Double) async throws(Reason) -> Bool {
    let answer = try await ask(
      BusQuestion(
        program: bar.program,
        call: BusCall(
          path: bar.path, interface: "org.freedesktop.DBus.Properties", member: "Set",
          arguments: [
            .string(ATSPI_DBUS_INTERFACE_VALUE), .string("CurrentValue"), .variant(.double(value)),
          ])))
    return answer != nil
  }

  /// The scroll bar that moves a pane up and down, among its first children.
  private func verticalBar(in pane: ElementID) async throws(Reason) -> ElementID? {
    let children = AccessibleAnswers.elements(try await ask(pane.children)) ?? []
    let answers = try await ask(children.prefix(8).flatMap { [$0.role, $0.states] })
    return children.prefix(8).enumerated().first { place, _ in
      AccessibleAnswers.role(answers[place * 2]) == "scroll bar"
        && AccessibleAnswers.states(answers[place * 2 + 1])?.contains(.vertical) == true
    }?.element
  }
}
