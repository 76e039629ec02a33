import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "LibreOffice Writer, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs Writer: apt-get install libreoffice-writer libreoffice-gtk3") {
    InstalledProgram.writer.isThere
  })
struct WriterTests: AgentSteps {
  @Test("H01, H14 A file of text is in the document once Writer's own question is answered")
  func file() throws {
    let desktop = try DesktopStage()
    let writer = try open(desktop)
    #expect(
      try desktop.listed("Writer") == [
        "shopping.fodt document, LibreOffice Writer",
        "A1, in shopping.fodt, LibreOffice Writer", "B1, in shopping.fodt, LibreOffice Writer",
      ])
    try desktop.stage.make("note.txt", "Call the baker\n")
    let no = try desktop.askingDrop("note.txt", "--onto", "shopping")
    let question = try no.wait(for: "unconfirmed")
    #expect(question.argument("window") == "Insert Section", "\(question)")
    #expect(question.text.contains("Insert Section is open and waits"), "\(question)")
    try desktop.answer("Insert Section", "Escape")
    #expect(try no.ended().status == 1)

    let yes = try desktop.askingDrop("note.txt", "--onto", "shopping")
    try yes.wait(for: "unconfirmed")
    try desktop.answer("Insert Section", "Return")
    let run = try yes.ended()
    #expect(run.status == 0, "\(run)")
    #expect(run.last("delivered")?.argument("place") == "shopping.fodt", "\(run)")
    try desktop.waitForText("Call the baker", in: "shopping")
    _ = writer
  }

  @Test("H01, H16 Words go from a line into the document and a cell of it, and out of it again")
  func words() throws {
    let desktop = try DesktopStage()
    let writer = try open(desktop)
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try reach("LibreOffice Writer", desktop, agent)
    try desktop.press("F4", "b", "1", "Return")
    try agent.wait(at: "B1", "maybe")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "B1")
    try desktop.waitForText("some words to carry", in: "shopping")

    try desktop.activate("shopping")
    // From a cell these go to the first of its table.
    try desktop.press("ctrl+Home", "ctrl+Home", "ctrl+shift+Right")
    let picked = try pickUp(desktop, agent)
    #expect(picked.argument("names") == ["one"], "\(picked)")
    try reach("Letter", desktop, agent)
    try desktop.press("Return")
    try letter.lines(upTo: "body one")
    _ = writer
  }

  private func open(_ desktop: DesktopStage) throws -> KeptProcess {
    try desktop.stage.make(
      "shopping.fodt",
      DesktopStage.document(
        "text",
        """
        <office:text><text:p>Milk and bread</text:p>
        <table:table table:name="Prices"><table:table-column table:number-columns-repeated="2"/>
        <table:table-row><table:table-cell office:value-type="string"><text:p>one</text:p>
        </table:table-cell><table:table-cell office:value-type="string"><text:p>two</text:p>
        </table:table-cell></table:table-row></table:table><text:p>Eggs</text:p></office:text>
        """))
    return try desktop.office("shopping.fodt", showing: "Milk and bread")
  }
}
