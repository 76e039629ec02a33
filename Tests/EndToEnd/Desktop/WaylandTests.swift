import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// A headless Wayland session of sway, with XWayland, in which the program runs.
private final class WaylandStage {
  static var isPossible: Bool {
    OrdinaryUser.isPossible && PrivateDesktop.obstacle == nil
      && ["sway", "Xwayland"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 }
  }

  let stage: Stage
  /// What programs of the session complained of.
  var complaints: String { stage.read(log) ?? "" }
  private let log: String
  private let bus: KeptProcess
  private let sway: KeptProcess
  private var windows: [KeptProcess] = []

  /// It begins no X server before a program asks for one, and says which it will be.
  private static let settings = """
    output HEADLESS-1 resolution 1280x720
    exec sh -c 'echo ready $WAYLAND_DISPLAY $DISPLAY'

    """

  init(hasXWayland: Bool = true) throws {
    // It refuses to run as root.
    stage = try Stage("new.txt", isOrdinary: true)
    let base = stage.base
    log = base + "/log"
    try stage.make(
      base + "/sway.conf", (hasXWayland ? "" : "xwayland disable\n") + Self.settings)
    try stage.make(log, "")
    try stage.giveAway()
    chmod(base + "/run", 0o700)
    let address = "unix:path=\(base)/run/bus"
    stage.variables = [
      "DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "XDG_DATA_DIRS": "/usr/share",
    ]
    bus = try KeptProcess(
      OrdinaryUser.command + [
        "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
        "--address=" + address, "--print-address=1",
      ], environment: stage.environment, log: log)
    _ = try bus.line()
    let headless = [
      "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
    ]
    sway = try KeptProcess(
      OrdinaryUser.command + ["/usr/bin/sway", "-c", base + "/sway.conf"],
      environment: stage.environment.merging(headless) { $1 }, log: log)
    var words: [Substring] = []
    while words.first != "ready" { words = try sway.line().split(separator: " ") }
    stage.variables["WAYLAND_DISPLAY"] = words.dropFirst().first.map(String.init)
    stage.variables["DISPLAY"] = words.dropFirst(2).first.map(String.init)
  }

  deinit {
    for window in windows { window.end() }
    sway.end()
    bus.end()
  }

  /// Opens a window as one of X11 or as a native one; returns when it is shown.
  func open(_ title: String, as backend: String) throws {
    let window = try KeptProcess(
      OrdinaryUser.command + ["/usr/bin/python3", "-u", "-c", Self.window, title],
      environment: stage.environment.merging(
        ["GDK_BACKEND": backend, "GSETTINGS_BACKEND": "memory"]) { $1 }, log: log)
    #expect(try window.line() == "shown")
    windows.append(window)
  }

