import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// Whole sessions of the agent, with keys as a keyboard sends them.
@Suite(
  "keydrag desktop, on a desktop", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct AgentTests: AgentSteps {
  @Test("K01, K02, H11, H13 A file goes from one folder into another by four keys")
  func file() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", desktop, agent)
    // The folder that is open stands first; the file is there already.
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Tab")
    let sorted = try agent.wait(at: "Sorted")
    #expect(sorted.argument("container") == "Inbox" && sorted.argument("app") == "Thunar")
    #expect(sorted.argument("index") == 2 && sorted.argument("operation") != nil, "\(sorted)")
    try desktop.press("F2")
    try agent.wait(for: "holding", "dropPoint", "Sorted")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Sorted")
    #expect(desktop.stage.read("Inbox/Sorted/a.txt") == "Inbox/a.txt")
    agent.signal(SIGTERM)
    let run = try agent.ended()
    // A slow program is first said to be asked, so that a place may come twice.
    var ids: [String] = []
    for id in run.ids where ["agent-ready", "picked-up", "drop-point", "delivered"].contains(id) {
      if ids.last != id { ids.append(id) }
    }
    #expect(ids == ["agent-ready", "picked-up", "drop-point", "delivered"], "\(run)")
    #expect(run.records.finished.map { $0["verified"] } == [true], "\(run)")
    _ = thunar
  }

  @Test("From a folder within, back in the one around it, a file is that of the one around it")
  func folderAround() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/Later/", "Inbox/Sorted/a.txt", "Inbox/a.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox/Sorted", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Sorted")
    try pickUp("a.txt", desktop, agent)
    try agent.wait("the first place") { $0.id == "drop-point" }
    try desktop.press("Escape")
    try agent.wait(for: "cancelled", "names", ["a.txt"])
    // The button of the folder within stays in the path bar.
    try desktop.press("alt+Up")
    try desktop.wait(for: "Sorted", in: "Inbox")
    try desktop.press("Home", "End")
    try desktop.wait(for: "a.txt", in: "Inbox", isSelected: true)
    try pickUp("a.txt", desktop, agent)
    let home = try agent.wait(at: "Inbox folder view", "refuse")
    #expect(home.argument("reason") == "same-place", "\(home)")
    try desktop.press("Next")
    try agent.wait(at: "Docs folder view")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(desktop.stage.read("Docs/a.txt") == "Inbox/a.txt")
    _ = thunar
  }

  @Test("A row with a frame around it and no selection is picked up, in a view that has just come")
  func framed() throws {
    let desktop = try DesktopStage("Inbox/a.txt", "Inbox/b.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "b.txt", in: "Inbox")
    // Of the one row that is selected none is; another view begins at its first row, with none too.
    try desktop.press("ctrl+space", "ctrl+1", "ctrl+2")
    try desktop.wait(for: "a.txt", in: "Inbox", isFramed: true)
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    _ = thunar
  }

  @Test("What is picked up is in the folder that is shown now, whatever was shown before")
  func otherFolder() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/Later/", "Inbox/Sorted/a.txt", "Inbox/a.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Escape")
    try agent.wait(for: "cancelled", "names", ["a.txt"])
    // The same window, and a file of the same name.
    try desktop.press("Home", "Return")
    try desktop.wait(for: "Later", in: "Sorted")
    try desktop.press("Home", "End")
    try desktop.wait(for: "a.txt", in: "Sorted", isSelected: true)
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Sorted folder view", "refuse")
    try desktop.press("Next")
    try agent.wait(at: "Docs folder view")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(desktop.stage.read("Docs/a.txt") == "Inbox/Sorted/a.txt")
    #expect(desktop.stage.read("Inbox/a.txt") == "Inbox/a.txt")
    _ = thunar
  }

  @Test("H25, K14 Another window takes the drop and is not raised; Escape ends a drag and says so")
  func otherWindow() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Docs/Inner/")
    let docs = try desktop.thunar(("Docs", "Inner"), ("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    let active = try desktop.activeWindow()
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Escape")
    try agent.wait(for: "cancelled", "names", ["a.txt"])
    #expect(try desktop.activeWindow() == active)

    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Next")
    let view = try agent.wait(at: "Docs folder view")
    // Docs is said once: as the place, not as the window around it once more.
    #expect(view.argument("container") == nil && view.argument("app") == "Thunar", "\(view)")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(try desktop.activeWindow() == active)
    #expect(desktop.stage.read("Docs/a.txt") == "Inbox/a.txt")
    let ids = agent.records.ids
    #expect(ids.count { $0 == "cancelled" } == 1, "\(agent.records)")
    _ = docs
  }

  @Test("K16, H24 Text is carried from one program to another, and letters go on to their owner")
  func text() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(.gtk3, "Notes")
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try desktop.press("ctrl+a")
    try pickUp("some words to carry", desktop, agent)
    try agent.wait(at: "Body text field")
    try desktop.press("Tab")
    try agent.wait(at: "Line text field")
    try desktop.press("x")
    // Tab moved nothing in the program that has the keyboard.
    #expect(try !letter.lines(upTo: "line x").contains("focus secret"))
    try desktop.press("Next")
    let other = try agent.wait(at: "Body text field")
    #expect(other.argument("container") == "Notes")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Body text field")
    try notes.lines(upTo: "body some words to carry")
    try desktop.press("y")
    try letter.lines(upTo: "line xy")
  }

  @Test("K16 The keys of the walk are taken before the word: one that follows at once is ours")
  func atOnce() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Notes")
    try notes.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try desktop.press("ctrl+a")
    for _ in 0..<5 {
      try pickUp("some words to carry", desktop, agent)
      try desktop.press("Tab", "Tab", "Escape")
      try agent.wait(for: "cancelled")
    }
    try desktop.press("End", "x")
    #expect(try !notes.lines(upTo: "line some words to carryx").contains("focus secret"))
  }

  @Test("K16 The Enter that ends a name says what the next one does, which drops there")
  func name() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Notes")
    try notes.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try desktop.press("F4")
    try agent.wait(for: "finding")
    try desktop.press("l")
    try agent.wait(at: "Line text field")
    try desktop.press("i", "Return")
    let end = try agent.wait(at: "Line text field")
    #expect(end.text.hasPrefix("Line text field: "), "\(end)")
    try desktop.press("F4", "u", "Return")
    try agent.wait(for: "no-match", "text", "u")
    try agent.wait(for: "no-match", "text", "u")
    let still = try agent.wait(at: "Line text field")
    #expect(still.text.hasPrefix("Line text field, in Notes"), "\(still)")
    #expect(agent.records.deliveries.isEmpty, "\(agent.records)")
    try desktop.press("Return")
    try agent.wait("the drop") { $0["stage"] == "started" }
  }

  @Test("A password is not picked up, and the reason is said")
  func password() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Notes")
    let agent = try desktop.agent()
    try desktop.press("Tab")
    try notes.lines(upTo: "focus secret")
    try desktop.press("ctrl+a", chord)
    try agent.wait(for: "nothing-to-pick-up", "reason", "password")
  }

  @Test("H10 A folder that its program does not open under a drag is not said to be none")
  func unopened() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Tab")
    try agent.wait(at: "Sorted")
    try desktop.press("Right")
    let opening = try agent.wait(for: "opening", "name", "Sorted")
    #expect(opening.text == "Opening Sorted.", "\(opening)")
    let answer = try agent.wait(for: "cannot-open", "name", "Sorted")
    #expect(answer.argument("reason") == "operation-not-offered", "\(answer)")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Sorted")
    _ = thunar
  }

  @Test("K13 A place that takes it no longer is asked again at the drop, and nothing is delivered")
  func changedMind() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Notes")
    try notes.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try desktop.press("ctrl+a")
    try pickUp("some words to carry", desktop, agent)
    try agent.wait(at: "Body text field")
    notes.process.signal(SIGUSR1)
    try notes.lines(upTo: "closed")
    try desktop.press("Return")
    let refused = try agent.wait(for: "refused")
    #expect(refused.argument("reason") == "not-taken", "\(refused)")
    #expect(agent.records.deliveries.allSatisfy { $0["outcome"] != "delivered" })
    try desktop.press("F2")
    try agent.wait(for: "holding", "names", ["some words to carry"])
  }

  @Test("K25 While carrying, the list of nothing takes the Enter that was meant for it")
  func emptyList() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Notes")
    try notes.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try desktop.press("ctrl+alt+shift+space")
    try agent.wait(for: "choice", "index", 1)
    try desktop.press("Return")
    try agent.wait(for: "declined")
    try agent.wait(at: "Body text field")
    #expect(agent.records.deliveries.isEmpty, "\(agent.records)")
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
  }

  @Test("H08 Between two drags the history is walked by key, and Enter brings a file back")
  func history() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Tab")
    try agent.wait(at: "Sorted")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Sorted")
    try desktop.press("ctrl+alt+shift+space")
    try agent.wait(for: "choice", "name", "Go to what landed")
    for line in ["Undo", "Redo", "History"] {
      try desktop.press("Down")
      try agent.wait(for: "choice", "name", .text(line))
    }
    try desktop.press("Return")
    let line = try agent.wait("the first line of the history") {
      $0.id == "choice" && $0.argument("consequence") == "Enter undoes it"
    }
    guard case .text(let said)? = line.argument("name") else {
      Issue.record("\(line)")
      return
    }
    #expect(said.contains(" a.txt to Sorted, "), "\(line)")
    try desktop.press("Return")
    try agent.wait(for: "undone")
    #expect(desktop.stage.read("Inbox/Sorted/a.txt") == nil)
    #expect(desktop.stage.read("Inbox/a.txt") == "Inbox/a.txt")
    _ = thunar
  }

  @Test("A chord that another program has is not promised, and taken as soon as it is free")
  func takenChord() throws {
    let desktop = try DesktopStage()
    let other = try desktop.desktop.start(["/usr/bin/python3", "-u", "-c", Self.grabber])
    #expect(try other.line() == "taken")
    let agent = LiveRun(
      try desktop.stage.start(["desktop", "--transcript", "-", "--speech", "off"]))
    let problem = try agent.wait(for: "problem")
    #expect(problem.text.contains("Ctrl+Alt+Space belongs to another program."))
    #expect(problem.argument("remedy") != nil, "\(problem)")
    #expect(!agent.records.ids.contains("agent-ready"), "\(agent.records)")
    other.end()
    try agent.wait(for: "agent-ready")
    try desktop.press(chord)
    try agent.wait(for: "nothing-to-pick-up")
    agent.signal(SIGTERM)
    _ = try agent.ended()
  }

  /// Has Ctrl+Alt+Space.
  private static let grabber = """
    import ctypes, signal
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    x.XDefaultRootWindow.restype = ctypes.c_ulong
    root = ctypes.c_ulong(x.XDefaultRootWindow(display))
    space = x.XKeysymToKeycode(display, ctypes.c_ulong(0x20)) & 0xFF
    x.XGrabKey(display, space, 4 | 8, root, 1, 1, 1)
    x.XSync(display, 0)
    print("taken")
    signal.pause()
    """
}
