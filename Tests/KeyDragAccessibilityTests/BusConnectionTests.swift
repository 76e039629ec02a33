import Glibc
import PrivateDesktop
import RealPrograms
import Synchronization
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite(
  "Connections to a bus", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(2)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct BusConnectionTests {
  private static let bus = "org.freedesktop.DBus"
  private static let names = BusCall(
    path: "/org/freedesktop/DBus", interface: bus, member: "ListNames")

  private let desktop: PrivateDesktop
  private let address: String

  init() throws {
    desktop = try PrivateDesktop()
    address = try #require(BusAddress.session(desktop.environment))
  }

  private func open(
    _ address: String, on thread: BusThread, within milliseconds: UInt32 = 5_000
  ) async -> BusConnection? {
    await withCheckedContinuation { continuation in
      thread.run {
        BusConnection.open(address, on: thread, within: milliseconds) {
          continuation.resume(returning: $0)
        }
      }
    }
  }

  @Test("A connection that is let go elsewhere while it is read ends on its own thread")
  func letGo() async throws {
    for _ in 0..<100 {
      let thread = BusThread()
      let connection = try #require(await open(address, on: thread))
      thread.run {
        for _ in 0..<20 { connection.ask(Self.bus, Self.names, limit: 100) { _ in } }
      }
      connection.close()
      thread.stop()
    }
  }

  @Test("What a thread may be using is let go of when it is done, though it was told to stop")
  func release() async {
    let thread = BusThread()
    let order = await withCheckedContinuation { continuation in
      thread.run {
        let steps = Mutex<[String]>([])
        thread.stop()
        thread.release { continuation.resume(returning: steps.withLock { $0 + ["released"] }) }
        // The rest of what the thread was doing when it was told to stop.
        steps.withLock { $0.append("done") }
      }
    }
    #expect(order == ["done", "released"])
    await confirmation("an ended thread uses nothing") { isReleased in
      thread.release { isReleased() }
    }
  }

  @Test("What waits on a connection that is closed is silent, and who listens for its end hears it")
  func closed() async throws {
    let (thread, unread) = (BusThread(), BusThread())
    defer { thread.stop() }
    let connection = try #require(await open(address, on: thread))
    let other = try #require(await open(address, on: unread))
    // Whoever is not read any more never answers.
    unread.stop()
    async let end: Void = withCheckedContinuation { continuation in
      thread.run { connection.onClosed { continuation.resume() } }
    }
    let answer = await withCheckedContinuation { continuation in
      thread.run {
        connection.ask(other.name, .ping, within: nil) { continuation.resume(returning: $0) }
        connection.close()
      }
    }
    #expect(answer == .silence)
    await end
    #expect(connection.isClosed)
    #expect(!connection.emit(path: "/a", interface: "a.b", name: "C", []))
    withExtendedLifetime(other) {}
  }

  @Test(
    "Nobody at an address is nothing",
    arguments: ["unix:path=/nowhere/bus", "unix:abstract=", "", "nonsense", "unix:path=\u{1}"])
  func nobody(address: String) async {
    let thread = BusThread()
    defer { thread.stop() }
    #expect(await open(address, on: thread) == nil)
  }

  @Test("One who lets in and says no more is nobody")
  func mute() async {
    let name = "keydrag-mute-\(getpid())"
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(socket) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    // In the abstract space: a zero byte before the name.
    withUnsafeMutableBytes(of: &place.sun_path) { $0[1...].copyBytes(from: name.utf8) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
    let isBound = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    }
    #expect(isBound == 0 && listen(socket, 4) == 0)
    let thread = BusThread()
    defer { thread.stop() }
    #expect(await open("unix:abstract=" + name, on: thread, within: 200) == nil)
  }
}