  private static let window = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title=sys.argv[1])
    body = Gtk.TextView()
    body.get_accessible().set_name("Body")
    window.add(body)
    window.connect("map-event", lambda *_: GLib.idle_add(print, "shown"))
    window.show_all()
    Gtk.main()
    """

  func run(_ arguments: String...) throws -> KeydragRun {
    try stage.run(arguments + ["--speech", "off"], transcript: false)
  }

  /// The agent; returns what it says first, up to the last thing that it says of the session.
  func agent() throws -> [Record] {
    let run = LiveRun(try stage.start(["desktop", "--transcript", "-", "--speech", "off"]))
    let ready = try run.wait(for: "agent-ready")
    return [ready, try run.wait(for: "problem")]
  }

  /// The answer to the chord, as a compositor passes it on to programs of X11.
  func chord() throws -> Record {
    let run = LiveRun(try stage.start(["desktop", "--transcript", "-", "--speech", "off"]))
    _ = try run.wait(for: "problem")
    let hand = try KeptProcess(
      OrdinaryUser.command + [
        "/bin/sh", "-c", "/usr/bin/xdotool key ctrl+alt+space; echo pressed",
      ], environment: stage.environment, log: log)
    #expect(try hand.line() == "pressed")
    return try run.wait(for: "nothing-to-pick-up")
  }
}

@Suite(
  "In a Wayland session", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs sway and xwayland") { WaylandStage.isPossible })
struct WaylandTests {
  private let reached =
    "Under sway only windows in XWayland can be reached, native Wayland windows can't."
  private let remedy =
    "To reach a program, start it with GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb MOZ_ENABLE_WAYLAND=0 "
    + "before its name, or with --ozone-platform=x11 after it."

  private func line(_ title: String, _ run: KeydragRun) -> String {
    run.output.split(separator: "\n").first { $0.hasPrefix(title + ": ") }.map(String.init) ?? ""
  }

  @Test("W01 With native windows alone nothing is reached, and every command says so")
  func native() throws {
    let session = try WaylandStage()
    try session.open("Native", as: "wayland")
    let points = try session.run("points")
    #expect(points.status == 69, "\(points)")
    #expect(points.output == "0 windows can be reached.\n\(reached) \(remedy)\n", "\(points)")
    let json = try session.stage.run(["points", "--json"], transcript: false)
    #expect(json.status == 69 && json.output.isEmpty, "\(json)")
    #expect(json.errors.contains(reached), "\(json)")
    let drop = try session.run("drop", "new.txt", "--onto", "Body")
    #expect(drop.status == 69 && drop.errors.contains(reached), "\(drop)")
    let doctor = try session.run("doctor")
    #expect(doctor.status == 69, "\(doctor)")
    #expect(
      line("Running programs", doctor)
        == "Running programs: does not work. 0 windows can be reached. \(reached) \(remedy)")
    #expect(
      line("Keys on the desktop", doctor).hasSuffix(
        "In windows of XWayland Ctrl+Alt+Space picks up what is in focus."), "\(doctor)")
    #expect(doctor.output.hasSuffix("To be mended: Running programs.\n"), "\(doctor)")
  }

  @Test("W01 Windows of XWayland are listed and take drops, and that native ones do not is said")
  func both() throws {
    let session = try WaylandStage()
    try session.open("Native", as: "wayland")
    try session.open("Notes", as: "x11")
    let points = try session.run("points")
    #expect(points.status == 0, "\(points)\n\(session.complaints)")
    let lines = points.output.split(separator: "\n")
    #expect(lines.first == "\(reached) \(remedy)", "\(points)")
    #expect(lines.contains { $0.hasPrefix("Body text field, in Notes") }, "\(points)")
    #expect(!points.output.contains("Native,"), "\(points)")
    let doctor = try session.run("doctor")
    #expect(
      line("Running programs", doctor)
        == "Running programs: works in part. 1 window can be reached. \(reached) \(remedy)")
    #expect(doctor.status == 69 && !doctor.output.contains("all that is needed"), "\(doctor)")
    let drop = try session.run("drop", "new.txt", "--onto", "Body")
    #expect(drop.status == 0, "\(drop)")
  }

  @Test("W01 The agent promises its chord where it is heard, and complains of no keys")
  func agent() throws {
    let session = try WaylandStage()
    try session.open("Native", as: "wayland")
    let said = try session.agent()
    #expect(
      said.map(\.text) == [
        "In windows of XWayland Ctrl+Alt+Space picks up what is in focus.", "\(reached) \(remedy)",
      ])
  }

  @Test("W01 The chord in a native window says that it is out of reach")
  func chord() throws {
    let session = try WaylandStage()
    try session.open("Native", as: "wayland")
    #expect(try session.chord().text == "\(reached) \(remedy)")
  }

  @Test("W01 Without XWayland the compositor is named, too")
  func withoutXWayland() throws {
    let session = try WaylandStage(hasXWayland: false)
    for command in [["points"], ["desktop"]] {
      let run = try session.stage.run(command, transcript: false)
      #expect(run.status == 69 && run.errors.contains(reached), "\(run)")
    }
    let doctor = try session.run("doctor")
    #expect(doctor.status == 69, "\(doctor)")
    let line = line("Running programs", doctor)
    #expect(line.hasPrefix("Running programs: does not work. There is no X server"), "\(doctor)")
    #expect(line.contains(reached), "\(doctor)")
  }
}
