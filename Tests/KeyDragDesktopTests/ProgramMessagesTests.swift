import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("The words in which a program tells how a drop went")
struct ProgramMessagesTests {
  /// A line that no item is named in stands beside it.
  private func elements(_ role: String, _ words: String..., inside: String? = nil)
    -> [ElementFacts]
  {
    var elements = [facts(0, "label", "Recent files"), facts(1, inside ?? "panel", "")]
    for (number, words) in words.enumerated() {
      elements.append(facts(number + 2, role, words, parent: 1))
    }
    return elements
  }

  private func facts(
    _ number: Int, _ role: String, _ name: String, parent: Int? = nil
  ) -> ElementFacts {
    ElementFacts(
      id: ElementID(program: ":1.1", path: "/\(number)"), parent: parent, role: role, name: name)
  }

  @Test(
    "T04 a line that names the file and says more is told, without the folders before the name",
    arguments: [
      ("Couldn't recognise the file 'a.txt'", "Couldn't recognise the file 'a.txt'"),
      ("The file \"/home/me/in/a.txt\" is no text.", "The file \"a.txt\" is no text."),
      ("file:///home/me/a.txt: no such picture", "a.txt: no such picture"),
      ("Could not\nload a.txt", "Could not load a.txt"),
      ("There is text:\u{FFFD}/home/me/a.txt\u{FFFD}Open it?", "There is text: a.txt Open it?"),
    ])
  func line(words: String, told: String) {
    for role in ["label", "status bar"] {
      let elements = elements(role, words)
      #expect(ProgramMessages.about(["a.txt"], in: elements, isNew: false) == told)
      #expect(
        ProgramMessages.about(["a.txt"], in: elements, besides: [words], isNew: false) == nil)
    }
  }

  @Test(
    "T04 a line that only shows the name, or names another file, tells nothing",
    arguments: [
      "a.txt", "* a.txt", "a.txt (32x32)", "Could not open ba.txt", "Could not open a.txt2", "",
      "1 / 2 | a.txt | holiday pictures | 376 B",
    ])
  func noWords(words: String) {
    #expect(ProgramMessages.about(["a.txt"], in: elements("label", words), isNew: false) == nil)
    #expect(ProgramMessages.about([""], in: elements("label", words), isNew: true) == nil)
  }

  @Test("T04 a bar is told with all its words; where it names nothing, only in a new window")
  func bar() {
    let named = elements("label", "Could not load 'a.txt'.", "Unknown format", inside: "info bar")
    #expect(
      ProgramMessages.about(["a.txt"], in: named, isNew: false)
        == "Could not load 'a.txt'. Unknown format")
    let bare = elements("label", "Unable to open it", "It is no document", inside: "alert")
    #expect(ProgramMessages.about(["a.txt"], in: bare, isNew: false) == nil)
    #expect(
      ProgramMessages.about(["a.txt"], in: bare, isNew: true)
        == "Unable to open it. It is no document")
  }

  @Test("T04 a dialog tells where it has one button, and asks where it has more")
  func dialog() {
    var elements = elements("label", "No format for /tmp/a.txt", inside: "panel")
    elements.removeFirst()
    elements.append(facts(8, "push button", "OK"))
    #expect(ProgramMessages.ofDialog(elements, about: ["a.txt"]) == "No format for a.txt")
    elements.append(facts(6, "push button", ""))
    elements.append(facts(7, "label", "Help", parent: elements.count - 1))
    #expect(ProgramMessages.ofDialog(elements, about: ["a.txt"]) == "No format for a.txt")
    elements.append(facts(9, "push button", "Cancel"))
    #expect(ProgramMessages.ofDialog(elements, about: ["a.txt"]) == nil)
  }

  @Test(
    "T14 words that have come into a status line or a few labels are told, and no rows or figures",
    arguments: [
      (["status bar 'Ready'"], ["status bar '1 file queued'"], "1 file queued"),
      (["status bar ''"], ["status bar ''", "label 'Queued'<"], "Queued"),
      (["status bar ''"], ["status bar 'Queued'", "label 'Queued'<"], "Queued"),
      (["label 'Empty'"], ["label '1 track - 00:30'"], "1 track - 00:30"),
      (["label 'Empty'"], ["label 'Empty'", "panel ''", "label 'Press OK'<"], "Press OK"),
      (["label 'Empty'"], ["label 'a.txt'", "label 'Tracks'"], "a.txt. Tracks"),
      (["label '0:00'"], ["label '0:01'"], nil),
      (["list item 'z.txt'"], ["list item 'b.txt'"], nil),
      (["table cell 'z'", "label 'z.txt'<"], ["table cell 'z'", "label 'b.txt'<"], nil),
      (["label 'Empty'"], ["label 'Empty'", "document web ''", "label 'News'<"], nil),
      (["label 'One'", "label 'Two'"], ["label 'Two'", "label 'One'"], nil),
      (
        ["label 'One'", "label 'Two'", "label 'Six'", "label 'Ten'"],
        ["label 'Uno'", "label 'Due'", "label 'Sei'", "label 'Dieci'"], nil
      ),
    ] as [([String], [String], String?)])
  func changed(before: [String], after: [String], told: String?) {
    func elements(_ lines: [String]) -> [ElementFacts] {
      lines.enumerated().map { number, line in
        let parts = line.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        return facts(
          number, String(parts[0].dropLast()), parts[1],
          parent: parts[2] == "<" ? number - 1 : nil)
      }
    }
    let known = Set(elements(before).map(\.name))
    #expect(ProgramMessages.new(in: elements(after), besides: known, about: ["a.txt"]) == told)
  }

  @Test("T04 long words are cut")
  func long() {
    let words = "Could not open a.txt " + String(repeating: "because ", count: 90)
    let told = ProgramMessages.about(["a.txt"], in: elements("label", words), isNew: false)
    #expect(told?.count == 201 && told?.last == "…")
  }
}
