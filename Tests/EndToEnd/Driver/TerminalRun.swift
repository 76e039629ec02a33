import FoundationEssentials
import Glibc
import StoppedProgram
import Testing

/// A shell in a real tmux, in which the program is run as a person would.
///
/// tmux is talked to in its control mode: it tells of each output, so that nothing is waited for by
/// the clock.
final class TerminalRun {
  static var isPossible: Bool { access(tool, X_OK) == 0 }
  private static let tool = "/usr/bin/tmux"

  private let tmux: ChildProcess
  private let stage: Stage
  private var parsed = 0
  /// What was painted since the last look, escape sequences and all.
  private(set) var painted = ""

  init(_ stage: Stage, columns: Int = 80, rows: Int = 24) throws {
    self.stage = stage
    symlink(try Program.path(), stage.base + "/bin/keydrag")
    var environment = stage.environment
    environment["PS1"] = "shell> "
    environment["TERM"] = "xterm-256color"
    environment["SHELL"] = "/bin/sh"
    tmux = try ChildProcess(
      [
        Self.tool, "-C", "-S", stage.base + "/run/tmux", "-f", "/dev/null", "new-session",
        "-x", "\(columns)", "-y", "\(rows)", "exec /bin/sh",
      ], environment: environment, folder: stage.work, hasInput: true)
    try answer("the session")
    try command("resize-window -x \(columns) -y \(rows)")
    try wait("the shell") { $0.contains("shell>") }
  }

  deinit {
    // Asked by its own client and awaited: a client whose input ends leaves its server running.
    _ = try? command("kill-server")
    tmux.closeInput()
    _ = try? tmux.finish()
  }

  // MARK: Keys and signals

  /// Presses keys by tmux's names for them.
  func press(_ keys: String...) throws {
    try command("send-keys " + keys.map { "'\($0)'" }.joined(separator: " "))
  }

  /// Types a line into the shell.
  func enter(_ line: String) throws {
    try command("send-keys -l '\(line)'")
    try press("Enter")
  }

  func resize(columns: Int, rows: Int) throws {
    try command("resize-window -x \(columns) -y \(rows)")
  }

  /// Sends a signal to the program that runs in the shell; to the process that does its work where the
  /// other one would not hear of it.
  func signal(_ number: Int32) throws {
    let shell = try command("display-message -p '#{pane_pid}'").first.flatMap { pid_t($0) }
    let front = try child(of: try #require(shell))
    if number == SIGSTOP { StoppedProgram.stop(try child(of: front)) } else { kill(front, number) }
  }

  private func child(of process: pid_t) throws -> pid_t {
    let children = stage.read("/proc/\(process)/task/\(process)/children") ?? ""
    return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
  }

  // MARK: The screen

  /// The rows of the screen, blanks at their ends cut off.
  func screen(withAttributes: Bool = false) throws -> String {
    try command("capture-pane -p" + (withAttributes ? " -e" : "")).joined(separator: "\n")
  }

  /// The row the cursor is on.
  func cursorRow() throws -> String {
    // One line of commands: nothing is painted between the two.
    let place = try command("display-message -p '#{cursor_y}' ; capture-pane -p").first
    let rows = try answer("capture-pane -p")
    guard let row = place.flatMap({ Int($0) }), rows.indices.contains(row) else { return "" }
    return rows[row]
  }

  @discardableResult
  func wait(_ what: String, _ isExpected: (String) -> Bool) throws -> String {
    while true {
      let screen = try screen()
      if isExpected(screen) { return screen }
      try waitForNews(what, screen)
    }
  }

  /// Waits until the cursor is on a row that is as expected.
  @discardableResult
  func waitForCursor(on what: String) throws -> String {
    while true {
      let row = try cursorRow()
      if row.contains(what) { return row }
      try waitForNews("the cursor on \(what)", row)
    }
  }

  func forgetPainted() { painted = "" }

  /// Waits until something has been painted, however short it stood.
  func waitForPainted(_ text: String) throws {
    while !painted.contains(text) { try waitForNews("\(text) to be painted", painted) }
  }

  // MARK: Control mode

  private func waitForNews(_ what: String, _ seen: String) throws {
    while true {
      guard let line = nextLine() else {
        guard try tmux.readMore(waitingFor: "\(what); there is\n\(seen)\n") else {
          throw ChildProcess.Hung(description: "tmux ended before \(what)")
        }
        continue
      }
      note(line)
      if line.hasPrefix("%") { return }
    }
  }

  @discardableResult
  private func command(_ text: String) throws -> [String] {
    tmux.write(text + "\n")
    return try answer(text)
  }

  @discardableResult
  private func answer(_ what: String) throws -> [String] {
    var lines: [String]?
    while true {
      guard let line = nextLine() else {
        guard try tmux.readMore(waitingFor: "tmux to answer \(what)") else {
          throw ChildProcess.Hung(description: "tmux ended before it answered \(what)")
        }
        continue
      }
      if line.hasPrefix("%begin ") {
        lines = []
      } else if line.hasPrefix("%end ") || line.hasPrefix("%error ") {
        return lines ?? []
      } else if lines != nil {
        lines?.append(line)
      } else {
        note(line)
      }
    }
  }

  private func note(_ line: String) {
    guard line.hasPrefix("%output ") else { return }
    painted += line.dropFirst("%output ".count).drop { $0 != " " }.dropFirst()
  }

  private func nextLine() -> String? {
    let bytes = tmux.output
    guard let end = bytes[parsed...].firstIndex(of: 0x0A) else { return nil }
    defer { parsed = end + 1 }
    return String(decoding: bytes[parsed..<end], as: UTF8.self)
  }
}
