import FoundationEssentials
import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// What is known before a drop into a program, and where one finds it after.
@Suite(
  "keydrag desktop, before and after a drop", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct DesktopLandingTests: AgentSteps {
  /// Opens the list between two drags, and takes its first line.
  private func goToLanded(_ desktop: DesktopStage, _ agent: LiveRun) throws -> Record {
    try desktop.press("ctrl+alt+shift+space")
    let line = try agent.wait(for: "choice", "index", 1)
    #expect(line.argument("name") == "Go to what landed", "\(line)")
    try desktop.press("Return")
    return try agent.wait(for: "shown")
  }

  @Test(
    "H22, H02 One file after the other is sorted without leaving its folder; what landed is gone to by key"
  )
  func sorting() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/Inner/", "Docs/old.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "c.txt"))
    let agent = try begin(desktop, at: "c.txt", in: "Inbox")
    let inbox = try desktop.activeWindow()
    try desktop.press("Up", "Up")
    try desktop.wait(for: "a.txt", in: "Inbox", isSelected: true)
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Tab")
    try agent.wait(at: "Sorted")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Sorted")
    #expect(desktop.stage.read("Inbox/Sorted/a.txt") == "Inbox/a.txt")
    #expect(!desktop.stage.exists("Inbox/a.txt"))
    // The next item is in focus by itself, and is picked up with no key between.
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    try pickUp("b.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Next")
    try agent.wait(at: "Docs folder view")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(desktop.stage.read("Docs/b.txt") == "Inbox/b.txt")
    // A copy leaves the selection where it was, and nothing has taken the keyboard.
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    #expect(try desktop.activeWindow() == inbox)

    let shown = try goToLanded(desktop, agent)
    #expect(shown.text == "b.txt, in Docs, Thunar.", "\(shown)")
    try desktop.wait(for: "b.txt", in: "Docs", isSelected: true)
    // The keyboard is there: what landed is picked up at once.
    try pickUp("b.txt", desktop, agent)
    try agent.wait(at: "Docs folder view", "refuse")
    #expect(try desktop.activeWindow().first?.hasPrefix("Docs") == true)
    try desktop.press("Escape")
    try agent.wait(for: "cancelled", "names", ["b.txt"])

    // What was taken back has not landed.
    try desktop.press("ctrl+alt+shift+space")
    try agent.wait(for: "choice", "name", "Go to what landed")
    try desktop.press("Down", "Return")
    try agent.wait(for: "undone")
    #expect(!desktop.stage.exists("Docs/b.txt"))
    try desktop.press("ctrl+alt+shift+space")
    let first = try agent.wait(for: "choice", "index", 1)
    #expect(first.argument("name") == "Undo", "\(first)")
    try desktop.press("Escape")
    try agent.wait(for: "declined")
    _ = thunar
  }

  @Test("H22 What landed in a row or a text is gone to as well, and a window that is gone is said")
  func elsewhere() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/a.txt")
    let thunar = try desktop.thunar(("Docs", "a.txt"))
    let notes = try desktop.window(.gtk3, "Notes")
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try goOn(to: "Notes", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Body text field")
    try notes.lines(upTo: "body some words to carry")
    let shown = try goToLanded(desktop, agent)
    #expect(shown.argument("name") == "Body text field", "\(shown)")
    #expect(shown.argument("container") == "Notes", "\(shown)")
    try notes.lines(upTo: "focus body")
    // Letters go there now.
    try desktop.press("End", "x")
    try notes.lines(upTo: "body some words to carryx")
    notes.process.signal(SIGKILL)
    try desktop.press("ctrl+alt+shift+space")
    try agent.wait(for: "choice", "name", "Go to what landed")
    try desktop.press("Return")
    let gone = try agent.wait(for: "cannot-open")
    #expect(gone.argument("reason") == "gone", "\(gone)")

    try desktop.activate("Docs")
    try desktop.press("Home", "End")
    try desktop.wait(for: "a.txt", in: "Docs", isSelected: true)
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Docs folder view", "refuse")
    try desktop.press("Tab")
    try agent.wait(at: "Inner")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Inner")
    #expect(desktop.stage.read("Docs/Inner/a.txt") == "Docs/a.txt")
    try desktop.activate("Letter")
    let row = try goToLanded(desktop, agent)
    #expect(row.text == "Inner, in Docs, Thunar.", "\(row)")
    try desktop.wait(for: "Inner", in: "Docs", isSelected: true)
    _ = thunar
  }

  @Test("H12, H07 A group is told by its make-up, a name that exists beforehand, and what landed")
  func exists() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt", "Docs/Inner/", "Docs/a.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "b.txt"))
    let agent = try desktop.agent()
    try desktop.activate("Inbox")
    try desktop.press("End", "Home", "ctrl+a")
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    let group = try pickUp(desktop, agent)
    #expect(group.text.hasPrefix("Picked up 1 folder, 2 text"), "\(group)")
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Next")
    let place = try agent.wait(at: "Docs folder view")
    #expect(place.text.hasPrefix("Docs folder view, Thunar: copy. a.txt exists there."), "\(place)")
    #expect(place.argument("result") == "a.txt exists there.", "\(place)")
    try desktop.press("Tab")
    let inner = try agent.wait(at: "Inner")
    #expect(inner.argument("result") == nil, "\(inner)")
    // What is to become of it the program asks by itself.
    try desktop.press("shift+Tab")
    try agent.wait(at: "Docs folder view")
    try desktop.press("Return")
    let question = try agent.wait(for: "unconfirmed")
    #expect(question.text.contains("Confirm to replace files"), "\(question)")
    #expect(desktop.stage.read("Docs/a.txt") == "Docs/a.txt")
    try desktop.answer("Replace")
    let landed = try agent.wait(for: "delivered", "place", "Docs")
    #expect(landed.argument("names") == ["Sorted", "a.txt", "b.txt"], "\(landed)")
    #expect(landed.argument("count") == 3, "\(landed)")
    #expect(desktop.stage.read("Docs/a.txt") == "Inbox/a.txt")
    #expect(desktop.stage.read("Docs/b.txt") == "Inbox/b.txt")
    #expect(desktop.stage.isFolder("Docs/Sorted"))
    _ = thunar
  }
}
