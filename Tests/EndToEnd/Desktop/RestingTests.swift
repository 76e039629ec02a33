import Foundation
import PrivateDesktop
import RealPrograms
import Testing

/// What the agent keeps of the computer while nobody uses it.
@Suite(
  "keydrag desktop, at rest", .realPrograms(by: .suite), .timeLimit(.minutes(2)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct RestingTests: AgentSteps {
  @Test("What only the start needs leaves memory when the agent rests, and the next key works")
  func code() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    let atStart = try code(of: agent.process)
    #expect(atStart > 0)
    let end = ContinuousClock.now + .seconds(60)
    while try code(of: agent.process) > atStart / 2, ContinuousClock.now < end {
      sched_yield()
    }
    #expect(try code(of: agent.process) <= atStart / 2)
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("Escape")
    try agent.wait(for: "cancelled", "names", ["a.txt"])
    agent.signal(SIGTERM)
    #expect(try agent.ended().status == 130)
    _ = thunar
  }

  /// How much of its own code a process has in memory, in kB.
  private func code(of process: pid_t) throws -> Int {
    let program = try FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/\(process)/exe")
    let maps = FileManager.default.contents(atPath: "/proc/\(process)/smaps") ?? Data()
    var isCode = false
    var sum = 0
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      if line.hasSuffix(program) { isCode = line.contains(" r-xp ") }
      if isCode, line.hasPrefix("Rss:") {
        sum += line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        isCode = false
      }
    }
    return sum
  }
}
