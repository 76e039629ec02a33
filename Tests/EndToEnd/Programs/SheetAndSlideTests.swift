import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "LibreOffice Calc, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs Calc: apt-get install libreoffice-calc libreoffice-gtk3") {
    InstalledProgram.calc.isThere
  })
struct CalcTests: AgentSteps {
  @Test("T07, H14 A file dropped on a cell is opened once Calc has asked; undo was in doubt")
  func file() throws {
    let desktop = try DesktopStage()
    let calc = try open(desktop)
    let places = try desktop.listed("Calc")
    #expect(places.first == "prices.fods document, LibreOffice Calc", "\(places)")
    for name in ["A1", "B1", "C3", "Prices tab"] {
      #expect(places.contains("\(name), in prices.fods, LibreOffice Calc"), "\(places)")
    }
    try desktop.stage.make("list.txt", "apples\n")
    let drop = try desktop.askingDrop("list.txt", "--onto", "A2")
    let place = try drop.wait(for: "drop-point")
    #expect(place.text.contains("Perhaps can't be undone."), "\(place)")
    let question = try drop.wait(for: "unconfirmed")
    #expect(question.argument("window") == "Text Import - [list.txt]", "\(question)")
    try desktop.answer("Text Import", "Return")
    let run = try drop.ended()
    #expect(run.status == 0, "\(run)")
    #expect(run.said.last == "Opened list.txt with LibreOffice Calc.", "\(run)")
    try desktop.waitForText("apples", in: "list.txt")
    let undo = try desktop.run("undo")
    #expect(undo.status != 0, "\(undo)")
    _ = calc
  }

  @Test("H01, H16 Words go from a line into a cell, and a cell's words out of it")
  func words() throws {
    let desktop = try DesktopStage()
    let calc = try open(desktop)
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try reach("LibreOffice Calc", desktop, agent)
    try desktop.press("F4", "c", "1", "Return")
    try agent.wait(at: "C1", "maybe")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "C1")
    try desktop.waitForText("some words to carry", in: "prices")

    try desktop.activate("prices")
    try desktop.press("ctrl+Home")
    let picked = try pickUp(desktop, agent)
    #expect(picked.argument("names") == ["Milk"], "\(picked)")
    try reach("Letter", desktop, agent)
    try desktop.press("Return")
    try letter.lines(upTo: "body Milk")
    _ = calc
  }

  private func open(_ desktop: DesktopStage) throws -> KeptProcess {
    try desktop.stage.make(
      "prices.fods",
      DesktopStage.document(
        "spreadsheet",
        """
        <office:spreadsheet><table:table table:name="Prices"><table:table-row>
        <table:table-cell office:value-type="string"><text:p>Milk</text:p></table:table-cell>
        </table:table-row></table:table></office:spreadsheet>
        """))
    return try desktop.office("prices.fods", showing: "Milk")
  }
}

@Suite(
  "LibreOffice Impress, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs Impress: apt-get install libreoffice-impress libreoffice-gtk3") {
    InstalledProgram.impress.isThere
  })
struct ImpressTests: AgentSteps {
  @Test("H01, H24 A picture goes onto the slide, and out of it into a folder")
  func picture() throws {
    let desktop = try DesktopStage("Docs/")
    try desktop.stage.makePicture("red.png")
    let impress = try open(desktop)
    #expect(try desktop.listed("Impress") == ["talk.fodp document, LibreOffice Impress"])
    let run = try desktop.run("drop", "red.png", "--onto", "talk")
    #expect(run.status == 0, "\(run)")
    #expect(run.said.last == "Added red.png to talk.fodp, in LibreOffice Impress.", "\(run)")
    try desktop.waitForText("GraphicObjectShape", in: "talk")
    let folder = try keydragFiles("Docs", desktop)
    let agent = try desktop.agent()
    try desktop.activate("talk")
    try pickUp(desktop, agent)
    try reach("keydrag files", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered")
    let names = desktop.stage.list("Docs").filter { $0.hasSuffix(".png") }
    #expect(names.count == 1, "\(desktop.stage.list("Docs"))")
    _ = (impress, folder)
  }

  @Test("H01, H16 Words go from a line onto the slide")
  func words() throws {
    let desktop = try DesktopStage()
    let impress = try open(desktop)
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try reach("LibreOffice Impress", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "talk.fodp")
    try desktop.waitForText("some words to carry", in: "talk")
    _ = impress
  }

  private func open(_ desktop: DesktopStage) throws -> KeptProcess {
    try desktop.stage.make(
      "talk.fodp",
      DesktopStage.document(
        "presentation",
        """
        <office:presentation><draw:page draw:name="First"><draw:frame presentation:class="title"
        svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="1cm"><draw:text-box>
        <text:p>Bread for all</text:p></draw:text-box></draw:frame></draw:page></office:presentation>
        """))
    return try desktop.office("talk.fodp", showing: "Bread for all")
  }
}
