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
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    let sorted = try step("Tab", to: "Sorted", desktop, agent)
    #expect(sorted.argument("container") == "Inbox" && sorted.argument("app") == "Thunar")
    #expect(sorted.argument("index") == 2 && sorted.argument("operation") != nil, "\(sorted)")
    try desktop.press("F2")
    try agent.wait(for: "holding", "dropPoint", "Sorted")
    try drop(at: "Sorted", desktop, agent)
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
    try cancel("a.txt", desktop, agent)
    // The button of the folder within stays in the path bar.
    try desktop.press("alt+Up")
    try desktop.wait(for: "Sorted", in: "Inbox")
    try choose("a.txt", in: "Inbox", desktop)
    let home = try pickUp("a.txt", in: "Inbox", desktop, agent)
    #expect(home.argument("reason") == "same-place", "\(home)")
    try step("Next", to: "Docs folder view", desktop, agent)
    try drop(at: "Docs", desktop, agent)
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
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    _ = thunar
  }

  @Test("What is picked up is in the folder that is shown now, whatever was shown before")
  func otherFolder() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/Later/", "Inbox/Sorted/a.txt", "Inbox/a.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try cancel("a.txt", desktop, agent)
    // The same window, and a file of the same name.
    try desktop.press("Home", "Return")
    try desktop.wait(for: "Later", in: "Sorted")
    try choose("a.txt", in: "Sorted", desktop)
    try pickUp("a.txt", in: "Sorted", desktop, agent)
    try step("Next", to: "Docs folder view", desktop, agent)
    try drop(at: "Docs", desktop, agent)
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
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try cancel("a.txt", desktop, agent)
    #expect(try desktop.activeWindow() == active)

    try pickUp("a.txt", in: "Inbox", desktop, agent)
    let view = try step("Next", to: "Docs folder view", desktop, agent)
    // Docs is said once: as the place, not as the window around it once more.
    #expect(view.argument("container") == nil && view.argument("app") == "Thunar", "\(view)")
    try drop(at: "Docs", desktop, agent)
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
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    try pickUpWords(desktop, agent)
    try step("Tab", to: "Line text field", desktop, agent)
    try desktop.press("x")
    // Tab moved nothing in the program that has the keyboard.
    #expect(try !letter.lines(upTo: "line x").contains("focus secret"))
    let other = try step("Next", to: "Body text field", desktop, agent)
    #expect(other.argument("container") == "Notes")
    try drop(at: "Body text field", desktop, agent)
    try notes.lines(upTo: "body some words to carry")
    try desktop.press("y")
    try letter.lines(upTo: "line xy")
  }

  @Test("K16 The keys of the walk are taken before the word: one that follows at once is ours")
  func atOnce() throws {
    let desktop = try DesktopStage()
    let (notes, agent) = try begin(desktop, withWordsIn: "Notes")
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
    let (notes, agent) = try begin(desktop, withWordsIn: "Notes")
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
    #expect(still.text.hasPrefix("Line text field: "), "\(still)")
    #expect(agent.records.deliveries.isEmpty, "\(agent.records)")
    try desktop.press("Return")
    try agent.wait("the drop") { $0["stage"] == "started" }
    _ = notes
  }

  @Test("The help is to be seen as well, whole on a small screen, until it is left")
  func shownHelp() throws {
    let desktop = try DesktopStage()
    try desktop.resize("800x600")
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Notes")
    try notes.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try desktop.waitForOverlay(higherThan: 40)
    try desktop.waitForOverlay(higherThan: 400, isThere: false)
    try desktop.press("F1")
    try agent.wait(for: "help")
    let help = try desktop.waitForOverlay(higherThan: 400)
    try #require(help.count == 4)
    #expect(help[0] >= 0 && help[1] >= 0, "\(help)")
    #expect(help[0] + help[2] <= 800 && help[1] + help[3] <= 600, "\(help)")
    try agent.wait(for: "choice")
    try desktop.press("Escape")
    try agent.wait(for: "drop-point")
    try desktop.waitForOverlay(higherThan: 400, isThere: false)
    try desktop.waitForOverlay(higherThan: 40)
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
    try desktop.waitForOverlay(higherThan: 40, isThere: false)
  }

  @Test("Between two keys the frame goes where its window goes, and away while the window is")
  func movedWindow() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Notes")
    try notes.lines(upTo: "focus line")
    func window(_ words: String...) throws {
      try desktop.hand(["search", "--onlyvisible", "--name", "^Notes"] + words)
    }
    try window("windowmove", "40", "60")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    let before = try desktop.waitForOverlay(of: 5)
    try #require(before.first.map { $0 < 500 } == true, "\(before)")
    // Its program puts what is in it elsewhere, and says so to nobody.
    try desktop.waitForOverlay(higherThan: 350, isThere: false)
    try window("windowsize", "400", "650")
    try desktop.waitForOverlay(higherThan: 350)
    try window("windowsize", "400", "250")
    try desktop.waitForOverlay(higherThan: 350, isThere: false)
    try window("windowmove", "600", "300")
    let moved = try desktop.waitForOverlay(of: 5, from: 500)
    #expect(moved.count == 4 && moved[1] > before[1], "\(moved)")
    try desktop.press("Tab")
    // While its program was late, the part of the window that it had not filled was a place.
    let reached = try agent.wait("the next place") { record in
      record.id == "vanished" && record.argument("name") == "Notes window"
        || record.id == "drop-point" && record.argument("name") == "Line text field"
          && record.argument("verdict") == "accept"
    }
    if reached.id == "vanished" { try step("Tab", to: "Line text field", desktop, agent) }
    try desktop.waitForOverlay(of: 5, from: 500)
    let id = try #require(try desktop.hand("search", "--name", "^Notes").first)
    try desktop.hand("windowminimize", id)
    // The words stay.
    try desktop.waitForOverlay(of: 1)
    try desktop.hand("windowactivate", id)
    try desktop.waitForOverlay(of: 5, from: 500)
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
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
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try step("Tab", to: "Sorted", desktop, agent)
    try desktop.press("Right")
    let opening = try agent.wait(for: "opening", "name", "Sorted")
    #expect(opening.text == "Opening Sorted.", "\(opening)")
    let answer = try agent.wait(for: "cannot-open", "name", "Sorted")
    #expect(answer.argument("reason") == "operation-not-offered", "\(answer)")
    try drop(at: "Sorted", desktop, agent)
    _ = thunar
  }

  @Test("K13 A place that takes it no longer is asked again at the drop, and nothing is delivered")
  func changedMind() throws {
    let desktop = try DesktopStage()
    let (notes, agent) = try begin(desktop, withWordsIn: "Notes")
    try pickUpWords(desktop, agent)
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
    let (notes, agent) = try begin(desktop, withWordsIn: "Notes")
    try pickUpWords(desktop, agent)
    try openList(desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "declined")
    try agent.wait(at: "Body text field")
    #expect(agent.records.deliveries.isEmpty, "\(agent.records)")
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
    _ = notes
  }

  @Test("H08 Between two drags the history is walked by key, and Enter brings a file back")
  func history() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try step("Tab", to: "Sorted", desktop, agent)
    try drop(at: "Sorted", desktop, agent)
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

  @Test(
    "K16 The chords can be others: those are said and taken, and the usual ones are free")
  func ownChords() throws {
    let desktop = try DesktopStage()
    try desktop.stage.configure(
      "keys:\n  desktop:\n    pick-up: [f10, ctrl+alt+d]\n    deliveries: ctrl+alt+l\n")
    let (notes, agent) = try begin(desktop, withWordsIn: "Notes")
    #expect(agent.records.first("agent-ready")?.text == "F10 picks up what is in focus.")
    // The usual ones are any program's now.
    let other = try desktop.desktop.start(["/usr/bin/python3", "-u", "-c", Self.grabber])
    #expect(try other.line() == "taken")
    for chord in ["F10", "ctrl+alt+d"] {
      try desktop.press("ctrl+a", chord)
      try agent.wait(for: "picked-up", "names", ["some words to carry"])
      try agent.wait(at: "Body text field")
      try cancel("some words to carry", desktop, agent)
    }
    try desktop.press("ctrl+alt+l")
    try agent.wait(for: "choice", "index", 1)
    _ = notes
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

  @Test(
    "The doctor says which chord another program has and what to do, and of an agent that it runs")
  func doctor() throws {
    let desktop = try DesktopStage()
    let free = try desktop.run("doctor", transcript: false)
    let chords = "Ctrl+Alt+Space, Ctrl+Alt+Shift+Space"
    let works = "Keys on the desktop: works. "
    #expect(free.output.contains(works + "No other program has \(chords).\n"), "\(free)")
    let other = try desktop.desktop.start(["/usr/bin/python3", "-u", "-c", Self.grabber])
    #expect(try other.line() == "taken")
    let taken = try desktop.run("doctor", transcript: false)
    let words = [
      "Keys on the desktop: does not work.", "Ctrl+Alt+Space belongs to another program.",
      "keydrag desktop does not hear Ctrl+Alt+Space.",
      "End the program that has Ctrl+Alt+Space, or give it another key.",
      "Or give KeyDrag another key in config.yaml.\n",
    ]
    #expect(taken.output.contains(words.joined(separator: " ")), "\(taken)")
    let summary = taken.output.split(separator: "\n").last ?? ""
    #expect(taken.status == 69 && summary.contains("Keys on the desktop"), "\(taken)")
    other.end()
    let agent = try desktop.agent()
    let running = try desktop.run("doctor", transcript: false)
    #expect(running.output.contains(works + "keydrag desktop runs already.\n"), "\(running)")
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
