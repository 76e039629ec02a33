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
  /// Whether the text is only offered: the first sign replaces it.
  private var isOffered: Bool

  /// The longest path that Linux takes, in bytes.
  private static let longest = 4096

  package init(_ purpose: Purpose, offering text: String = "") {
    self.purpose = purpose
    self.text = text
    isOffered = !text.isEmpty
  }

  mutating func type(_ signs: String) {
    if isOffered { text = "" }
    isOffered = false
    guard text.utf8.count + signs.utf8.count <= Self.longest else { return }
    text += signs
  }

  mutating func replace(by text: String) {
    isOffered = false
    self.text = text
  }

  mutating func takeBack() {
    isOffered = false
    if !text.isEmpty { text.removeLast() }
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
