import KeyDragCore
import Testing

/// Lines of a text in which something has come to stand.
struct TextPositionTests {
  private static let same = "Copied a.txt to Docs."

  @Test(
    "H12, T01: in which line of a text it stands is said after the drop where that was not heard",
    arguments: [
      (TextPosition(line: 3, of: 8, isAtEnd: false), TextPosition?.none, same),
      (.init(line: 3, of: 8, isAtEnd: false), .init(line: 3, of: 9, isAtEnd: false), same),
      (
        .init(line: 3, of: 8, isAtEnd: false), .init(line: 8, of: 9, isAtEnd: true),
        "Copied a.txt to Docs. End of line 8 of 9."
      ),
      (nil, .init(line: 3, of: 9, isAtEnd: false), "Copied a.txt to Docs. Line 3 of 9."),
    ] as [(TextPosition?, TextPosition?, String)])
  func line(heard: TextPosition?, landed: TextPosition?, text: String) {
    var stage = Stage.inboxAndDocs
    stage.holdsDeliveries = true
    var proposal = DropProposal(.all)
    proposal.textPosition = heard
    stage.proposals[Stage.place("Docs")] = proposal
    var driver = SessionDriver.started(stage)
    driver.press("'docs' home down space 'docs' enter")
    _ = driver.hear()
    var result = DeliveryResult(outcome: .delivered, route: .xdnd, delivered: 1)
    result.textPosition = landed
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    #expect(driver.hear() == [text + " Now at b.txt."])
  }

  @Test(
    "where something was inserted into a text is known by the text before and after, or not at all",
    arguments: [
      ("a\nb", "a\nxb", TextPosition(line: 2, of: 2, isAtEnd: false)),
      ("a\nb", "a\nb\nx", .init(line: 2, of: 3, isAtEnd: true)),
      ("a\nb\n", "a\nb\nx", .init(line: 3, of: 3, isAtEnd: true)),
      ("a\nb", "xa\nb", .init(line: 1, of: 2, isAtEnd: false)),
      // Where several of the same stand in a line it is that line in any case.
      ("xx\nb", "xxx\nb", nil), ("axxb\nb", "axxxb\nb", .init(line: 1, of: 2, isAtEnd: false)),
      ("a\na", "a\na\na", nil), ("a\nb", "a\nb", nil), ("a\nb", "a", nil),
      ("a\nb\nc", "x\nb\ncc", nil), ("", "x", .init(line: 1, of: 1, isAtEnd: true)),
    ])
  func inserted(old: String, new: String, position: TextPosition?) {
    #expect(TextPosition(insertedInto: old, giving: new) == position)
  }
}
