import KeyDragCore

/// Messages of a program about an outcome: in a bar, an alert or a line of its window. They are
/// passed on verbatim, because only a person can interpret them.
enum ProgramMessages {
  /// In characters; longer messages are truncated, as nobody remembers more.
  private static let longest = 200
  /// The fewest letters beside a name that say something of it; fewer only show it.
  private static let leastLetters = 8

  /// The message that names one of these items, preferably of a bar or an alert.
  ///
  /// - Parameters:
  ///   - known: texts that were there before, which are about something else.
  ///   - isNew: whether the window is new: its bars and alerts then count even without a name.
  static func about(
    _ names: [String], in elements: [ElementFacts], besides known: Set<String> = [], isNew: Bool
  ) -> String? {
    let notices = elements.indices.filter { AccessibleRoles.notices.contains(elements[$0].role) }
    for notice in notices {
      let words = words(in: notice, of: elements)
      guard !words.isEmpty, !words.allSatisfy(known.contains),
        isNew || words.contains(where: { tells($0, of: names) })
      else { continue }
      return told(words, names)
    }
    let line = elements.first { element in
      AccessibleRoles.telling.contains(element.role) && !known.contains(element.name)
        && tells(element.name, of: names)
    }
    return line.map { told([$0.name], names) }
  }

  /// The text of a dialog with one button, which leaves no choice. One without a name is a picture,
  /// such as that for help.
  static func ofDialog(_ elements: [ElementFacts], about names: [String]) -> String? {
    let buttons = elements.filter {
      AccessibleRoles.captioned.contains($0.role) && !$0.name.isEmpty
    }
    func isOnButton(_ element: ElementFacts) -> Bool {
      guard let parent = element.parent, elements.indices.contains(parent) else { return false }
      return AccessibleRoles.captioned.contains(elements[parent].role)
    }
    let words = elements.filter { element in
      AccessibleRoles.labels.contains(element.role) && !element.name.isEmpty
        && !buttons.contains { $0.name == element.name } && !isOnButton(element)
    }
    guard buttons.count == 1, !words.isEmpty else { return nil }
    return told(words.map(\.name), names)
  }

  /// The labels in an element; its own name if there are none.
  private static func words(in notice: Int, of elements: [ElementFacts]) -> [String] {
    var isInside: Set<Int> = [notice]
    var words: [String] = []
    for index in elements.indices.dropFirst(notice + 1) {
      guard let parent = elements[index].parent, isInside.contains(parent) else { continue }
      isInside.insert(index)
      if AccessibleRoles.labels.contains(elements[index].role), !elements[index].name.isEmpty {
        words.append(elements[index].name)
      }
    }
    return words.isEmpty ? [elements[notice].name].filter { !$0.isEmpty } : words
  }

  /// Whether a text says something of one of the names, beyond the name itself.
  static func tells(_ words: String, of names: [String]) -> Bool {
    names.contains { name in
      // A line of several fields shows the name in one of them.
      guard !name.isEmpty, !words.split(separator: " | ").contains(name[...]) else { return false }
      let rest = parts(of: words, around: name)
      return rest.count > 1
        && rest.joined().count(where: \.isLetter) >= leastLetters
    }
  }

  /// The text before, between and after a name with its folders; one part if the name does not
  /// occur as a word.
  private static func parts(of words: String, around name: String) -> [String] {
    var parts: [String] = []
    var rest = words[...]
    for range in words.ranges(of: name) {
      guard range.lowerBound >= rest.startIndex, !isWord(words[range.upperBound...].first) else {
        continue
      }
      let before = words[rest.startIndex..<range.lowerBound]
      let start = before.lastIndex(where: isBreak).map(before.index(after:)) ?? before.startIndex
      let lead = before[start...]
      guard lead.hasSuffix("/") || !isWord(before.last) else { continue }
      parts.append(String(lead.hasSuffix("/") ? before.dropLast(lead.count) : before))
      rest = words[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  private static func isWord(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }

  /// A character that ends a path.
  private static func isBreak(_ character: Character) -> Bool {
    character.isWhitespace || "\"'`“”„‘’‚«»‹›「」『』()<>[]".contains(character)
  }

  /// The texts in one line, without folders before a name, which would be read letter by letter.
  private static func told(_ words: [String], _ names: [String]) -> String {
    let lines = words.map { words in
      names.reduce(words) { words, name in
        name.isEmpty ? words : parts(of: words, around: name).joined(separator: name)
      }
      .split { $0.isWhitespace || $0 == "\u{FFFD}" }.joined(separator: " ")
    }
    var text = ""
    for line in lines where !line.isEmpty {
      if !text.isEmpty { text += text.last.map(\.endsSentence) == true ? " " : ". " }
      text += line
    }
    return text.count > longest ? text.prefix(longest) + "…" : text
  }
}

extension Desktop {
  /// The message of a window, or of a newer one of its program, about dropped items; `nil` for
  /// none.
  ///
  /// - Parameter things: the elements of the window before; if unknown, nothing in it counts as
  ///   new.
  func words(
    beside container: ContainerID, since start: Drop.Start,
    besides things: Set<DropEffect.Thing>?
  ) async -> String? {
    guard let own = window(container), !start.names.isEmpty else { return nil }
    if let things, let program = own.program, program.isResponding, let frame = own.frame {
      let elements = await telling(frame, of: program, own.facts)
      let known = Set(things.map(\.name))
      if let words = ProgramMessages.about(start.names, in: elements, besides: known, isNew: false)
      {
        return words
      }
    }
    let windows = await windows(ofProgramOf: own.facts)
    let frames = await frames(of: windows)
    for window in windows where start.windows?.contains(window.id) == false {
      guard let (program, frame) = frames[window.id] else { continue }
      let elements = await telling(frame, of: program, window)
      if let words = ProgramMessages.about(start.names, in: elements, isNew: true) { return words }
    }
    return nil
  }

  /// The title of a new window from a program that starts a process for each file.
  func newWindow(beside container: ContainerID, since start: Drop.Start) async -> String? {
    guard let facts = window(container)?.facts, let before = start.windows else { return nil }
    return await windows(ofProgramOf: facts).first { !before.contains($0.id) }?.title
  }

  /// Adds the captions of its buttons to a question, where there are several: a program may offer
  /// another operation than the one that was requested. Where there is one, its text.
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
    if let words = ProgramMessages.ofDialog(await withTexts(elements), about: names) {
      return .dialog(title, hasKeyboard: hasKeyboard, words: SpokenName.clean(words))
    }
    let buttons = elements.filter {
      AccessibleRoles.captioned.contains($0.role) && $0.states.contains(.showing)
        && (1...Self.longestCaption).contains($0.name.count)
    }
    guard (2...Self.mostButtons).contains(buttons.count) else { return question }
    let captions = buttons.map { SpokenName.clean($0.name) }
    return .dialog(title, hasKeyboard: hasKeyboard, buttons: captions)
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
