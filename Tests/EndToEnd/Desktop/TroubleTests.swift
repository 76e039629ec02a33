import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// What goes wrong around the agent while something is carried.
@Suite(
  "keydrag desktop, when programs and windows come and go", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct TroubleTests: AgentSteps {
  /// Two windows, the words of one picked up, and the other one's body reached.
  private func carry(
    to kind: TextWindow.Kind = .gtk3, atDrop fate: TextWindow.Fate = .takesIt,
    _ desktop: DesktopStage
  ) throws -> (notes: TextWindow, letter: TextWindow, agent: LiveRun) {
    let notes = try desktop.window(kind, "Notes", atDrop: fate)
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    // One that is still beginning while everything else runs takes longer than a person is kept.
    try desktop.wait(for: "Body", in: "Notes")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    return (notes, letter, agent)
  }

  private func expectNoDelivery(_ agent: LiveRun) {
    #expect(agent.records.deliveries.allSatisfy { $0["outcome"] != "delivered" })
  }

  @Test(
    "K16 Words land in a window of every toolkit",
    arguments: Thorough.cases(ordinarily: 2, of: TextWindow.Kind.allCases))
  func toolkits(kind: TextWindow.Kind) throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(to: kind, desktop)
    let point = try step("Next", to: "Body text field", desktop, agent)
    #expect(point.argument("container") == "Notes", "\(point)")
    try drop(at: "Body text field", desktop, agent)
    try notes.lines(upTo: "body some words to carry")
    _ = letter
  }

  @Test("K06 A program that ends while its place is reached is said to be gone, and all is held")
  func killedWhileCarrying() throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(desktop)
    let point = try step("Next", to: "Body text field", desktop, agent)
    notes.process.signal(SIGKILL)
    let gone = try agent.wait(for: "vanished")
    // The place goes first where the program still has the time to say so.
    let names = [point.argument("name"), point.argument("app")]
    #expect(names.contains(gone.argument("name")), "\(gone)")
    try desktop.press("F2")
    try agent.wait(for: "holding", "names", ["some words to carry"])
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
    expectNoDelivery(agent)
    _ = letter
  }

  @Test("K06 A program that ends in the moment of the drop has not got it")
  func killedWhileDelivering() throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(atDrop: .dies, desktop)
    try step("Next", to: "Body text field", desktop, agent)
    try desktop.press("Return")
    let end = try agent.wait("the end of the delivery") { $0["stage"] == "finished" }
    #expect(end["outcome"] == "failed", "\(end)")
    // The agent goes on.
    try pickUpWords(desktop, agent)
    _ = (notes, letter)
  }

  @Test("K06 A stopped program does not answer and gets nothing; once it goes on it takes the drop")
  func stoppedWhileAsked() throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(desktop)
    try step("Next", to: "Body text field", desktop, agent)
    // It has answered, and is asked again at the drop.
    notes.process.signal(SIGSTOP)
    try desktop.press("Return")
    let silent = try agent.wait(for: "refused")
    #expect(silent.argument("reason") == "not-responding", "\(silent)")
    notes.process.signal(SIGCONT)
    // It is looked after now and then whether it answers again.
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      try desktop.press("Return")
      let answer = try agent.wait("an answer to the drop") {
        $0.id == "refused" || $0.id == "delivered"
      }
      if answer.id == "delivered" { break }
    }
    try notes.lines(upTo: "body some words to carry")
    _ = letter
  }

  @Test(
    "A program that stops in the moment of the drop has confirmed nothing, and may take it later")
  func stoppedWhileDelivering() throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(atDrop: .stops, desktop)
    try step("Next", to: "Body text field", desktop, agent)
    try desktop.press("Return")
    let end = try agent.wait("the end of the delivery") { $0["stage"] == "finished" }
    #expect(end["outcome"] == "unconfirmed", "\(end)")
    notes.process.signal(SIGCONT)
    try notes.lines(upTo: "body some words to carry")
    _ = letter
  }

  enum Change: String, CaseIterable {
    case moved, resized
  }

  @Test(
    "K13 A window that was changed after its answer is asked where it is now",
    arguments: Thorough.cases(ordinarily: 2, of: Change.allCases))
  func changed(change: Change) throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(desktop)
    try step("Next", to: "Body text field", desktop, agent)
    let search = ["search", "--name", "^Notes"]
    switch change {
    case .moved: try desktop.hand(search + ["windowmove", "--sync", "650", "450"])
    case .resized: try desktop.hand(search + ["windowsize", "--sync", "600", "500"])
    }
    try drop(at: "Body text field", desktop, agent)
    try notes.lines(upTo: "body some words to carry")
    _ = letter
  }

  @Test(
    "K13 A window that was minimised after its answer takes the drop, or is said not to be shown")
  func minimised() throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(desktop)
    try step("Next", to: "Body text field", desktop, agent)
    try desktop.hand(["search", "--name", "^Notes", "windowminimize", "--sync"])
    try desktop.press("Return")
    // Some programs take drops wherever their windows are.
    let end = try agent.wait("an answer to the drop") {
      $0.id == "refused" || $0.id == "delivered"
    }
    if end.id == "delivered" {
      try notes.lines(upTo: "body some words to carry")
    } else {
      #expect(end.argument("reason") == "not-shown", "\(end)")
      expectNoDelivery(agent)
      try desktop.press("F2")
      try agent.wait(for: "holding", "names", ["some words to carry"])
    }
    _ = letter
  }

  @Test("K13 A window that is closed is said to be gone, and nothing goes to where it was")
  func closed() throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(desktop)
    let point = try step("Next", to: "Body text field", desktop, agent)
    notes.process.signal(SIGUSR2)
    let gone = try agent.wait(for: "vanished")
    // The place goes first where the program still has the time to say so.
    let names = [point.argument("name"), point.argument("app")]
    #expect(names.contains(gone.argument("name")), "\(gone)")
    try desktop.press("F2")
    try agent.wait(for: "holding", "names", ["some words to carry"])
    expectNoDelivery(agent)
    _ = letter
  }

  @Test("K06 A file that is gone ends the drag at once, and is not said to have arrived")
  func sourceGone() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try step("Tab", to: "Sorted", desktop, agent)
    try desktop.stage.remove("Inbox/a.txt")
    let ended = try agent.wait(for: "session-ended", "name", "a.txt")
    #expect(ended.argument("reason") == "gone", "\(ended)")
    #expect(desktop.stage.list("Inbox/Sorted").isEmpty)
    #expect(agent.records.deliveries.isEmpty, "\(agent.records)")
    _ = thunar
  }

  @Test("A profile with a mistake is told with its line, and the rest works")
  func brokenProfile() throws {
    let desktop = try DesktopStage()
    try desktop.stage.make(
      desktop.stage.base + "/config/keydrag/profiles/mine.yaml", "program: [a\nrules: 7\n")
    let listed = try desktop.run("points", transcript: false)
    #expect(listed.status == 0 && listed.output.contains("mine.yaml"), "\(listed)")
    let (notes, agent) = try begin(desktop, withWordsIn: "Notes")
    try pickUpWords(desktop, agent)
    let problem = try #require(agent.records.first("problem"), "\(agent.records)")
    #expect(problem.text.contains("mine.yaml, line "), "\(problem)")
    try drop(at: "Body text field", desktop, agent)
    try notes.lines(upTo: "body some words to carry")
  }

  @Test("What names hold reaches neither a terminal nor a voice as it is")
  func escapes() throws {
    let title = "Odd \u{1B}[31m\u{7}title"
    let name = "two\u{1B}]0;x\u{7}words"
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/\(name)", "plain.txt")
    let thunar = try desktop.thunar(("Inbox", "Sorted"))
    let window = try desktop.window(.gtk3, title)
    for arguments in [["points"], ["points", "--json"], ["points", "--carrying", "plain.txt"]] {
      let run = try desktop.stage.run(arguments, transcript: false)
      #expect(run.status == 0 && run.output.contains("Odd "), "\(run)")
      #expect(run.output.unicodeScalars.allSatisfy(isPlain), "\(run)")
    }
    let unknown = try desktop.run("drop", "plain.txt", "--onto", title + "x", transcript: false)
    #expect(unknown.status == 66, "\(unknown)")
    #expect(unknown.errors.unicodeScalars.allSatisfy(isPlain), "\(unknown)")
    let agent = try desktop.agent()
    try desktop.activate("Inbox")
    try choose(name, in: "Inbox", desktop)
    let picked = try pickUp(desktop, agent)
    #expect(picked.id == "picked-up", "\(picked)")
    try agent.wait(at: "Inbox folder view", "refuse")
    try step("Tab", to: "Sorted", desktop, agent)
    try drop(at: "Sorted", desktop, agent)
    #expect(desktop.stage.read("Inbox/Sorted/\(name)") == "Inbox/\(name)")
    for text in agent.records.said {
      #expect(text.unicodeScalars.allSatisfy(isPlain), "\(text)")
    }
    _ = (thunar, window)
  }

  private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar.properties.generalCategory != .control
  }

  @Test("A display that goes away ends the agent, which says so")
  func displayGone() throws {
    let desktop = try DesktopStage()
    let (notes, letter, agent) = try carry(desktop)
    desktop.desktop.killDisplay()
    try agent.wait(for: "problem")
    let run = try agent.ended()
    #expect(run.status == 69, "\(run)")
    #expect(run.said.contains("There is no desktop that can be reached."), "\(run)")
    #expect(run.ids.contains("cancelled"), "\(run)")
    _ = (notes, letter)
  }
}
