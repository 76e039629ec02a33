import Glibc
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite(
  "Asking programs for accessibility", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct AccessibilityActivationTests {
  /// Works the session's properties in a process of its own: "get NAME", "on NAME" and "off NAME".
  private static let status = """
    import sys
    from gi.repository import Gio, GLib
    verb, name = sys.argv[1:]
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    def call(member, kind, *values):
        return session.call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", member,
            GLib.Variant(kind, ("org.a11y.Status", name, *values)), None, 0, -1, None)
    if verb != "get":
        call("Set", "(ssv)", GLib.Variant("b", verb == "on"))
    print(call("Get", "(ss)").unpack()[0])
    """

  /// What the property is after this was done to it.
  @discardableResult
  private func status(
    _ verb: String = "get", _ name: String = "IsEnabled", on desktop: PrivateDesktop
  ) throws -> Bool {
    try desktop.start(["/usr/bin/python3", "-c", Self.status, verb, name]).line() == "True"
  }

  private func activation(_ desktop: PrivateDesktop) -> AccessibilityActivation {
    AccessibilityActivation(environment: desktop.environment)
  }

  @Test("T12 It is on from the first to the last who ask, and off again behind them")
  func several() async throws {
    let desktop = try PrivateDesktop()
    let (agent, command) = (activation(desktop), activation(desktop))
    #expect(await agent.begin() == .switchedOn)
    #expect(try status(on: desktop))
    #expect(await command.begin() == .wasOn)
    await command.end()
    #expect(try status(on: desktop))
    // The duty goes to whoever came later, in whatever order they end.
    let later = activation(desktop)
    #expect(await later.begin() == .wasOn)
    await agent.end()
    #expect(try status(on: desktop))
    await later.end()
    #expect(try !status(on: desktop))
    // And once more, now that the launcher runs.
    let again = activation(desktop)
    #expect(await again.begin() == .switchedOn)
    await again.end()
    #expect(try !status(on: desktop))
  }

  @Test("T12 Two that ask in the same moment leave it as it was when both have ended")
  func together() async throws {
    let desktop = try PrivateDesktop()
    for _ in 0..<5 {
      let all = (0..<4).map { _ in activation(desktop) }
      await withTaskGroup(of: Void.self) { group in
        for one in all { group.addTask { _ = await one.begin() } }
      }
      #expect(try status(on: desktop))
      await withTaskGroup(of: Void.self) { group in
        for one in all { group.addTask { await one.end() } }
      }
      #expect(try !status(on: desktop))
    }
  }

  @Test("T12 What the person has switched on stays on")
  func wasOn() async throws {
    let desktop = try PrivateDesktop()
    try status("on", on: desktop)
    for _ in 0..<2 {
      let activation = activation(desktop)
      #expect(await activation.begin() == .wasOn)
      await activation.end()
      #expect(try status(on: desktop))
    }
  }

  @Test("T12 What was switched off and on by somebody else meanwhile stays as it is")
  func changed() async throws {
    let desktop = try PrivateDesktop()
    let activation = activation(desktop)
    #expect(await activation.begin() == .switchedOn)
    #expect(try !status("off", on: desktop))
    #expect(try status("on", on: desktop))
    await activation.end()
    #expect(try status(on: desktop))
  }

  @Test("T12 It stays on for a screen reader that came meanwhile")
  func reader() async throws {
    let desktop = try PrivateDesktop()
    let activation = activation(desktop)
    #expect(await activation.begin() == .switchedOn)
    try status("on", "ScreenReaderEnabled", on: desktop)
    await activation.end()
    #expect(try status(on: desktop))
  }

  @Test("T12 It stays on for another assistive program that listens on the bus")
  func listener() async throws {
    let desktop = try PrivateDesktop()
    let activation = activation(desktop)
    #expect(await activation.begin() == .switchedOn)
    let listener = try desktop.start(DesktopPrograms.plainListener)
    #expect(try listener.line() == "ready")
    await activation.end()
    #expect(try status(on: desktop))
  }

  @Test("T12 What the tests themselves listen for is no other assistive program")
  func own() async throws {
    let desktop = try PrivateDesktop()
    let activation = activation(desktop)
    #expect(await activation.begin() == .switchedOn)
    let bus = ProgramReader(environment: desktop.environment)
    await bus.follow()
    await activation.end()
    #expect(try !status(on: desktop))
  }

  @Test("T12 Switching it on makes nobody believe that a screen reader runs")
  func noReader() async throws {
    let desktop = try PrivateDesktop()
    let activation = activation(desktop)
    #expect(await activation.begin() == .switchedOn)
    let reader = ScreenReader(environment: desktop.environment)
    reader.settle(within: 10)
    #expect(reader.facts.hasAccessibilityBus && reader.facts.rung == nil)
    reader.finish()
    await activation.end()
  }

  @Test("T12 Without a session bus nothing is asked")
  func noBus() async throws {
    let none = AccessibilityActivation(environment: [:])
    #expect(await none.begin() == .unavailable)
    await none.end()
    let gone = AccessibilityActivation(
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
    #expect(await gone.begin() == .unavailable)
    await gone.end()
  }

  @Test("T12 A session bus that lets nobody in is not waited for without end")
  func hungBus() async throws {
    let path = "/tmp/keydrag-hung-\(getpid())"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listening, 4) == 0)
    defer {
      close(listening)
      unlink(path)
    }
    let activation = AccessibilityActivation(
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)"])
    #expect(await activation.begin() == .unavailable)
    await activation.end()
  }

  @Test("T12 A session bus that is lost leaves nobody waiting, before the end or in it")
  func lostBus() async throws {
    for _ in 0..<3 {
      let desktop = try PrivateDesktop()
      let activation = activation(desktop)
      #expect(await activation.begin() == .switchedOn)
      async let end: Void = activation.end()
      desktop.killBus()
      await end
    }
  }
}
