import KeyDragCore

/// The focus, and whether a password is typed there.
extension ProgramBus {
  /// The present focus: the element told last where it still has it, else the one that is found.
  ///
  /// - Returns: `nil` where no program has it, or none that answers.
  func focus() async -> FocusFacts? {
    guard await connected() != nil else { return nil }
    if let told = changes.focused, !silent.contains(told.program),
      let facts = await focusFacts(told)
    {
      // LibreOffice tells that its whole window has the focus when a key is taken from it. Firefox
      // does not tell of the element that has it when something else was found to have it while its
      // page was still built; it answers at once which one has it.
      let isLost =
        !facts.element.states.contains(.focused)
        && Toolkit.of(facts.program).reading == .matches
      guard facts.isWholeWindow || isLost, let frame = facts.frame else { return facts }
      return await focus(in: frame, of: facts.program) ?? facts
    }
    // Nobody has told of it: the active windows are looked through.
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

  /// An element that was told to have the focus, while it is there: a key that we take from a
  /// program takes the focus from it for as long as it is down, so that it need not say so now.
  private func focusFacts(_ element: ElementID) async -> FocusFacts? {
    // The program and the place of the element in one go, where the toolkit is known.
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

  /// The innermost element of a window that says that it has the focus.
  private func focus(in frame: FrameFacts, of program: ProgramFacts) async -> FocusFacts? {
    let toolkit = Toolkit.of(program)
    guard let element = try? await focused(in: frame.element, toolkit),
      let around = try? await surroundings(of: [element], toolkit)[0]
    else { return nil }
    return await focusFacts(around, in: program)
  }

  /// The last of the elements that say so is the innermost.
  private func focused(
    in frame: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> ElementID? {
    // Some toolkits find it themselves.
    if toolkit.reading == .matches {
      let rule = MatchRule(states: .focused)
      let answer = try await ask(frame.matches(rule, most: 16, isDeep: true))
      if let found = AccessibleAnswers.elements(answer) { return found.last }
    }
    let outline = try await walk(frame, toolkit)
    return outline.order.last { $0 > 0 && outline[$0].states.contains(.focused) }
      .map { outline[$0].id }
  }

  /// The facts of the element in focus, with its window and whether it is secret.
  private func focusFacts(
    _ around: Surroundings, in program: ProgramFacts
  ) async -> FocusFacts? {
    let toolkit = Toolkit.of(program)
    async let isSecret = isPassword(around.steps.map { ($0.id, $0.role) }, toolkit)
    guard let facts = try? await facts([around], in: program).first else { return nil }
    return FocusFacts(
      program: program, frame: program.frames.first { $0.element == around.frame },
      element: facts, isPassword: await isSecret,
      isWholeWindow: facts.role == Toolkit.rootPane)
  }

  /// Whether an element, by itself and what is around it, is a password field; `nil` where the
  /// program does not say.
  private func isPassword(
    _ elements: [(id: ElementID, role: String)], _ toolkit: Toolkit
  ) async -> Bool? {
    for (id, role) in elements.prefix(Self.secretHeight)
    where role == "password text" || role == "text" || role == "entry" {
      // The role alone does not tell: some toolkits have no role for it.
      let answers = try? await ask([
        id.name, id.ask("Text", "GetText", .int32(0), .int32(Self.marks)),
      ])
      guard let answers else { return nil }
      if toolkit.isPassword(
        role: role, name: AccessibleAnswers.text(answers[0]) ?? "",
        start: AccessibleAnswers.text(answers[1]) ?? "")
      {
        return true
      }
    }
    return false
  }

  /// How far out the field is of which an element is a part.
  private static let secretHeight = 4
  /// How much of a text is looked at to see whether it is nothing but marks.
  private static let marks: Int32 = 4

  /// The toolkit of a program, asked for where it is not known.
  private func toolkit(of program: String) async throws(Reason) -> Toolkit {
    if let known = toolkits[program] { return known }
    let facts = await facts(of: program)
    guard facts.isResponding else { throw .notResponding }
    return Toolkit.of(facts)
  }

  /// Whether the text of an element is nobody's business.
  ///
  /// Throws `notResponding` where that is not known: then no text may be read.
  func isPassword(_ element: ElementID) async throws(Reason) -> Bool {
    let toolkit = try await toolkit(of: element.program)
    let around = try await surroundings(of: [element], toolkit, height: Self.secretHeight)[0]
    guard let known = await isPassword(around.steps.map { ($0.id, $0.role) }, toolkit) else {
      throw .notResponding
    }
    return known
  }
}
