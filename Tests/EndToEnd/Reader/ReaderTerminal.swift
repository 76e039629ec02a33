import Foundation
import Glibc
import PrivateDesktop

/// The program in a terminal window of a desktop with the real Orca, with keys as a keyboard sends
/// them.
final class ReaderTerminal {
  private static let tools = ["xfce4-terminal", "openbox", "xdotool"]

  static var obstacle: String? {
    PrivateDesktop.obstacle
      ?? tools.first { access("/usr/bin/" + $0, X_OK) != 0 }
      .map { "needs \($0): apt-get install \(tools.joined(separator: " "))" }
  }

  let desktop: PrivateDesktop
  private let stage: Stage
  private let manager: KeptProcess
  private let terminal: KeptProcess
  private let transcript: KeptProcess
  /// Every announcement of the transcript so far.
  private(set) var announced: [Record] = []
  private var lastKey = "no key"

  /// Starts Orca, then the program.
  init(_ stage: Stage, _ arguments: [String]) async throws {
    self.stage = stage
    desktop = try PrivateDesktop()
    try await desktop.startReader()
    manager = try desktop.start(["/usr/bin/openbox"])
    // A pipe, so that nothing is waited for by the clock.
    let pipe = stage.base + "/transcript"
    mkfifo(pipe, 0o600)
    transcript = try desktop.start(["/bin/cat", pipe])
    terminal = try desktop.start(
      [
        "/usr/bin/xfce4-terminal", "--disable-server", "--hide-menubar", "--hide-toolbar",
        "--hide-scrollbar", "--geometry=80x24", "-T", "session", "--dynamic-title-mode=none",
        "--working-directory=" + stage.work, "-x", try Program.path(),
      ] + arguments + ["--transcript", pipe])
    try xdotool("search", "--sync", "--onlyvisible", "--class", "xfce4-terminal", "windowfocus")
  }

  /// Presses a key, as soon after the last one as somebody who types fast.
  func press(_ key: String) throws {
    lastKey = key
    try xdotool("sleep", "0.15", "key", "--clearmodifiers", key)
  }

  /// Waits until the transcript holds this announcement; what was announced up to it, it included.
  func announcements(upTo id: String) throws -> [Record] {
    var result: [Record] = []
    while true {
      let record = try Record(line: try line(waitingFor: id))
      guard record.kind == "announcement" else { continue }
      announced.append(record)
      result.append(record)
      if record.id == id { return result }
    }
  }

  private func line(waitingFor id: String) throws -> String {
    do {
      return try transcript.line()
    } catch {
      throw ChildProcess.Hung(
        description: """
          \(error): waited for \(id) after \(lastKey); announced: \(announced.suffix(4).map(\.text)); \
          said: \(desktop.speech.all.suffix(6)); \(desktop.complaints.suffix(500))
          """)
    }
  }

  private func xdotool(_ arguments: String...) throws {
    let run = try desktop.start(
      ["/bin/sh", "-c", #""$@" >/dev/null; echo done"#, "sh"]
        + ["/usr/bin/xdotool"] + arguments)
    _ = try run.line()
  }
}
