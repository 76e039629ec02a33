import Glibc
import KeyDragCore
import PrivateDesktop

/// The agent: how soon it speaks, and what it uses while nobody does.
enum AgentBenchmark {
  static let benchmark = Benchmark(
    name: "agent", about: "from the chord to the first word, and an agent that waits"
  ) { sizes, _ in
    let floor = try DesktopFloor()
    let window = try floor.start(MeasuredWindows.fields)
    defer { window.end() }
    let agent = try floor.agent()
    let hands = try Hands(floor)
    func drag() throws -> Double {
      let pressed = try hands.press("Control_L", "Alt_L", "space")
      let time = try agent.wait(for: #""id":"picked-up""#) - pressed
      try agent.wait(for: #""id":"drop-point""#)
      try hands.press("Escape")
      try agent.wait(for: #""id":"cancelled""#)
      return time
    }
    let times = try (0..<(3 * sizes.pairs)).map { _ in try drag() }
    let idle = idleFigures(agent, seconds: sizes.idleSeconds)
    // What it gave back at rest has to come again.
    let rested = try (0..<3).map { _ in
      sleep(rest)
      return try drag()
    }
    kill(agent.process, SIGTERM)
    try agent.end(status: 130)
    return [
      figure("chord to the first word", times), figure("the same after a rest", rested),
    ] + idle
  }

  /// Longer than the agent waits before it gives memory back, in seconds.
  private static let rest: UInt32 = 8

  private static func figure(_ name: String, _ times: [Double]) -> Figure {
    var figure = Figure.time(name, Median.of(times), atMost: 0.030)
    figure.pairs = times.map { Text.time($0) }
    return figure
  }

  private static func idleFigures(_ agent: Child, seconds: UInt32) -> [Figure] {
    // Threads that helped end when they had no work for some seconds.
    sleep(10)
    let before = ProcessUse(of: agent.process)
    sleep(seconds)
    let use = ProcessUse(of: agent.process).since(before)
    let memory = agent.memory("VmRSS")
    return [
      Figure("agent idle for \(seconds) s: wake-ups", String(use.switches)),
      Figure(
        "agent idle for \(seconds) s: processor time", "\(use.ticks) ticks", target: "0",
        isMet: use.ticks == 0),
      Figure(
        "agent idle: resident", Text.megabytes(memory), target: "≤ 40 MB",
        isMet: memory <= 40 << 20),
    ]
  }
}
