import Glibc
import Testing

@testable import KeyDragTerminal

@Suite("Keys, pastes and sizes from a real terminal", .serialized)
struct TerminalInputTests {
  @Test("K17: a lone Escape arrives by itself, and the sequence of a key is one key")
  func escape() throws {
    let run = try ProbeRun()
    run.send("\u{1B}")
    #expect(try run.waitForEvent("stroke escape 0").isEmpty)
    run.send("\u{1B}[A\u{1B}[1;3B\u{1B}[Z")
    try run.waitForEvent("stroke up 0")
    try run.waitForEvent("stroke down 2")
    try run.waitForEvent("stroke tab 1")
  }

  @Test("Ctrl+Z, Ctrl+C, Ctrl+Q, Ctrl+S and Ctrl+\\ are keys and neither stop nor end it")
  func controlKeys() throws {
    let run = try ProbeRun()
    run.send("\u{1A}\u{03}\u{11}\u{13}\u{1C}\u{16}")
    for key in ["z", "c", "q", "s", "\\\\", "v"] {
      #expect(try run.waitForEvent("stroke character(\"\(key)\") 4").isEmpty)
    }
  }

  @Test("A paste is one text and moves nothing")
  func paste() throws {
    let run = try ProbeRun()
    run.send("\u{1B}[200~q\r\u{1B}[B\r\u{1B}[201~x")
    let before = try run.waitForEvent("stroke character(\"x\") 0")
    #expect(before == ["text q [B"])
  }

  @Test("K15: a new size is told, and the screen fits it")
  func resize() throws {
    let run = try ProbeRun()
    try run.waitForScreen { $0.text.contains("Space picks up.") }
    run.resize(columns: 20, rows: 5)
    try run.waitForEvent("resized 20x5")
    run.send("r")
    try run.waitForScreen { $0.lines[4] == "Space picks up." }
    #expect(run.screen.lines[1].hasPrefix(">"))
  }

  @Test("K15: a size that changes and comes back leaves nothing of what the terminal did meanwhile")
  func resizeAndBack() throws {
    let run = try ProbeRun()
    try run.waitForScreen { $0.text.contains("Space picks up.") }
    run.resize(columns: 20, rows: 5)
    run.resize(columns: 40, rows: 10)
    try run.waitForEvent("resized 40x10")
    run.send("r")
    try run.waitForScreen { $0.lines[0] == "Inbox, 10 items" && $0.lines[9] == "Space picks up." }
  }

  @Test("The same contents again write nothing, the next row writes two rows and moves the cursor")
  func smallestPaint() throws {
    let run = try ProbeRun()
    try run.waitForScreen { $0.text.contains("Space picks up.") && $0.cursorRow == 1 }
    run.forgetPainted()
    run.send("r\u{1B}[B")
    try run.waitForScreen { $0.cursorRow == 2 }
    #expect(run.screen.touched == [1, 2])
    // Two rows of 29 columns and their places; the whole screen is three times as much.
    #expect(run.painted < 100)
    #expect(run.screen.cursorColumn == 5)
  }

  @Test("Redraw writes everything again over whatever another program left")
  func redraw() throws {
    let run = try ProbeRun()
    try run.waitForScreen { $0.text.contains("Space picks up.") }
    run.forgetPainted()
    run.send("l")
    try run.waitForScreen { $0.touched.isSuperset(of: [0, 1, 9]) }
  }

  @Test("A terminal that takes nothing stops no key, and then shows the newest screen")
  func blockedOutput() throws {
    let run = try ProbeRun()
    run.send("f")
    try run.waitForEvent("flooded")
    run.send("x")
    try run.waitForEvent("stroke character(\"x\") 0")
    try run.waitForScreen { $0.text.contains("Flood 5000.") }
    // All 5,000 frames would be ten times as much.
    #expect(run.painted < 100_000)
    #expect(run.screen.unknown.isEmpty)
  }

  @Test("K15: a storm of sizes while it paints ends with the newest screen in the last size")
  func storm() throws {
    let run = try ProbeRun()
    run.send("f")
    try run.waitForEvent("stroke character(\"f\") 0")
    for number in 0..<200 { run.resize(columns: 20 + number % 30, rows: 5 + number % 7) }
    run.resize(columns: 50, rows: 11)
    try run.waitForEvent("flooded")
    try run.waitForEvent("resized 50x11")
    run.send("r")
    try run.waitForScreen {
      $0.lines[0] == "Inbox, 10 items" && $0.lines[9].hasPrefix("Flood 5000.")
    }
    #expect(run.screen.unknown.isEmpty)
  }
}
