import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// A display that takes connections, greets, and answers nothing after that.
@Suite(
  "A display that stops after its greeting, as a person meets it", .realPrograms(by: .waiting),
  .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct StoppedDisplayTests: AgentSteps {
  /// Longer than it takes by far, and shorter than a hang.
  private let bound = Duration.seconds(30)

  @Test("Every command says that there is no answer, within bounds")
  func commands() throws {
    let desktop = try DesktopStage("new.txt")
    let number = 50_000 + Int(getpid()) % 10_000
    let socket = "/tmp/.X11-unix/X\(number)"
    let real = desktop.desktop.environment["DISPLAY"]?.dropFirst() ?? ""
    let server = try desktop.desktop.start([
      "/usr/bin/python3", "-u", "-c", Self.greeting, "/tmp/.X11-unix/X\(real)", socket,
    ])
    defer { unlink(socket) }
    #expect(try server.line() == "ready")
    desktop.stage.variables["DISPLAY"] = ":\(number)"
    let commands = [
      ["points"], ["points", "--json"], ["points", "--carrying", "new.txt"],
      ["drop", "new.txt", "--onto", "Docs"], ["desktop"], ["audit"],
    ]
    try desktop.expectSilence(of: ":\(number)", in: commands, within: bound)
    let doctor = try desktop.stage.run(["doctor"], transcript: false)
    #expect(doctor.output.contains("No answer from :\(number)."), "\(doctor)")
  }

  /// Passes on what belongs to a greeting, and nothing after it.
  private static let greeting = """
    import socket, struct, sys
    real, own = sys.argv[1:]
    kept = []
    def exactly(end, count):
        data = b""
        while len(data) < count:
            piece = end.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data
    def greet(client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(real)
        kept.extend([client, server])
        head = exactly(client, 12)
        name, data = struct.unpack("=6xHH2x", head)
        server.sendall(head + exactly(client, (name + 3) // 4 * 4 + (data + 3) // 4 * 4))
        head = exactly(server, 8)
        client.sendall(head + exactly(server, struct.unpack("=6xH", head)[0] * 4))
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(own)
    listening.listen(64)
    print("ready")
    while True:
        greet(listening.accept()[0])
    """

  /// Words picked up, with the agent's keys also to be had from here.
  private func carry(_ desktop: DesktopStage) throws -> (windows: [TextWindow], agent: LiveRun) {
    let notes = try desktop.window(.gtk3, "Notes")
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = LiveRun(
      try desktop.stage.start(
        ["desktop", "--keys", "-", "--transcript", "-", "--speech", "off"], hasInput: true))
    try agent.wait(for: "agent-ready")
    try pickUpWords(desktop, agent)
    return ([notes, letter], agent)
  }

  @Test("An agent that carries says it, holds what it has, and goes on when the display does")
  func walk() throws {
    let desktop = try DesktopStage()
    let (windows, agent) = try carry(desktop)
    desktop.desktop.stopDisplay()
    let start = ContinuousClock.now
    agent.type("enter")
    let refused = try agent.wait(for: "refused")
    #expect(refused.argument("reason") == "not-responding", "\(refused)")
    agent.type("f2")
    try agent.wait(for: "holding", "names", ["some words to carry"])
    #expect(ContinuousClock.now - start < bound)
    desktop.desktop.continueDisplay()
    let end = ContinuousClock.now + bound * 2
    var answer = refused
    while answer.id != "delivered", ContinuousClock.now < end {
      agent.type("enter")
      answer = try agent.wait("an answer to the drop") {
        $0.id == "refused" || $0.id == "delivered"
      }
    }
    #expect(answer.id == "delivered", "\(answer)")
    try windows[1].lines(upTo: "body some words to carry")
  }

  @Test("An agent that carries ends when it is told to", arguments: [SIGTERM, SIGINT])
  func end(signal: Int32) throws {
    let desktop = try DesktopStage()
    let (windows, agent) = try carry(desktop)
    desktop.desktop.stopDisplay()
    agent.type("enter")
    let start = ContinuousClock.now
    agent.signal(signal)
    let run = try agent.ended()
    #expect(ContinuousClock.now - start < bound)
    #expect(run.ids.contains("cancelled"), "\(run)")
    #expect(run.records.deliveries.allSatisfy { $0["outcome"] != "delivered" })
    _ = windows
  }
}
