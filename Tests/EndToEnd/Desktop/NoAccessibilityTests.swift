import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// A desktop on which nobody tells what is in windows.
@Suite(
  "The desktop without its accessibility service", .realPrograms(by: .waiting), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct NoAccessibilityTests: AgentSteps {
  enum Lack: String, CaseIterable {
    /// No session bus at all.
    case session
    /// A session bus that knows of no such service.
    case launcher
    /// An address at which nobody listens.
    case bus
    /// A bus without the program that knows who is on it.
    case registry
    /// A bus that lets everyone in, and no answer out.
    case speechless
    /// A socket that takes connections, and says nothing.
    case mute
    /// The same for the session bus.
    case muteSession
  }

  private let said = "The accessibility service is missing."
  private let remedy = "keydrag doctor says what is missing."
  /// Longer than it takes by far, and shorter than a hang.
  private let bound = Duration.seconds(60)

  /// A bus on which nothing can be started.
  private func bareBus(
    _ desktop: DesktopStage, answers: Bool = true
  ) throws -> (KeptProcess, address: String) {
    let file = desktop.stage.base + "/bus.conf"
    try desktop.stage.make(
      file,
      """
      <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
      <policy context="default"><allow user="*"/><allow own="*"/>
      <allow send_destination="*" eavesdrop="true"/>
      \(answers ? "<allow eavesdrop='true'/>" : "<deny receive_sender='*'/>")</policy>
      </busconfig>

      """)
    let bus = try desktop.desktop.start([
      "/usr/bin/dbus-daemon", "--config-file=" + file, "--nofork", "--print-address",
    ])
    return (bus, try bus.line())
  }

  private func take(_ lack: Lack, from desktop: DesktopStage) throws -> KeptProcess? {
    switch lack {
    case .session: desktop.stage.variables["DBUS_SESSION_BUS_ADDRESS"] = nil
    case .bus: desktop.stage.variables["AT_SPI_BUS_ADDRESS"] = "unix:path=/nowhere"
    case .launcher, .registry, .speechless:
      let (bus, address) = try bareBus(desktop, answers: lack != .speechless)
      let name = lack == .launcher ? "DBUS_SESSION_BUS_ADDRESS" : "AT_SPI_BUS_ADDRESS"
      desktop.stage.variables[name] = address
      return bus
    case .mute, .muteSession:
      let path = desktop.stage.base + "/mute"
      let name = lack == .muteSession ? "DBUS_SESSION_BUS_ADDRESS" : "AT_SPI_BUS_ADDRESS"
      desktop.stage.variables[name] = "unix:path=" + path
      return try MuteSocket.listen(at: path, on: desktop.desktop)
    }
    return nil
  }

  @Test(
    "The chord and the commands say what is missing, and windows take drops by their titles",
    arguments: Thorough.cases(ordinarily: 2, of: Lack.allCases))
  func missing(lack: Lack) throws {
    let desktop = try DesktopStage("new.txt")
    let notes = try desktop.window(.gtk3, "Notes")
    let lacking = try take(lack, from: desktop)
    let clock = ContinuousClock()
    var slowest = Duration.zero
    func timed<Value>(_ body: () throws -> Value) rethrows -> Value {
      let start = clock.now
      defer { slowest = max(slowest, clock.now - start) }
      return try body()
    }
    let listed = try timed { try desktop.run("points", transcript: false) }
    #expect(listed.status == 0 && listed.output.contains("Notes"), "\(listed)")
    // The window is its one place: its name is heard once.
    let places = listed.output.split(separator: "\n").filter { $0.contains("Notes") }
    #expect(places.count == 1 && places[0].hasPrefix("Notes window, "), "\(listed)")
    #expect(!listed.output.contains("in Notes"), "\(listed)")
    #expect(listed.output.contains(said) && listed.output.contains(remedy), "\(listed)")
    let json = try timed { try desktop.run("points", "--json", transcript: false) }
    #expect(try json.output.split(separator: "\n").map { try Record(line: String($0)) }.count == 1)
    #expect(json.status == 0 && json.errors.contains(said), "\(json)")
    let inside = try timed {
      try desktop.run("drop", "new.txt", "--onto", "Body", transcript: false)
    }
    #expect(inside.status == 69, "\(inside)")
    #expect(inside.errors.contains(said) && inside.errors.contains(remedy), "\(inside)")
    let dropped = try timed { try desktop.run("drop", "new.txt", "--onto", "Notes") }
    // Nobody can see what a window makes of it.
    #expect(dropped.status == 1 && dropped.ids.last == "unconfirmed", "\(dropped)")
    #expect(dropped.said.contains { $0.hasPrefix(said) }, "\(dropped)")
    try notes.lines(upTo: "body " + desktop.stage.path("new.txt"))
    let audit = try timed { try desktop.run("audit", transcript: false) }
    #expect(audit.status == 69 && audit.errors.contains(said), "\(audit)")
    let doctor = try timed { try desktop.run("doctor", transcript: false) }
    #expect(doctor.output.contains("Install at-spi2-core and log in again."), "\(doctor)")
    let summary = doctor.output.split(separator: "\n").last ?? ""
    #expect(doctor.status == 69 && summary.contains("Running programs"), "\(doctor)")

    try desktop.activate("Notes")
    let agent = try timed { try desktop.agent() }
    for _ in 0..<3 {
      try desktop.press(chord)
      let answer = try timed { try agent.wait(for: "nothing-to-pick-up") }
      #expect(answer.argument("reason") == "no-accessibility", "\(answer)")
      #expect(answer.text.contains(said) && answer.text.contains(remedy), "\(answer)")
    }
    #expect(slowest < bound)
    _ = lacking
  }
}

/// A socket that takes connections and never says a word.
enum MuteSocket {
  static func listen(at path: String, on desktop: PrivateDesktop) throws -> KeptProcess {
    let program = try desktop.start(["/usr/bin/python3", "-u", "-c", source, path])
    #expect(try program.line() == "ready")
    return program
  }

  private static let source = """
    import signal, socket, sys
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(sys.argv[1])
    listening.listen(64)
    print("ready")
    signal.pause()
    """
}
