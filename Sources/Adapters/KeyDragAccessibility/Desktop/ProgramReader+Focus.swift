import KeyDragCore

extension ProgramReader {
  /// The focus: the last reported element if it is still valid, else the one that is found.
  ///
  /// - Returns: `nil` when no responding program has it.
  package func focus() async -> FocusFacts? {
    guard await connected() != nil else { return nil }
    if let told = changes.focused, !silent.contains(told.program),
      let facts = await focusFacts(told)
    {
      // LibreOffice reports its whole window as focused when a key is grabbed from it. Firefox does
      // not report the focused element when another was found to be focused while its page was
      // being built, but answers at once when asked for it.
      let isLost =
        !facts.element.states.contains(.focused)
        && Toolkit.of(facts.program).reading == .matches
      guard facts.isWholeWindow || isLost, let frame = facts.frame else { return facts }
      return await focus(in: frame, of: facts.program) ?? facts
    }
    // Nothing was reported: search the active windows.
    for program in await programs() ?? [] where program.isResponding {
      for frame in program.frames where frame.isActive {
        if let facts = await focus(in: frame, of: program) {
          changes.remember(facts.element.id)
          return facts
        }
      }
    }
    return nil
  }

  /// An element reported as focused, while it is shown: a key that is grabbed from a program takes
  /// its focus for as long as it is down, so that it need not be focused now.
  private func focusFacts(_ element: ElementID) async -> FocusFacts? {
    // Queries the program and the element concurrently, where the toolkit is known.
    async let facts = facts(of: element.program)
    var known: Surroundings?
    if let toolkit = toolkits[element.program] {
      known = try? await surroundings(of: [element], toolkit)[0]
    }
    let program = await facts
    guard program.isResponding else { return nil }
    let toolkit = Toolkit.of(program)
    if known == nil { known = try? await surroundings(of: [element], toolkit)[0] }
    guard let around = known,
      around.steps.first.map({ $0.states.contains(.showing) || $0.states.contains(.focused) })
        == true
    else { return nil }
    return await focusFacts(around, in: program)
  }

  /// The innermost element of a window with the focused state.
  private func focus(in frame: FrameFacts, of program: ProgramFacts) async -> FocusFacts? {
    let toolkit = Toolkit.of(program)
    guard let element = try? await focused(in: frame.element, toolkit),
      let around = try? await surroundings(of: [element], toolkit)[0]
    else { return nil }
    return await focusFacts(around, in: program)
  }

  /// The last of the focused elements is the innermost.
  private func focused(
    in frame: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> ElementID? {
    // Some toolkits find it themselves.
    if toolkit.reading == .matches {
      let rule = MatchRule(states: .focused)
      let answer = try await ask(frame.matches(rule, most: 16, isDeep: true))
      if let found = AtspiReplyDecoder.elements(answer) { return found.last }
    }
    let outline = try await walk(frame, toolkit)
    return outline.order.last { $0 > 0 && outline[$0].states.contains(.focused) }
      .map { outline[$0].id }
  }

  private func focusFacts(
    _ around: Surroundings, in program: ProgramFacts
  ) async -> FocusFacts? {
    let toolkit = Toolkit.of(program)
    async let isSecret = isPassword(around.steps.map { ($0.id, $0.role) }, toolkit)
    guard let facts = try? await read([around], in: program).facts.first else { return nil }
    return FocusFacts(
      program: program, frame: program.frames.first { $0.element == around.frame },
      element: facts, isPassword: await isSecret,
      isWholeWindow: facts.role == Toolkit.rootPane)
  }

  /// Whether an element or one around it is a password field; `nil` when the program does not
  /// answer.
  private func isPassword(
    _ elements: [(id: ElementID, role: String)], _ toolkit: Toolkit
  ) async -> Bool? {
    for (id, role) in elements.prefix(Self.secretHeight)
    where role == "password text" || role == "text" || role == "entry" {
      // The role is not enough: some toolkits have none for it.
      let answers = try? await ask([
        id.name, id.ask("Text", "GetText", .int32(0), .int32(Self.marks)),
      ])
      guard let answers else { return nil }
      if toolkit.isPassword(
        role: role, name: AtspiReplyDecoder.text(answers[0]) ?? "",
        start: AtspiReplyDecoder.text(answers[1]) ?? "")
      {
        return true
      }
    }
    return false
  }

  /// Levels from an element to the field that it is a part of.
  private static let secretHeight = 4
  /// Characters read to see whether a text is masked.
  private static let marks: Int32 = 4

  private func toolkit(of program: String) async throws(Reason) -> Toolkit {
    if let known = toolkits[program] { return known }
    let facts = await facts(of: program)
    guard facts.isResponding else { throw .notResponding }
    return Toolkit.of(facts)
  }

  /// Whether an element's text must not be read. Throws `notResponding` when that is unknown: then
  /// no text may be read.
  func isPassword(_ element: ElementID) async throws(Reason) -> Bool {
    let toolkit = try await toolkit(of: element.program)
    let around = try await surroundings(of: [element], toolkit, height: Self.secretHeight)[0]
    guard let known = await isPassword(around.steps.map { ($0.id, $0.role) }, toolkit) else {
      throw .notResponding
    }
    return known
  }
}
