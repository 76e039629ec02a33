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
    var times: [Double] = []
    for _ in 0..<(3 * sizes.pairs) {
      let pressed = try hands.press("Control_L", "Alt_L", "space")
      times.append(try agent.wait(for: #""id":"picked-up""#) - pressed)
      try agent.wait(for: #""id":"drop-point""#)
      try hands.press("Escape")
      try agent.wait(for: #""id":"cancelled""#)
    }
    var figure = Figure.time("chord to the first word", Median.of(times), atMost: 0.030)
    figure.pairs = times.map { Text.time($0) }
    let idle = idleFigures(agent, seconds: sizes.idleSeconds)
    kill(agent.process, SIGTERM)
    try agent.end(status: 130)
    return [figure] + idle
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
