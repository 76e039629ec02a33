import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What is selected is picked up as a whole, or not at all")
struct PickingTests {
  private func element(_ name: String, _ role: String = "table cell") -> ElementFacts {
    ElementFacts(id: ElementID(program: ":1.1", path: "/\(name)"), role: role, name: name)
  }

  private func names(
    _ rows: [ElementFacts], focus: String = "", shown: Set<String>
  ) throws -> [String] {
    try Picking.names(of: rows, focus: element(focus), shown: shown)
  }

  @Test("H07 A hundred selected rows are a hundred names, however few of them are shown")
  func many() throws {
    let all = (1...100).map { "file \($0).txt" }
    let found = try names(all.map { element($0) }, focus: all[7], shown: Set(all.prefix(50)))
    #expect(found == all)
  }

  @Test(
    "H07 Rows that have no name, or share one, are not picked up without each other",
    arguments: [["a.txt", ""], ["a.txt", "b.txt", "a.txt"]])
  func untold(rows: [String]) {
    #expect(throws: Reason.notDraggable) {
      try names(rows.map { element($0) }, focus: "a.txt", shown: ["a.txt", "b.txt"])
    }
  }

  @Test("one row is itself, or the one that its cell lies beside, or one that is not shown")
  func one() throws {
    #expect(try names([element("a.txt")], focus: "a.txt", shown: ["a.txt"]) == ["a.txt"])
    #expect(try names([element("5 kB")], focus: "a.txt", shown: ["a.txt"]) == ["a.txt"])
    #expect(try names([], focus: "a.txt", shown: ["a.txt"]) == ["a.txt"])
    #expect(try names([element("z.txt")], focus: "z.txt", shown: ["a.txt"]) == ["z.txt"])
    #expect(try names([], focus: "Search", shown: ["a.txt"]) == [])
    let button = element("Documents", "push button")
    #expect(try Picking.names(of: [button], focus: button, shown: ["a.txt"]) == [])
  }

  @Test(
    "What can be grabbed is called by its own name, and no bullet is a part of it",
    arguments: [
      ("Milk", "• Two litres", "list item", "Milk", "Two litres"),
      ("• Milk", "• Milk", "list item", "Milk", "Milk"),
      ("", "• Milk", "list item", "", "Milk"),
      ("Milk", "\u{FFFC} ", "list item", "Milk", "Milk"),
      ("Note", "• one\n• two", "panel", "Note", "• one\n• two"),
    ])
  func grabbed(own: String, text: String, role: String, name: String, carried: String) throws {
    let found = try #require(Picking.carried(text, of: element(own, role)))
    #expect(found.name == name && found.text == carried)
    #expect(Picking.carried(" ", of: element("", role)) == nil)
  }

  @Test("of copied cells the text is taken, not the picture of them")
  func cells() {
    let text: SelectedForm = ("text/plain;charset=utf-8", Array("Milk\t2".utf8))
    let picture: SelectedForm = ("image/png", [137, 80])
    #expect(Picking.text(in: [picture, text]) == "Milk\t2")
    #expect(Picking.text(in: [picture, ("text/plain", Array(" \n".utf8))]) == nil)
    #expect(Picking.text(in: [picture]) == nil)
  }

  @Test(
    "a text is called by its first words, without the stop that would end the sentence around it",
    arguments: [
      ("Select this sentence please.", "Select this sentence please"), ("Wait...", "Wait..."),
      (".", "."), ("Milk\t2\n", "Milk 2"), (String(repeating: "a", count: 50), nil),
    ] as [(String, String?)])
  func name(text: String, name: String?) {
    #expect(TextPayloads.name(of: text) == name ?? String(repeating: "a", count: 40) + "…")
  }
}
