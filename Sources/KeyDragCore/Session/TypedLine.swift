/// A typed line: its purpose and its text.
///
/// It is a question with the line as its only choice: Enter accepts it, Escape discards it. While
/// it is open it gets all typed characters.
package struct TypedLine: Hashable, Sendable {
  package enum Purpose: Hashable, Sendable {
    /// Part of a name, which filters items and places.
    case filter
    /// The path of a folder.
    case goTo
    case newFolder(in: ContainerID)
    case rename(DragSourceID)
    /// The name of a folder made for a drop.
    case dropIntoNew(DropStop)
    /// The name of the dropped item.
    case dropAs(DropStop)
  }

  package let purpose: Purpose
  package private(set) var text: String
  private var caret: Int
  /// Whether the whole text is selected, so that the next character replaces it.
  package private(set) var isSelected: Bool

  /// The longest path on Linux, in bytes.
  private static let longest = 4096

  package init(_ purpose: Purpose, offering text: String = "") {
    self.purpose = purpose
    self.text = text
    caret = text.count
    isSelected = !text.isEmpty
  }

  package var beforeCaret: String { String(text.prefix(caret)) }

  /// The character at the caret; empty at the end.
  var atCaret: String { text.dropFirst(caret).first.map(String.init) ?? "" }

  /// The word ended by the blank before the caret; empty if there is none.
  var endedWord: String {
    let before = text.prefix(caret)
    guard before.last == " ", let word = before.dropLast().split(separator: " ").last,
      word.endIndex == before.index(before: before.endIndex)
    else { return "" }
    return String(word)
  }

  /// Inserts text at the caret, or replaces the selection; `false` if the line is full.
  mutating func type(_ signs: String) -> Bool {
    if isSelected { replace(by: "") }
    guard text.utf8.count + signs.utf8.count <= Self.longest else { return false }
    let after = text.dropFirst(caret)
    // A character may combine with the one before it, as an accent does.
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

  /// Deletes the character before or after the caret, or the selection; returns the deleted text.
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

  enum Step { case back, forth, start, end }

  mutating func move(_ step: Step) {
    switch step {
    // A selection collapses to its end on that side.
    case .back: caret = isSelected ? 0 : max(caret - 1, 0)
    case .forth: caret = isSelected ? text.count : min(caret + 1, text.count)
    case .start: caret = 0
    case .end: caret = text.count
    }
    isSelected = false
  }
}

/// The part of a list whose names contain a text.
package struct FilteredItems: Sendable {
  package let text: String
  package let sources: [DragSourceDescriptor]

  init(_ text: String, of sources: [DragSourceDescriptor]) {
    let part = NameFragment(text)
    self.text = text
    self.sources = sources.filter { part.isIn($0.name) }
  }
}

/// A part of a name, matched without case and accents.
struct NameFragment: Sendable {
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
