import FoundationEssentials
import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// What is known before a drop into a program, and where one finds it after.
@Suite(
  "keydrag desktop, before and after a drop", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct DesktopLandingTests: AgentSteps {
  /// Opens the list between two drags, and takes its first line.
  private func goToLanded(_ desktop: DesktopStage, _ agent: LiveRun) throws -> Record {
    let line = try openList(desktop, agent)
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
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try step("Tab", to: "Sorted", desktop, agent)
    try drop(at: "Sorted", desktop, agent)
    #expect(desktop.stage.read("Inbox/Sorted/a.txt") == "Inbox/a.txt")
    #expect(!desktop.stage.exists("Inbox/a.txt"))
    // The next item is in focus by itself, and is picked up with no key between.
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    try pickUp("b.txt", in: "Inbox", desktop, agent)
    try step("Next", to: "Docs folder view", desktop, agent)
    try drop(at: "Docs", desktop, agent)
    #expect(desktop.stage.read("Docs/b.txt") == "Inbox/b.txt")
    // A copy leaves the selection where it was, and nothing has taken the keyboard.
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    #expect(try desktop.activeWindow() == inbox)

    let shown = try goToLanded(desktop, agent)
    #expect(shown.text == "b.txt, in Docs, Thunar.", "\(shown)")
    try desktop.wait(for: "b.txt", in: "Docs", isSelected: true)
    // The keyboard is there: what landed is picked up at once.
    try pickUp("b.txt", in: "Docs", desktop, agent)
    #expect(try desktop.activeWindow().first?.hasPrefix("Docs") == true)
    try cancel("b.txt", desktop, agent)

    // What was taken back has not landed.
    try desktop.press("ctrl+alt+shift+space")
    try agent.wait(for: "choice", "name", "Go to what landed")
    try desktop.press("Down", "Return")
    try agent.wait(for: "undone")
    #expect(!desktop.stage.exists("Docs/b.txt"))
    let first = try openList(desktop, agent)
    #expect(first.argument("name") == "Go to what landed", "\(first)")
    try desktop.press("Return")
    try agent.wait(for: "nothing-landed")
    _ = thunar
  }

  @Test(
    "H08: where no history can be kept it is asked about before the first drop into a window, once")
  func lostHistory() throws {
    let desktop = try DesktopStage(
      "Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/Inner/", "Docs/old.txt")
    try desktop.stage.make(desktop.stage.base + "/state/keydrag", "no folder")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "c.txt"))
    let agent = try begin(desktop, at: "c.txt", in: "Inbox")
    try pickUp("c.txt", in: "Inbox", desktop, agent)
    try step("Next", to: "Docs folder view", desktop, agent)
    try desktop.press("Return")
    let question = try agent.wait(for: "confirm")
    #expect(question.text.hasPrefix("What is done now can't be undone later. The history "))
    #expect(desktop.stage.list("Docs") == ["Inner", "old.txt"])
    // The first answer loses nothing.
    try desktop.press("Return")
    try agent.wait(for: "declined")
    try desktop.press("Return")
    try agent.wait(for: "confirm")
    try desktop.press("Down", "Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(desktop.stage.exists("Docs/c.txt"))
    try desktop.activate("Inbox")
    try choose("c.txt", in: "Inbox", desktop)
    try desktop.press("Up")
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    try pickUp("b.txt", in: "Inbox", desktop, agent)
    try step("Next", to: "Docs folder view", desktop, agent)
    try drop(at: "Docs", desktop, agent)
    #expect(desktop.stage.exists("Docs/b.txt"))
    _ = thunar
  }

  @Test(
    "H22 What landed in a row or a text is gone to as well, and a window that is gone is said",
    .thorough)
  func elsewhere() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/a.txt")
    let thunar = try desktop.thunar(("Docs", "a.txt"))
    let notes = try desktop.window(.gtk3, "Notes")
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    try pickUpWords(desktop, agent)
    try goOn(to: "Notes", desktop, agent)
    try drop(at: "Body text field", desktop, agent)
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
    try choose("a.txt", in: "Docs", desktop)
    try pickUp("a.txt", in: "Docs", desktop, agent)
    try step("Tab", to: "Inner", desktop, agent)
    try drop(at: "Inner", desktop, agent)
    #expect(desktop.stage.read("Docs/Inner/a.txt") == "Docs/a.txt")
    try desktop.activate("Letter")
    let row = try goToLanded(desktop, agent)
    #expect(row.text == "Inner, in Docs, Thunar.", "\(row)")
    try desktop.wait(for: "Inner", in: "Docs", isSelected: true)
    _ = (thunar, letter)
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
    let place = try step("Next", to: "Docs folder view", desktop, agent)
    #expect(place.text.hasPrefix("Docs folder view"), "\(place)")
    #expect(place.text.contains(": copy. a.txt exists there."), "\(place)")
    #expect(place.argument("result") == "a.txt exists there.", "\(place)")
    let inner = try step("Tab", to: "Inner", desktop, agent)
    #expect(inner.argument("result") == nil, "\(inner)")
    // What is to become of it the program asks by itself.
    try step("shift+Tab", to: "Docs folder view", desktop, agent)
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

  @Test("H14, H08 A question that is answered with no has left nothing, also in the history")
  func declined() throws {
    let desktop = try DesktopStage("Docs/Inner/a.txt", "Docs/a.txt")
    let before = desktop.stage.tree
    let thunar = try desktop.thunar(("Docs", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Docs")
    try pickUp("a.txt", in: "Docs", desktop, agent)
    let place = try step("Tab", to: "Inner", desktop, agent)
    #expect(place.argument("result") == "a.txt exists there.", "\(place)")
    try desktop.press("Return")
    let question = try agent.wait(for: "unconfirmed")
    #expect(question.text.contains("Confirm to replace files"), "\(question)")
    try desktop.answer("Cancel")
    let answer = try agent.wait(for: "unconfirmed")
    #expect(
      answer.text == "Not seen in Inner, in Thunar: a.txt.", "\(answer)")
    #expect(desktop.stage.tree == before)
    let history = try desktop.run("history", transcript: false)
    #expect(history.output == "Nothing has been done yet.\n", "\(history)")
    _ = thunar
  }
}
