import Glibc
import RealPrograms
import Testing

@Suite(
  "The screen, in a real terminal", .realPrograms(by: .test),
  .enabled(if: TerminalRun.isPossible, "tmux is not installed"))
struct ScreenTests {
  private let usual = "keydrag files Inbox Docs --speech off"

  private func stage() throws -> Stage {
    try Stage("Inbox/a.txt", "Inbox/notes.txt", "Inbox/Sorted/", "Docs/Letters/")
  }

  @Test(
    "One line an item, the cursor on the current one, the last message in the status line",
    arguments: [(80, 24), (40, 10)])
  func browsing(columns: Int, rows: Int) throws {
    let terminal = try TerminalRun(stage(), columns: columns, rows: rows)
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("Down")
    try terminal.waitForCursor(on: "a.txt")
    try terminal.wait("the message") { $0.contains("a.txt, 2 of 3") }
    let lines = try terminal.screen().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= columns })
    for name in ["Sorted", "notes.txt"] { #expect(lines.count { $0.contains(name) } == 1) }
    try terminal.press("C-q")
    try terminal.wait("the shell again") { $0.contains("shell>") && $0.contains("Goodbye.") }
  }

  @Test(
    "H11 H13: what is held stays visible, with its count and the operation; refusing places say why",
    arguments: [(80, 24), (40, 10)])
  func carrying(columns: Int, rows: Int) throws {
    let terminal = try TerminalRun(stage(), columns: columns, rows: rows)
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("n", "Space")
    try terminal.waitForCursor(on: "Sorted")
    try terminal.wait("the carried line") { $0.contains("[1] notes.txt: move") }
    #expect(try terminal.screen().contains("refuses, it is there already"))
    try terminal.press("Tab")
    try terminal.waitForCursor(on: "Docs")
    try terminal.wait("the operation here") { $0.contains("[1] notes.txt: copy") }
    try terminal.press("F6")
    try terminal.wait("the wish") { $0.contains("[1] notes.txt: move") }
    try terminal.press("Escape")
    try terminal.wait("nothing held") { !$0.contains("[1] notes.txt") }
    try terminal.waitForCursor(on: "notes.txt")
  }

  @Test("A terminal that can't move its cursor gets each message as a line, and nothing else")
  func dumb() throws {
    let terminal = try TerminalRun(stage(), columns: 80, rows: 24)
    try terminal.enter("TERM=dumb " + usual)
    try terminal.wait("the first message") { $0.contains("Inbox, 2 files, 1 folder. Sorted") }
    try terminal.press("n", "Space")
    try terminal.wait("the first place") { $0.contains("Sorted, in Inbox: move. 1 of") }
    try terminal.press("Escape")
    try terminal.wait("the end") { $0.contains("Cancelled") }
    try terminal.press("C-q")
    try terminal.wait("the shell again") { $0.contains("Goodbye.\nshell>") }
    let lines = try terminal.screen().split(separator: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("Inbox, 2 files") })
    #expect(lines[first...].count { $0.hasPrefix("Cancelled") } == 1)
    #expect(!lines.contains { $0.hasPrefix(">") || $0.contains("refuses") })
  }

  @Test("The folder stood on is shown beside the list where there is room, while carrying, too")
  func preview() throws {
    let stage = try stage()
    try stage.make("Docs/Letters/to Ada.txt")
    let terminal = try TerminalRun(stage, columns: 120, rows: 24)
    try terminal.enter(usual)
    try terminal.wait("an empty folder") { $0.contains("│ empty") }
    try terminal.press("n", "Space", "Tab")
    try terminal.wait("the folder Docs") { $0.contains("│    Letters/") }
    try terminal.press("Tab")
    try terminal.wait("what it holds") { $0.contains("│    to Ada.txt") }
    try terminal.press("Enter")
    try terminal.wait("the outcome") { $0.contains("Copied notes.txt to Letters") }
    #expect(try !terminal.screen().contains("│    to Ada.txt"))
    try terminal.press("Tab")
    try terminal.wait("what has arrived") { $0.contains("│    notes.txt") }
    try terminal.press("C-z")
    try terminal.wait("that it is gone") { !$0.contains("│    notes.txt") }
    try stage.make("Docs/Letters/late.txt")
    try terminal.press("F2")
    try terminal.wait("what another program made") { $0.contains("│    late.txt") }
  }

  @Test("H15: in a long list the current place is scrolled into view")
  func scrolls() throws {
    let stage = try Stage("Inbox/a.txt")
    for number in 100..<160 { try stage.make("Docs/place\(number)/") }
    let terminal = try TerminalRun(stage, columns: 60, rows: 12)
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "a.txt")
    try terminal.press("Space")
    try terminal.waitForCursor(on: "Docs")
    try terminal.press("End")
    try terminal.waitForCursor(on: "place159")
    try terminal.wait("the number") { $0.contains("61 of 61") }
    try terminal.press("Home")
    try terminal.waitForCursor(on: "Docs")
  }

  @Test("H19: a placeholder stands in the target's folder while a delivery runs")
  func placeholder() throws {
    let (stage, far) = (try Stage("Inbox/x.txt"), try Stage("Far/", in: "/dev/shm"))
    try stage.make("Inbox/large.bin", String(repeating: "*", count: 160 << 20))
    let terminal = try TerminalRun(stage)
    try terminal.enter("keydrag files Inbox \(far.path("Far")) --speech off")
    try terminal.waitForCursor(on: "large.bin")
    try terminal.press("F5")
    try terminal.waitForCursor(on: "Far")
    // The target's folder is shown before the delivery ends.
    try terminal.press("Enter")
    try terminal.waitForPainted("Copying large.bin")
    try terminal.press("Tab")
    try terminal.waitForPainted("copying, ")
    // Where one stands then may be said at once after it, and letters that stood there stay: "Cop" of
    // "Copying", or the "e" of "large.bin: 50%".
    try terminal.waitForPainted("to Far.")
    #expect(far.list("Far") == ["large.bin"])
  }

  @Test("NO_COLOR and --no-color leave out every colour", arguments: ["NO_COLOR=1 ", ""])
  func noColour(prefix: String) throws {
    let terminal = try TerminalRun(stage())
    try terminal.enter(prefix + usual + (prefix.isEmpty ? " --no-color" : ""))
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("C-t", "Space")
    try terminal.wait("carrying") { $0.contains("[1] Sorted") }
    let screen = try terminal.screen(withAttributes: true)
    #expect(!screen.contains(/\u{1B}\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]/), "\(screen)")
  }

  @Test("H08: Ctrl+Z is undo, and never stops the program")
  func undo() throws {
    let stage = try stage()
    let terminal = try TerminalRun(stage)
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("n", "Space")
    try terminal.wait("carrying") { $0.contains("[1] notes.txt: move") }
    try terminal.press("Enter")
    try terminal.wait("the drop") { $0.contains("Moved notes.txt to Sorted.") }
    try terminal.press("C-z")
    try terminal.wait("the undo") { $0.contains("notes.txt is back in Inbox.") }
    #expect(stage.exists("Inbox/notes.txt"))
    #expect(try !terminal.screen().contains("Stopped"))
  }

  @Test(
    "K15: stopped and continued, the program repaints and says where one is, with all still held")
  func stopAndContinue() throws {
    let terminal = try TerminalRun(stage())
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("n", "Space")
    try terminal.wait("carrying") { $0.contains("[1] notes.txt: move") }
    try terminal.signal(SIGTSTP)
    try terminal.wait("the shell") { $0.contains("Stopped") }
    try terminal.enter("echo alive $((40 + 2))")
    try terminal.wait("the echo") { $0.contains("alive 42") }
    try terminal.enter("fg")
    try terminal.wait("where one is") { $0.contains("[1] notes.txt: move") }
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("Escape")
    try terminal.wait("cancelled") { $0.contains("Cancelled. Back at notes.txt.") }
  }

  @Test("A resize repaints and ends nothing")
  func resize() throws {
    let terminal = try TerminalRun(stage())
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("n", "Space")
    try terminal.wait("carrying") { $0.contains("[1] notes.txt: move") }
    try terminal.resize(columns: 40, rows: 10)
    try terminal.wait("the small screen") { screen in
      screen.contains("[1] notes.txt")
        && screen.split(separator: "\n").allSatisfy { $0.count <= 40 }
    }
    try terminal.waitForCursor(on: "Sorted")
    try terminal.resize(columns: 100, rows: 30)
    try terminal.press("Tab")
    try terminal.waitForCursor(on: "Docs")
  }

  @Test("A signal restores the terminal, and the shell goes on", arguments: [SIGTERM, SIGHUP])
  func signals(number: Int32) throws {
    let stage = try stage()
    let terminal = try TerminalRun(stage)
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("Space")
    try terminal.wait("carrying") { $0.contains("[1] Sorted") }
    try terminal.signal(number)
    try terminal.wait("the shell") { $0.contains("Back at Sorted.\nshell>") }
    try terminal.enter("echo status $?")
    try terminal.wait("the status") { $0.contains("status 130") }
    try expectUsable(terminal, stage)
  }

  @Test("Quitting leaves the shell usable, with the last message on it")
  func quits() throws {
    let stage = try stage()
    let terminal = try TerminalRun(stage)
    try terminal.enter(usual)
    try terminal.waitForCursor(on: "Sorted")
    try terminal.press("C-q")
    try terminal.wait("the shell") { $0.contains("Goodbye.\nshell>") }
    try expectUsable(terminal, stage)
  }

  /// Letters are echoed and lines are lines.
  private func expectUsable(_ terminal: TerminalRun, _ stage: Stage) throws {
    try terminal.enter("/usr/bin/stty -a > modes; echo modes $((40 + 2))")
    try terminal.wait("the modes") { $0.contains("modes 42") }
    let modes = try #require(stage.read("modes"))
    let words = Set(modes.split(whereSeparator: \.isWhitespace))
    #expect(words.isSuperset(of: ["icanon", "echo", "isig", "icrnl", "opost"]), "\(modes)")
  }
}
