import Glibc
import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "keydrag desktop, where all that it writes is kept", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct AgentLogTests {
  /// Reads until a line that begins so has come after what was read before; all after it.
  private func wait(
    for start: String, in child: ChildProcess, after read: inout Int
  ) throws -> String {
    while true {
      let text = String(decoding: child.output[read...], as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      for line in lines {
        read += line.utf8.count + 1
        if line.contains(start) { return String(line) }
      }
      guard try child.readMore(waitingFor: start) else {
        throw ChildProcess.Hung(
          description: "ended before \(start): " + String(decoding: child.output, as: UTF8.self))
      }
    }
  }

  @Test("In the journal a drop is an id, an operation and a count, and no name is kept")
  func journal() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/", "Inbox/other.txt", "Inbox/secret-name.txt", "Docs/Inner/")
    let thunar = try desktop.thunar(("Inbox", "secret-name.txt"))
    // As systemd starts a unit: the stream's name is in the environment.
    desktop.stage.runner = [
      "/bin/sh", "-c",
      #"JOURNAL_STREAM=$(/usr/bin/stat -L -c %d:%i /proc/$$/fd/1) exec "$@""#, "sh",
    ]
    let agent = try desktop.stage.start(["desktop", "--speech", "off"])
    var read = 0
    _ = try wait(for: "agent-ready", in: agent, after: &read)
    try desktop.activate("Inbox")
    try desktop.press("Home", "End")
    try desktop.wait(for: "secret-name.txt", in: "Inbox", isSelected: true)
    // Once more while the agent does not know yet what is in focus.
    var answer = ""
    for _ in 0..<5 where !answer.contains("picked-up") {
      try desktop.press("ctrl+alt+space")
      answer = try wait(for: "pick", in: agent, after: &read)
    }
    #expect(answer.hasPrefix("<6>picked-up count=1"))
    _ = try wait(for: "drop-point verdict=refuse", in: agent, after: &read)
    try desktop.press("Tab")
    _ = try wait(for: "drop-point verdict=accept", in: agent, after: &read)
    try desktop.press("Return")
    let delivered = try wait(for: "delivered", in: agent, after: &read)
    #expect(delivered == "<6>delivered operation=move count=1")
    #expect(desktop.stage.exists("Inbox/Sorted/secret-name.txt"))
    agent.signal(SIGTERM)
    #expect(try agent.finish() == 130)
    let output = String(decoding: agent.output + agent.errors, as: UTF8.self)
    for name in ["secret-name", "Sorted", "Inbox", "Thunar"] {
      #expect(!output.contains(name), "\(output)")
    }
    _ = thunar
  }
}
