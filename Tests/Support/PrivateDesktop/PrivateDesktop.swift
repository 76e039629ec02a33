import Foundation

/// A desktop of a test's own: a display that nobody sees, a session bus, an accessibility bus and
/// the real Orca, whose speech is written down instead of spoken.
///
/// Everything ends when this is released, and also when the tests are killed.
public final class PrivateDesktop {
  /// What programs of this desktop are started with.
  public private(set) var environment: [String: String]
  /// Everything that the screen reader has said, in order, from the start of the desktop.
  public let speech: HeardSpeech
  /// The session bus; ending it is a test's way to take the bus away.
  public private(set) var bus: KeptProcess?
  public private(set) var reader: KeptProcess?
  private let display: KeptProcess
  private let folder: String

  /// Why no such desktop can be had here; `nil` when it can.
  public static var obstacle: String? {
    let missing = ["orca", "Xvfb", "dbus-daemon", "speech-dispatcher", "python3"].filter {
      access("/usr/bin/" + $0, X_OK) != 0
    }
    let packages = "orca xvfb dbus-daemon speech-dispatcher at-spi2-core"
    return missing.isEmpty
      ? nil : "needs \(missing.joined(separator: ", ")): apt-get install \(packages)"
  }

  /// The folder for what can be made anew, as the one who runs the tests has it.
  private static let cache =
    getenv("XDG_CACHE_HOME").map { String(cString: $0) }
    ?? (getenv("HOME").map { String(cString: $0) } ?? "/tmp") + "/.cache"

  /// Starts the display and the buses; the accessibility bus starts when it is first asked for.
  ///
  /// - Parameters:
  ///   - locale: of what is started, which must be installed or `C.UTF-8`.
  ///   - pace: how long the screen reader takes to say a character, in milliseconds; what it says can
  ///     be cut off then, as a voice's words can.
  public init(locale: String = "C.UTF-8", pace: Int = 0) throws {
    folder = try Self.makeFolder()
    environment = [
      "HOME": folder, "XDG_RUNTIME_DIR": folder + "/run", "XDG_CONFIG_HOME": folder + "/config",
      "XDG_DATA_HOME": folder + "/data", "XDG_CACHE_HOME": folder + "/cache",
      "XDG_STATE_HOME": folder + "/state", "PATH": folder + "/bin:/usr/bin:/bin", "LANG": locale,
      // Nothing is kept between runs, and no settings daemon is started.
      "GSETTINGS_BACKEND": "memory", "GTK_MODULES": "", "TMPDIR": folder,
      // A mount in the folder outlives its program, and the folder can't be removed then.
      "GVFS_DISABLE_FUSE": "1",
      // Orca's sounds have GStreamer look at each of its plug-ins, for seconds, where that is not known.
      "GST_REGISTRY": Self.cache + "/gstreamer-1.0/registry.tests.bin",
    ]
    for name in ["run", "bin", "config", "config/speech-dispatcher", "data", "cache", "state"] {
      mkdir(folder + "/" + name, 0o700)
    }
    try Self.makeUnavailable("org.freedesktop.portal.Documents", folder + "/data")
    // Orca refuses to run beside another one of the same user, which it asks pgrep about; on this
    // desktop it is alone.
    try HeardSpeech.write("#!/bin/sh\n", to: folder + "/bin/pgrep", mode: 0o700)
    speech = try HeardSpeech(folder: folder, pace: pace)
    let log = folder + "/log"
    // Without -noreset a server starts anew when its last client has left, and turns away who comes
    // in that moment: the registry of accessibility, which then ends and forgets who listens.
    display = try KeptProcess(
      [
        "/usr/bin/Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0",
        "1024x768x24",
      ],
      environment: environment, log: log)
    let address = "unix:path=\(folder)/run/bus"
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    environment["DISPLAY"] = ":0"
    bus = nil
    reader = nil
    environment["DISPLAY"] = ":" + (try display.line())
    try startBus()
  }

