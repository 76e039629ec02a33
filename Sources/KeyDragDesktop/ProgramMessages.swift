import KeyDragCore

/// Messages of a program about an outcome: in a bar, an alert or a line of its window. They are
/// passed on verbatim, because only a person can interpret them.
enum ProgramMessages {
  /// In characters; longer messages are truncated, as nobody remembers more.
  private static let longest = 200
  /// The fewest letters beside a name that say something of it; fewer only show it.
  private static let leastLetters = 8
  /// In letters; fewer are a unit.
  private static let leastWord = 3
  /// More are a form.
  private static let mostLabels = 3

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

  /// The words that have come into a status line or at most three labels, outside of rows, tabs and
  /// documents; `nil` where more has come, or nothing but figures.
  static func new(
    in elements: [ElementFacts], besides known: Set<String>, about names: [String]
  ) -> String? {
    var words: [String] = []
    for (index, element) in elements.enumerated() {
      // A status line of GTK bears the words of the label in it.
      guard AccessibleRoles.labels.union([AccessibleRoles.statusBar]).contains(element.role),
        element.name.count(where: \.isLetter) >= leastWord, !known.contains(element.name),
        !words.contains(element.name),
        !elements.ancestors(of: index).contains(where: { parts.contains(elements[$0].role) })
      else { continue }
      words.append(element.name)
    }
    return (1...mostLabels).contains(words.count) ? told(words, names) : nil
  }

  /// A label in one of these shows what is in a list or a document.
  static let parts = AccessibleRoles.rows.union(AccessibleRoles.icons).union(AccessibleRoles.tabs)
    .union(AccessibleRoles.documents)

  /// The text of a dialog with one button, which leaves no choice. One without a name is a picture,
  /// such as that for help.
  static func ofDialog(_ elements: [ElementFacts], about names: [String]) -> String? {
    let (words, buttons) = contents(ofDialog: elements)
    guard buttons.count == 1, !words.isEmpty else { return nil }
    return told(words, names)
  }

  /// The text of a dialog that asks in a few words; empty where there is more to read, or something
  /// to fill in.
  static func question(ofDialog elements: [ElementFacts], about names: [String]) -> String {
    let (words, _) = contents(ofDialog: elements)
    let isForm = elements.contains { $0.states.contains(.editable) }
    return isForm || words.count > mostLabels ? "" : told(words, names)
  }

  /// The labels of a dialog and its buttons.
  private static func contents(
    ofDialog elements: [ElementFacts]
  ) -> (words: [String], buttons: [ElementFacts]) {
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
    return (words.map(\.name), buttons)
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
    character.isWhitespace || "\u{FFFD}\"'`“”„‘’‚«»‹›「」『』()<>[]".contains(character)
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
