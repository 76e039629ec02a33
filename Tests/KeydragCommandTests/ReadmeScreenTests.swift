import Foundation
import RealPrograms
import Testing

@Suite("The README shows the screen as it is", .realPrograms(by: .test))
struct ReadmeScreenTests {
  @Test("The session in the README looks like that in a real terminal")
  func screen() throws {
    let program = try Program()
    for name in ["Inbox/notes.txt", "Inbox/photo.png", "Inbox/report.pdf"] {
      try program.write("x", to: name)
    }
    for name in ["Inbox/Sorted", "Docs"] {
      try FileManager.default.createDirectory(
        at: program.folder.appending(path: name), withIntermediateDirectories: true)
    }
    let shown = try Readme.block(after: "<!-- how it looks -->")
    let rows = shown.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    let terminal = try TerminalWindow(
      program, columns: 60, rows: rows, words: ["files", "Inbox", "Docs", "--speech", "off"])
    defer { terminal.close() }
    try terminal.wait(for: "Space picks up.")
    try terminal.press("n")
    try terminal.wait(for: "notes.txt, 2 of 4")
    try terminal.press("Space")
    try terminal.wait(for: "1 of 2")
    try terminal.press("Tab")
    #expect(try terminal.wait(for: "2 of 2") == shown)
    try terminal.press("C-q")
    try terminal.wait(for: "Goodbye.")
  }
}

/// The program in a window of tmux, with a server of its own.
private struct TerminalWindow {
  private let program: Program
  private let server: String

  init(_ program: Program, columns: Int, rows: Int, words: [String]) throws {
    self.program = program
    server = "keydrag-\(UUID().uuidString)"
    program.set("TMUX_TMPDIR", program.folder.path)
    // The shell stays behind the program, so that the last message can be read. Where there is a
    // command for printing, a printer is one of the places.
    let path = "PATH='\(program.folder.path)'"
    let command = "\(path) '\(Program.path)' \(words.joined(separator: " ")); read end"
    let result = try tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command, ";",
      "set-option", "status", "off",
    ])
    try #require(result.status == 0, "\(result.errors)")
  }

  func press(_ key: String) throws { _ = try tmux(["send-keys", key]) }

  /// What the window shows once it shows a text; waits for that at most 20 seconds.
  @discardableResult
  func wait(for text: String) throws -> String {
    let end = ContinuousClock.now + .seconds(60)
    var shown = ""
    repeat {
      shown = try tmux(["capture-pane", "-p"]).output
      if shown.contains(text) { return shown }
    } while ContinuousClock.now < end
    Issue.record("The screen never shows \(text):\n\(shown)")
    return shown
  }

  func close() { _ = try? tmux(["kill-server"]) }

  private func tmux(_ words: [String]) throws -> Program.Result {
    // The server outlives the call. It must not keep the end of a pipe open on which the call waits.
    let script = "for n in {3..255}; do eval \"exec $n>&-\"; done; exec tmux \"$@\""
    return try program.run(
      program: "/bin/bash", ["-c", script, "tmux", "-L", server] + words)
  }
}
