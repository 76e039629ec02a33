import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// A thread of the program is in a call that nobody answers, and that not even SIGKILL ends.
@Suite(
  "The terminal beside a disk that hangs", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs tmux") { TerminalRun.isPossible },
  .enabled("needs FUSE and a user who may mount") { getuid() == 0 && PoorDisk.obstacle == nil })
struct HungTerminalTests {
  enum Leaving: CaseIterable { case quit, term, hangUp, interrupt, kill }

  /// Whether it takes no more than three seconds. A busy machine may be late once; what waits for the
  /// disk is late each time.
  private func isSoon(_ leave: () throws -> Duration) rethrows -> Bool {
    try (1...3).contains { _ in try leave() < .seconds(3) }
  }

  /// The folder Share on a disk where no look at a name is answered.
  private func stage(_ name: String) throws -> (stage: Stage, disk: PoorDisk) {
    let stage = try Stage("behind/inner/never", "Share/", "Docs/")
    let disk = try PoorDisk(
      of: stage.path("behind"), at: stage.path("Share"), ["hang=" + name], log: stage.base + "/log")
    return (stage, disk)
  }

  private func leave(_ terminal: TerminalRun, _ leaving: Leaving) throws -> Duration {
    let start = ContinuousClock.now
    switch leaving {
    case .quit: try terminal.press("C-q")
    case .term: try terminal.signal(SIGTERM)
    case .hangUp: try terminal.signal(SIGHUP)
    case .interrupt: try terminal.signal(SIGINT)
    case .kill: try terminal.signal(SIGKILL)
    }
    try terminal.wait("the shell") { screen in
      // Nobody puts the screen back after SIGKILL.
      screen.split(separator: "\n").contains("shell>")
    }
    return ContinuousClock.now - start
  }

  @Test(
    "H14: whoever leaves has the prompt within three seconds, and the terminal as it was",
    arguments: [Leaving.quit, .term, .hangUp, .interrupt])
  func leaves(leaving: Leaving) throws {
    #expect(try isSoon { try leaves(leaving) })
  }

  private func leaves(_ leaving: Leaving) throws -> Duration {
    let (stage, disk) = try stage("inner")
    defer { disk.close() }
    let terminal = try TerminalRun(stage)
    try terminal.enter("keydrag files Share Docs --speech off")
    try terminal.wait("the folder") { $0.contains("Share │ Docs") }
    try terminal.press("Right")
    try terminal.wait("who does not answer") { $0.contains("is not responding") }
    let time = try leave(terminal, leaving)
    try terminal.enter("echo status $?")
    let status = leaving == .quit ? 0 : 130
    try terminal.wait("the status") { $0.contains("status \(status)") }
    try terminal.enter("/usr/bin/stty -a > modes; echo modes $((40 + 2))")
    try terminal.wait("the modes") { $0.contains("modes 42") }
    let modes = try #require(stage.read("modes"))
    #expect(
      Set(modes.split(whereSeparator: \.isWhitespace)).isSuperset(of: ["icanon", "echo", "isig"]))
    return time
  }

  @Test(
    "H14: the same where a copy stands still, and after SIGKILL", arguments: [Leaving.term, .kill])
  func copying(leaving: Leaving) throws {
    let isSoon = try isSoon {
      let (stage, disk) = try stage("never")
      defer { disk.close() }
      let terminal = try TerminalRun(stage)
      try terminal.enter("keydrag files Share Docs --speech off")
      try terminal.waitForCursor(on: "inner")
      try terminal.press("Space", "d", "o", "Enter")
      try terminal.wait("the copy") { $0.contains("Copying inner") }
      return try leave(terminal, leaving)
    }
    #expect(isSoon)
  }

  @Test(
    "H14: whoever waits for a command without a terminal has its end within three seconds",
    arguments: [
      ("copy Share/inner --to Docs", "never"), ("copy Share/inner --to Docs", "inner"),
      ("move a.txt --to Share/inner", "inner"), ("move a.txt --to Share", "a.txt"),
      ("files Share Docs --keys space", "inner"),
    ], [SIGTERM, SIGHUP, SIGKILL])
  func commands(_ hung: (line: String, name: String), signal: Int32) throws {
    #expect(try isSoon { try end(of: hung, signal) })
  }

  private func end(of hung: (line: String, name: String), _ signal: Int32) throws -> Duration {
    let (stage, disk) = try stage(hung.name)
    defer { disk.close() }
    try stage.make("a.txt")
    let line = try Program.path() + " \(hung.line) --speech off"
    let shell = try ChildProcess(
      ["/bin/sh", "-c", "\(line) 2>&1 & echo $!; wait $!; echo status $?"],
      environment: stage.environment, folder: stage.work)
    func wait(_ what: String, _ isThere: (String) -> Bool) throws {
      while !isThere(String(decoding: shell.output, as: UTF8.self)) {
        guard try shell.readMore(waitingFor: what) else {
          throw ChildProcess.Hung(description: what)
        }
      }
    }
    try wait("the command") { $0.contains("\n") }
    let process = String(decoding: shell.output, as: UTF8.self).split(separator: "\n").first
    try disk.waitUntilHung()
    let start = ContinuousClock.now
    kill(try #require(process.flatMap { pid_t($0) }), signal)
    try wait("the shell") { $0.contains("status") }
    let time = ContinuousClock.now - start
    let said = String(decoding: shell.output, as: UTF8.self)
    #expect(said.contains("status 130") || said.contains("status \(128 + signal)"), "\(said)")
    return time
  }

  @Test("A command's status is its own, and a signal reaches it once")
  func command() throws {
    let stage = try Stage("a.txt", "Docs/")
    let terminal = try TerminalRun(stage)
    try terminal.enter("keydrag copy a.txt --to Docs; echo first $?")
    try terminal.wait("the copy") { $0.contains("first 0") }
    try terminal.enter("keydrag copy b.txt --to Docs; echo second $?")
    try terminal.wait("the refusal") { $0.contains("second 66") }
    // It waits for its keys, with the terminal's own keys in force.
    try terminal.enter("keydrag files Docs --keys - --speech off; echo third $?")
    try terminal.wait("the session") { $0.contains("Docs, 1 file.") }
    try terminal.press("C-c")
    try terminal.wait("the end") { $0.contains("third 130") }
    try terminal.enter("keydrag files Docs --keys - --speech off")
    try terminal.wait("the session") { $0.ranges(of: "Docs, 1 file.").count == 2 }
    try terminal.press("C-z")
    try terminal.wait("the stop") { $0.contains("Stopped") }
    try terminal.enter("fg; echo fourth $?")
    try terminal.press("C-d")
    try terminal.wait("the end") { $0.contains("fourth 0") }
  }
}
