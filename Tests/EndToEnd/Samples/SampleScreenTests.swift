import RealPrograms
import Testing

@Suite(
  "The samples in a real terminal", .realPrograms(by: .test),
  .enabled(if: TerminalRun.isPossible, "tmux is not installed"))
struct SampleScreenTests {
  /// The lines in reversed letters.
  private func highlighted(_ terminal: TerminalRun) throws -> [String] {
    try terminal.screen(withAttributes: true).split(separator: "\n").filter {
      $0.contains(/\u{1B}\[(?:[0-9]+;)*7(?:;[0-9]+)*m/)
    }.map { String($0.replacing(/\u{1B}\[[0-9;]*m/, with: "")) }
  }

  @Test("S12: the place is highlighted while it is current, and never after")
  func highlight() throws {
    let terminal = try TerminalRun(Stage("Docs/"))
    try terminal.enter("keydrag sample places Docs --speech off")
    try terminal.waitForCursor(on: "Alhambra")
    try terminal.press("Space")
    try terminal.waitForCursor(on: "Journey")
    #expect(try highlighted(terminal).count == 1)
    #expect(try highlighted(terminal).first?.contains("Journey") == true)
    try terminal.press("Tab")
    try terminal.waitForCursor(on: "Docs")
    #expect(try highlighted(terminal).count == 1)
    #expect(try highlighted(terminal).first?.contains("Docs") == true)
    try terminal.press("Escape")
    try terminal.waitForCursor(on: "Alhambra")
    #expect(try highlighted(terminal).count == 1)
    #expect(try highlighted(terminal).first?.contains("Alhambra") == true)
    try terminal.press("Space")
    try terminal.waitForCursor(on: "Journey")
    try terminal.press("Tab")
    try terminal.waitForCursor(on: "Docs")
    try terminal.press("Enter")
    try terminal.wait("the drop") { $0.contains("Copied Alhambra to Docs.") }
    try terminal.waitForCursor(on: "Angkor Wat")
    #expect(try highlighted(terminal).count == 1)
    #expect(try highlighted(terminal).first?.contains("Angkor Wat") == true)
    try terminal.press("C-q")
    try terminal.wait("the shell again") { $0.contains("shell>") && $0.contains("Goodbye.") }
  }
}
