import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "Nautilus, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs Nautilus: apt-get install nautilus") { InstalledProgram.nautilus.isThere })
struct NautilusTests: AgentSteps {
  @Test("H01, H08 A file goes into a folder of Nautilus, and Undo takes it out again")
  func folder() throws {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "new.txt")
    let nautilus = try open(desktop)
    let places = try desktop.listed("Nautilus")
    #expect(places.prefix(2) == ["Docs folder view, Nautilus", "Archive, in Docs, Nautilus"])
    #expect(places.contains("Home folder, Nautilus"), "\(places)")
    // Nautilus says yes there, and fails.
    #expect(!places.contains { $0.hasPrefix("Trash folder") }, "\(places)")
    let before = desktop.stage.tree
    let run = try desktop.run("drop", "new.txt", "--onto", "Archive")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["verified"] == true, "\(run)")
    #expect(desktop.stage.tree == before.merging(["Docs/Archive/new.txt": "new.txt"]) { $1 })
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = nautilus
  }

  @Test("H01, H08, H12 In the sidebar of Nautilus a file is linked; Undo takes the link away")
  func sidebar() throws {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "Work/a.txt", "new.txt")
    try desktop.shareHome(bookmarking: "Work", as: "Desk")
    let nautilus = try open(desktop)
    let before = desktop.stage.tree
    let copy = try desktop.run("drop", "new.txt", "--onto", "Desk folder", "--copy")
    #expect(copy.status == 1 && copy.ids == ["operation-unavailable"], "\(copy)")
    let run = try desktop.run("drop", "new.txt", "--onto", "Desk folder")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["operation"] == "link", "\(run)")
    #expect(run.records.finished.first?["verified"] == true, "\(run)")
    #expect(desktop.stage.tree == before.merging(["Work/new.txt": "-> new.txt"]) { $1 })
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = nautilus
  }

  @Test("H08, H14 Of a name that is taken Nautilus asks; what it replaces comes back by Undo")
  func takenName() throws {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "Work/report.txt")
    let nautilus = try open(desktop)
    let no = try desktop.askingDrop("Work/report.txt", "--onto", "Docs folder view")
    let question = try no.wait(for: "unconfirmed")
    #expect(question.argument("window") == "File conflict", "\(question)")
    try desktop.answer("File conflict", "Escape")
    #expect(try no.ended().status == 1)
    #expect(desktop.stage.read("Docs/report.txt") == "Docs/report.txt")

    let yes = try desktop.askingDrop("Work/report.txt", "--onto", "Docs folder view")
    try yes.wait(for: "unconfirmed")
    try desktop.activate("File conflict")
    // The last of its buttons, which stand before the first thing in focus.
    try desktop.press("shift+Tab", "Return")
    let run = try yes.ended()
    #expect(run.status == 0 && run.ids.last == "delivered", "\(run)")
    #expect(desktop.stage.read("Docs/report.txt") == "Work/report.txt")
    #expect(desktop.stage.trashed == ["report.txt"])
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.read("Docs/report.txt") == "Docs/report.txt")
    #expect(desktop.stage.trashed == [])
    _ = nautilus
  }

  @Test("H01, H29 A file of Nautilus is picked up and goes into a folder of Thunar")
  func source() throws {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "Work/Inner/")
    // What it is told to show has the focus, too.
    let nautilus = try open(desktop, "--select", "report.txt")
    let thunar = try desktop.thunar(("Work", "Inner"))
    let agent = try desktop.agent()
    try desktop.activate("Docs")
    try pickUp("report.txt", desktop, agent)
    try reach("Thunar", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Work")
    #expect(desktop.stage.read("Work/report.txt") == "Docs/report.txt")
    #expect(desktop.stage.read("Docs/report.txt") == "Docs/report.txt")
    _ = (nautilus, thunar)
  }

  private func open(
    _ desktop: DesktopStage, _ option: String = "--new-window", _ file: String = ""
  ) throws -> KeptProcess {
    let nautilus = try desktop.desktop.start(
      ["/usr/bin/nautilus", option, desktop.stage.path("Docs/" + file)],
      adding: ["GDK_BACKEND": "x11", "GSK_RENDERER": "cairo"])
    try desktop.waitForText("report.txt", in: "Docs")
    return nautilus
  }
}

