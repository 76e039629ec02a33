import Glibc
import Testing

@testable import KeyDragTerminal

/// Each of these runs a real program on a real pseudo-terminal.
@Suite("The terminal is put back, whatever happens", .serialized)
struct TerminalRestoreTests {
  private func expectPutBack(_ run: ProbeRun, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(areSame(run.modes, run.modesBefore), sourceLocation: sourceLocation)
    for mode in [1049, 2004] { #expect(!run.screen.modes.contains(mode)) }
    for mode in [7, 25] { #expect(run.screen.modes.contains(mode)) }
    #expect(run.screen.unknown.isEmpty)
  }

  @Test("Keys arrive raw while it is open")
  func raw() throws {
    let run = try ProbeRun()
    try run.waitForScreen { $0.text.contains("Space picks up.") }
    let flags = run.modesWhileOpen.c_lflag
    #expect(flags & tcflag_t(ISIG | ICANON | ECHO | IEXTEN) == 0)
    #expect(run.modesWhileOpen.c_iflag & tcflag_t(ICRNL | IXON) == 0)
    #expect(run.screen.modes.isSuperset(of: [1049, 2004, 25]))
    #expect(!run.screen.modes.contains(7))
  }

  @Test("A normal end shows the main screen again and leaves the last message on it")
  func normalEnd() throws {
    let run = try ProbeRun()
    run.send("q")
    try run.waitForEvent("left")
    #expect(run.wait() == 0)
    expectPutBack(run)
    #expect(run.screen.lines.filter { !$0.isEmpty } == ["Goodbye from the probe."])
  }

  @Test(
    "TERM, HUP, INT and QUIT are told first, then it ends in order",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func terminate(signal: Int32) throws {
    let run = try ProbeRun()
    kill(run.child, signal)
    try run.waitForEvent("terminate \(signal)")
    try run.waitForEvent("left")
    #expect(run.wait() == 0)
    expectPutBack(run)
  }

  @Test("HUP comes more than once where a terminal is closed, and is one wish to end")
  func hungUpTwice() throws {
    let run = try ProbeRun()
    for _ in 0..<2 { kill(run.child, SIGHUP) }
    try run.waitForEvent("left")
    #expect(run.wait() == 0)
    expectPutBack(run)
  }

  @Test("The same signal twice ends a program that does not", arguments: [SIGTERM, SIGINT])
  func terminateTwice(signal: Int32) throws {
    let run = try ProbeRun(environment: ["PROBE_STUBBORN": "1"])
    kill(run.child, signal)
    try run.waitForEvent("terminate \(signal)")
    kill(run.child, signal)
    #expect(run.wait() == 256 + Int(signal))
    expectPutBack(run)
  }

  @Test(
    "A crash puts the terminal back and is still that crash",
    arguments: [("a", [SIGABRT]), ("s", [SIGSEGV]), ("t", [SIGILL, SIGTRAP])])
  func crash(key: String, signals: [Int32]) throws {
    let run = try ProbeRun()
    run.send(key)
    let status = run.wait()
    #expect(signals.map { 256 + Int($0) }.contains(status))
    expectPutBack(run)
  }

  @Test(
    "A crash signal from outside puts the terminal back and ends the program",
    arguments: [SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS])
  func crashFromOutside(signal: Int32) throws {
    let run = try ProbeRun()
    kill(run.child, signal)
    #expect(run.wait() == 256 + Int(signal))
    expectPutBack(run)
  }

  @Test("A crash behind a terminal that takes nothing gives its modes back and does not hang")
  func crashWhileBlocked() throws {
    let run = try ProbeRun()
    run.send("fa")
    #expect(run.waitWithoutReading() == 256 + Int(SIGABRT))
    #expect(areSame(run.modes, run.modesBefore))
  }

  @Test("exit() anywhere puts the terminal back and keeps the status")
  func exit() throws {
    let run = try ProbeRun()
    run.send("e")
    #expect(run.wait() == 3)
    expectPutBack(run)
  }

  @Test("K15: suspended, the terminal is the shell's; resumed, the screen is as it was")
  func suspend() throws {
    let run = try ProbeRun()
    try run.waitForScreen { $0.text.contains("Space picks up.") }
    let before = run.screen.text
    for _ in 0..<2 {
      kill(run.child, SIGTSTP)
      #expect(run.wait() == 512 + Int(SIGSTOP))
      expectPutBack(run)
      kill(run.child, SIGCONT)
      try run.waitForEvent("resumed")
      try run.waitForScreen { $0.text == before }
      #expect(areSame(run.modes, run.modesWhileOpen))
      #expect(run.screen.modes.isSuperset(of: [1049, 2004]))
    }
    run.send("x")
    #expect(try run.waitForEvent("stroke character(\"x\") 0").isEmpty)
  }

  /// Stopped by its shell, continued behind it, and stopped there again.
  ///
  /// - Parameter rest: what the shell does then.
  private func continuedBehind(_ rest: String) throws -> ProbeRun {
    let run = try ProbeRun(
      script: """
        "$PROBE"; echo stopped >&3
        bg; wait %1; echo "waited $?" >&3
        \(rest)
        """)
    run.signalForeground(SIGTSTP)
    try run.waitForEvent("stopped")
    let modes = run.modes
    try run.waitForEvent("waited \(128 + SIGTTOU)")
    #expect(areSame(run.modes, modes))
    return run
  }

  @Test("K15: continued behind its shell, it waits until it is brought to the front")
  func background() throws {
    let run = try continuedBehind(#"read line; fg; echo "ended $?" >&3"#)
    run.send("\r")
    try run.waitForEvent("resumed")
    #expect(areSame(run.modes, run.modesWhileOpen))
    run.send("q")
    try run.waitForEvents(["left", "ended 0"])
    #expect(run.wait() == 0)
    expectPutBack(run)
  }

  @Test("K15: ended behind its shell, it ends, and leaves the terminal alone")
  func endedBehind() throws {
    let run = try continuedBehind(#"kill %1; bg; wait %1; echo "ended $?" >&3"#)
    let modes = run.modes
    // The shell continues what it ends.
    try run.waitForEvents(["terminate \(SIGTERM)", "left", "ended 0"])
    #expect(areSame(run.modes, modes))
    #expect(run.wait() == 0)
  }

  @Test("K15: started behind its shell, it leaves the terminal alone until it is in front")
  func startedBehind() throws {
    let run = try ProbeRun(
      script: """
        "$PROBE" &
        wait %1; echo "waited $?" >&3
        read line; fg; echo "ended $?" >&3
        """, first: "waited \(128 + SIGTTOU)")
    #expect(areSame(run.modes, run.modesBefore))
    run.send("\n")
    try run.waitForEvent("ready 40x10")
    try run.waitForScreen { $0.text.contains("Space picks up.") }
    run.send("q")
    try run.waitForEvents(["left", "ended 0"])
    #expect(run.wait() == 0)
    expectPutBack(run)
  }

  @Test("K15: a size that changed while it was stopped is told when it goes on")
  func resizeWhileStopped() throws {
    let run = try ProbeRun()
    kill(run.child, SIGTSTP)
    #expect(run.wait() == 512 + Int(SIGSTOP))
    run.resize(columns: 60, rows: 12)
    kill(run.child, SIGCONT)
    // CONT and WINCH come in either order.
    try run.waitForEvents(["resized 60x12", "resumed"])
  }

  @Test("A terminal that goes away is told, and the program ends")
  func hangUp() throws {
    let run = try ProbeRun()
    run.hangUp()
    #expect(try run.waitForEvent("left").contains { $0 == "closed" || $0 == "terminate 1" })
    #expect(run.wait() == 0)
  }
}
