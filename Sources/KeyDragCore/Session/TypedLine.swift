/// A line that is typed: what it is for, and what stands in it.
///
/// It is a question with one choice, which is the line: Enter takes it, and Escape leaves everything
/// as it was. While it is open every sign that is written belongs to it.
package struct TypedLine: Hashable, Sendable {
  package enum Purpose: Hashable, Sendable {
    /// Part of a name: only what has it is shown and walked.
    case filter
    /// The path of a folder.
    case goTo
    /// The name of a new folder.
    case newFolder(in: ContainerID)
    /// The new name of an item.
    case rename(DragSourceID)
    /// The name of a folder that is made for what is dropped.
    case dropIntoNew(DropStop)
    /// The name that the dropped item gets.
    case dropAs(DropStop)
  }

  package let purpose: Purpose
  package private(set) var text: String
  /// How many signs stand before the one that is typed next.
  private var caret: Int
  /// Whether the whole text is selected: the next sign replaces it.
  package private(set) var isSelected: Bool

  /// The longest path that Linux takes, in bytes.
  private static let longest = 4096

  package init(_ purpose: Purpose, offering text: String = "") {
    self.purpose = purpose
    self.text = text
    caret = text.count
    isSelected = !text.isEmpty
  }

  /// The text in front of the caret.
  package var beforeCaret: String { String(text.prefix(caret)) }

  /// The sign at the caret; empty at the end.
  var atCaret: String { text.dropFirst(caret).first.map(String.init) ?? "" }

  /// The word that the blank in front of the caret has ended; empty where it ends none.
  var endedWord: String {
    let before = text.prefix(caret)
    guard before.last == " ", let word = before.dropLast().split(separator: " ").last,
      word.endIndex == before.index(before: before.endIndex)
    else { return "" }
    return String(word)
  }

  /// Puts signs in at the caret, or in place of what is selected; `false` where the line is full.
  mutating func type(_ signs: String) -> Bool {
    if isSelected { replace(by: "") }
    guard text.utf8.count + signs.utf8.count <= Self.longest else { return false }
    let after = text.dropFirst(caret)
    // A sign may join the one in front of it, as an accent does.
    let before = text.prefix(caret) + signs
    text = String(before + after)
    caret = before.count
    return true
  }

  mutating func replace(by text: String) {
    isSelected = false
    self.text = text
    caret = text.count
  }

  /// Takes away the sign in front of the caret or the one behind it, or what is selected.
  ///
  /// - Returns: what was taken away; empty where nothing is there.
  mutating func delete(forward: Bool) -> String {
    if isSelected {
      defer { replace(by: "") }
      return text
    }
    let offset = forward ? caret : caret - 1
    guard (0..<text.count).contains(offset) else { return "" }
    caret = offset
    return String(text.remove(at: text.index(text.startIndex, offsetBy: offset)))
  }

  /// One move of the caret.
  enum Step { case back, forth, start, end }

  mutating func move(_ step: Step) {
    switch step {
    // With all of it selected, to the end on that side.
    case .back: caret = isSelected ? 0 : max(caret - 1, 0)
    case .forth: caret = isSelected ? text.count : min(caret + 1, text.count)
    case .start: caret = 0
    case .end: caret = text.count
    }
    isSelected = false
  }
}

/// The part of a list whose names have a text in them.
package struct Narrowing: Sendable {
  package let text: String
  package let sources: [DragSourceDescriptor]

  init(_ text: String, of sources: [DragSourceDescriptor]) {
    let part = NamePart(text)
    self.text = text
    self.sources = sources.filter { part.isIn($0.name) }
  }
}

/// Part of a name, found ignoring case and accents.
struct NamePart: Sendable {
  private let folded: [UInt8]

  init(_ text: String) { folded = NameFolding.fold(text) }

  func isIn(_ name: String) -> Bool {
    guard let first = folded.first else { return true }
    let name = NameFolding.fold(name)
    guard name.count >= folded.count else { return false }
    return name.indices.dropLast(folded.count - 1).contains { start in
      name[start] == first && name[start...].starts(with: folded)
    }
  }
}