@Suite(
  "PCManFM-Qt, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs PCManFM-Qt: apt-get install pcmanfm-qt") { InstalledProgram.pcmanfmQt.isThere })
struct PcmanfmTests: AgentSteps {
  @Test("H08, H14 A file is in a folder once the menu at the drop is answered; Undo takes it out")
  func folder() throws {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "new.txt")
    let manager = try open(desktop)
    let places = try desktop.listed("pcmanfm-qt")
    #expect(
      places.prefix(2) == ["Docs folder view, pcmanfm-qt", "Archive, in Docs, pcmanfm-qt"])
    // What a bookmark leads to is not in the folder that is shown.
    for name in ["Desktop folder", "Trash folder"] {
      #expect(places.contains("\(name), pcmanfm-qt"), "\(places)")
    }
    #expect(!places.contains { $0.contains("Places") || $0.contains("Devices") }, "\(places)")
    let before = desktop.stage.tree
    // A folder among the rows is reached by its path: nobody asks.
    let inner = try desktop.run("drop", "new.txt", "--onto", "Archive")
    #expect(inner.status == 0, "\(inner)")
    #expect(desktop.stage.tree == before.merging(["Docs/Archive/new.txt": "new.txt"]) { $1 })
    #expect(try desktop.run("undo").status == 0)
    let drop = try desktop.askingDrop("new.txt", "--onto", "Docs folder view")
    let question = try drop.wait(for: "unconfirmed")
    #expect(question.argument("question") == "menu", "\(question)")
    // The first line of the menu copies.
    try desktop.press("Down", "Return")
    let run = try drop.ended()
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.last?["verified"] == true, "\(run)")
    #expect(desktop.stage.tree == before.merging(["Docs/new.txt": "new.txt"]) { $1 })
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = manager
  }

  @Test("H01, H08, H14 A file goes into a folder of the side pane; Undo takes it out again")
  func sidePane() throws {
    let (desktop, manager) = try sidePaneStage()
    let before = desktop.stage.tree
    let drop = try desktop.askingDrop("new.txt", "--onto", "Desk folder")
    try drop.wait(for: "unconfirmed")
    try desktop.press("Down", "Return")
    let run = try drop.ended()
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.last?["verified"] == true, "\(run)")
    #expect(desktop.stage.tree == before.merging(["Work/new.txt": "new.txt"]) { $1 })
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = manager
  }

  private func sidePaneStage() throws -> (DesktopStage, KeptProcess) {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "Work/a.txt", "new.txt")
    try desktop.shareHome(bookmarking: "Work", as: "Desk")
    return (desktop, try open(desktop))
  }

  @Test("H01, H29 A file of PCManFM-Qt is picked up and goes into a folder of Thunar")
  func source() throws {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "Work/Inner/")
    let manager = try open(desktop)
    let thunar = try desktop.thunar(("Work", "Inner"))
    let agent = try desktop.agent()
    try desktop.activate("Docs")
    try desktop.press("Home", "End")
    try desktop.wait(for: "report.txt", in: "Docs", isSelected: true)
    try pickUp("report.txt", desktop, agent)
    try reach("Thunar", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Work")
    #expect(desktop.stage.read("Work/report.txt") == "Docs/report.txt")
    _ = (manager, thunar)
  }

  private func open(_ desktop: DesktopStage) throws -> KeptProcess {
    let manager = try desktop.desktop.start(
      ["/usr/bin/pcmanfm-qt", desktop.stage.path("Docs")],
      adding: ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb"])
    try desktop.wait(for: "report.txt", in: "Docs")
    return manager
  }
}
