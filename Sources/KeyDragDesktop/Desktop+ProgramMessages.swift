import KeyDragCore

extension Desktop {
  /// The message of a window, or of a newer one of its program, about dropped items, or else
  /// what it says now and did not before; `nil` for none.
  ///
  /// - Parameter things: the elements of the window before; if unknown, nothing in it counts as
  ///   new.
  func words(
    beside container: ContainerID, since start: Drop.Start,
    besides things: Set<DropEffect.Thing>?
  ) async -> String? {
    guard let own = window(container), !start.names.isEmpty else { return nil }
    var new: String?
    if let things, let program = own.program, program.isResponding, let frame = own.frame {
      let elements = await telling(frame, of: program, own.facts, with: ProgramMessages.parts)
      let known = Set(things.map(\.name))
      if let words = ProgramMessages.about(start.names, in: elements, besides: known, isNew: false)
      {
        return words
      }
      new = ProgramMessages.new(in: elements, besides: known, about: start.names)
    }
    let windows = await windows(ofProgramOf: own.facts)
    let frames = await frames(of: windows)
    for window in windows where start.windows?.contains(window.id) == false {
      guard let (program, frame) = frames[window.id] else { continue }
      let elements = await telling(frame, of: program, window)
      if let words = ProgramMessages.about(start.names, in: elements, isNew: true) { return words }
    }
    return new
  }

  /// The title of a new window from a program that starts a process for each file.
  func newWindow(beside container: ContainerID, since start: Drop.Start) async -> String? {
    guard let facts = window(container)?.facts, let before = start.windows else { return nil }
    return await windows(ofProgramOf: facts).first { !before.contains($0.id) }?.title
  }

  /// Adds its text to a question, and the captions of its buttons, where there are several: a program
  /// may offer another operation than the one that was requested.
  func withContents(
    _ question: ProgramQuestion, of id: WindowID, about names: [String]
  ) async -> ProgramQuestion {
    guard case .dialog(let title, let hasKeyboard, _, _) = question else { return question }
    let windows = await parts.displays.windows() ?? []
    let frames = await frames(of: windows)
    guard let window = windows.first(where: { $0.id == id }), let (program, frame) = frames[id]
    else { return question }
    let elements = await telling(
      frame, of: program, window, with: AccessibleRoles.captioned.union(AccessibleRoles.fields))
    let texts = await withTexts(elements)
    if let words = ProgramMessages.ofDialog(texts, about: names) {
      return .dialog(title, hasKeyboard: hasKeyboard, words: SpokenName.clean(words))
    }
    let buttons = elements.filter {
      AccessibleRoles.captioned.contains($0.role) && $0.states.contains(.showing)
        && (1...Self.longestCaption).contains($0.name.count)
    }
    guard (2...Self.mostButtons).contains(buttons.count) else { return question }
    let captions = buttons.map { SpokenName.clean($0.name) }
    let words = ProgramMessages.question(ofDialog: texts, about: names)
    return .dialog(
      title, hasKeyboard: hasKeyboard, buttons: captions, words: SpokenName.clean(words))
  }

  /// The elements with texts that can only be read as labels: messages stand in such a field, too.
  private func withTexts(_ elements: [ElementFacts]) async -> [ElementFacts] {
    var elements = elements
    for (index, element) in elements.enumerated()
    where AccessibleRoles.fields.contains(element.role) && !element.states.contains(.editable) {
      let text = try? await parts.programs?.text(of: element.id, most: Self.longestMessage)
      (elements[index].role, elements[index].name) = ("label", text ?? "")
    }
    return elements
  }

  /// In characters.
  private static let longestMessage = 1_000
  /// In characters.
  private static let longestCaption = 60
  /// More buttons are no answers to a question.
  private static let mostButtons = 5

  /// The elements with messages in a window, in order.
  private func telling(
    _ frame: FrameFacts, of program: ProgramFacts, _ window: WindowFacts,
    with others: Set<String> = []
  ) async -> [ElementFacts] {
    await elements(
      of: frame.element,
      with: AccessibleRoles.telling.union(others).union(AccessibleRoles.panels), program, window,
      most: DropEffect.maxElements)
  }
}
