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

  private(set) var desktop: PrivateDesktop
  private let stage: Stage
  private var manager: KeptProcess
  private var terminal: KeptProcess?
  private var transcript: KeptProcess?
  /// Every announcement of the transcript so far.
  private(set) var announced: [Record] = []
  private var lastKey = "no key"

  /// Starts Orca, then the program.
  ///
  /// - Parameter size: columns and rows; no more of them come than the display has room for.
  init(_ stage: Stage, _ arguments: [String], size: String = "80x24") async throws {
    self.stage = stage
    (desktop, manager) = try await Self.begin()
    // A pipe, so that nothing is waited for by the clock.
    let pipe = stage.base + "/transcript"
    mkfifo(pipe, 0o600)
    let window = [
      "/usr/bin/xfce4-terminal", "--disable-server", "--hide-menubar", "--hide-toolbar",
      "--hide-scrollbar", "--geometry=" + size, "-T", "session", "--dynamic-title-mode=none",
      "--working-directory=" + stage.work, "-x", try Program.path(),
    ]
    var lastTrouble: (any Error)?
    // Seen once in some hundred runs: a terminal that never brings up its window beside a reader that
    // has just begun. It is not what is tested here. The program in it may have begun to speak all the
    // same: what is heard after that is heard on a desktop of its own.
    for attempt in 1...3 {
      if attempt > 1 { (desktop, manager) = try await Self.begin() }
      transcript = try desktop.start(["/bin/cat", pipe])
      terminal = try desktop.start(window + arguments + ["--transcript", pipe])
      do {
        try xdotool(
          "search", "--sync", "--onlyvisible", "--class", "xfce4-terminal", "windowfocus",
          within: 25)
        return
      } catch {
        lastTrouble = error
        terminal?.end()
        transcript?.end()
      }
    }
    if let lastTrouble { throw lastTrouble }
  }

  /// A desktop with Orca and a manager of windows.
  private static func begin() async throws -> (PrivateDesktop, KeptProcess) {
    let desktop = try PrivateDesktop()
    try await desktop.startReader()
    return (desktop, try desktop.start(["/usr/bin/openbox"]))
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
      guard let line = try transcript?.line() else {
        throw ChildProcess.Hung(description: "no terminal")
      }
      return line
    } catch {
      throw ChildProcess.Hung(
        description: """
          \(error): waited for \(id) after \(lastKey); announced: \(announced.suffix(4).map(\.text)); \
          said: \(desktop.speech.all.suffix(6)); \(desktop.complaints.suffix(500))
          """)
    }
  }

  private func xdotool(_ arguments: String..., within seconds: Int32 = 60) throws {
    let run = try desktop.start(
      ["/bin/sh", "-c", #""$@" >/dev/null; echo done"#, "sh"]
        + ["/usr/bin/xdotool"] + arguments)
    _ = try run.line(within: seconds)
  }
}