  deinit {
    reader?.end()
    bus?.end()
    display.end()
    speech.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts a program on this desktop.
  public func start(
    _ command: [String], adding more: [String: String] = [:]
  ) throws -> KeptProcess {
    try KeptProcess(
      command, environment: environment.merging(more) { $1 }, log: folder + "/log")
  }

  /// Starts Orca and returns when it has said that it is there.
  public func startReader() async throws {
    try launchReader()
    try await speech.hear("Screen reader on.")
  }

  /// Starts Orca, the distribution's or another, which says later that it is there.
  public func launchReader(
    _ program: String = "/usr/bin/orca", options: [String] = []
  ) throws {
    reader = try start([program] + options)
  }

  /// Ends Orca the hard way, and all that it started.
  public func killReader() {
    reader?.end()
    reader = nil
  }

  /// Ends the service by which Orca speaks, the hard way, and returns when it is gone; Orca's next words
  /// start it anew.
  public func killSpeechService() throws {
    let file = folder + "/run/speech-dispatcher/pid/speech-dispatcher.pid"
    let number = try String(contentsOfFile: file, encoding: .utf8)
    guard let process = Int32(number.split(whereSeparator: \.isNewline).first ?? ""),
      case let end = Self.end(of: process), end >= 0, kill(process, SIGKILL) == 0
    else { throw KeptProcess.Trouble(description: "speech-dispatcher does not run") }
    // Its connections are closed one after the other: that one of them is says nothing of the others.
    var wait = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    while poll(&wait, 1, -1) < 0, errno == EINTR {}
    close(end)
  }

  /// Readable once a process that need not be a child has ended; negative without one.
  private static func end(of process: Int32) -> Int32 {
    // Glibc's module leaves it out.
    typealias Open = @convention(c) (Int32, UInt32) -> Int32
    guard let open = dlsym(nil, "pidfd_open") else { return -1 }
    return unsafeBitCast(open, to: Open.self)(process, 0)
  }

  /// Starts the session bus, always at the same address; returns when it is there.
  public func startBus() throws {
    let address = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    bus = try start([
      "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
      "--address=" + address, "--print-address=1",
    ])
    _ = try bus?.line()
  }

  /// Starts what programs say who they are to, as a desktop does before the first of them; returns when
  /// it answers. A program of Qt 5 that begins in the same moment may never say anything.
  public func startAccessibility() throws {
    let look = "import pyatspi; print(pyatspi.Registry.getDesktop(0).childCount)"
    let looking = try start(["/usr/bin/python3", "-c", look])
    _ = try looking.line()
  }

  /// Takes the session bus away, and with it the accessibility bus.
  public func killBus() {
    bus?.end()
    bus = nil
  }

  /// Has the display answer nobody any more, until ``continueDisplay()``.
  public func stopDisplay() { display.signal(SIGSTOP) }

  public func continueDisplay() { display.signal(SIGCONT) }

  /// Takes the display away.
  public func killDisplay() { display.end() }

  /// What went wrong in the programs of this desktop, in their own words.
  public var complaints: String { KeptProcess.end(of: folder + "/log") }

  // MARK: Files

  /// Has a service of the session bus fail at once rather than start; this one is a mount, too.
  private static func makeUnavailable(_ service: String, _ data: String) throws {
    mkdir(data + "/dbus-1", 0o700)
    mkdir(data + "/dbus-1/services", 0o700)
    try HeardSpeech.write(
      "[D-BUS Service]\nName=\(service)\nExec=/bin/false\n",
      to: "\(data)/dbus-1/services/\(service).service", mode: 0o600)
  }

  /// A short path: a socket's name has room for 107 bytes.
  private static func makeFolder() throws -> String {
    var name = Array("/tmp/desktop.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw KeptProcess.Trouble(description: "no folder: errno \(errno)")
    }
    return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
