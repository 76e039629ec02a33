import Glibc
import Testing

@testable import KeyDragSpeech

@Suite("The service by which screen readers speak")
struct SpeechServiceTests {
  /// A socket that takes one in and reads what is sent.
  private final class Listener: Sendable {
    let path: String
    private let descriptor: Int32

    init() {
      path = "/tmp/keydrag-speech-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(result == 0)
      #expect(listen(descriptor, 4) == 0)
    }

    deinit {
      close(descriptor)
      unlink(path)
    }

    /// Takes in who came first, and closes the connection, as the service does by its end.
    func turnAway() { close(accept(descriptor, nil, nil)) }

    /// What the first who came has sent.
    func line() -> String {
      let guest = accept(descriptor, nil, nil)
      defer { close(guest) }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = recv(guest, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
  }

  @Test("It is asked to say no more, also when it does not answer")
  func silence() throws {
    let listener = Listener()
    let service = try #require(
      SpeechService(environment: ["SPEECHD_ADDRESS": "unix_socket:" + listener.path]))
    service.silence()
    #expect(listener.line() == "CANCEL ALL\r\n")
  }

  @Test("One that does not run is not waited for")
  func absent() throws {
    let service = try #require(SpeechService(environment: ["XDG_RUNTIME_DIR": "/nowhere"]))
    let start = ContinuousClock.now
    service.silence()
    #expect(!service.answers())
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("H14 its end is noticed once each time, also where it runs anew by then")
  func end() throws {
    let listener = Listener()
    let watch = try #require(
      SpeechWatch(environment: ["SPEECHD_ADDRESS": "unix_socket:" + listener.path]))
    for _ in 0..<2 { #expect(!watch.hasEnded()) }
    for _ in 0..<2 {
      listener.turnAway()
      #expect(watch.hasEnded())
      #expect(!watch.hasEnded())
    }
    listener.turnAway()
    unlink(listener.path)
    for _ in 0..<2 { #expect(watch.hasEnded()) }
  }

  @Test(
    "Where it is reached in another way, it is left alone",
    arguments: [[:], ["SPEECHD_ADDRESS": "inet_socket:localhost:6560", "XDG_RUNTIME_DIR": "/run"]])
  func elsewhere(environment: [String: String]) {
    #expect(SpeechService(environment: environment) == nil)
  }

  @Test("A path that is too long is nobody's")
  func long() throws {
    let path = String(repeating: "a", count: 200)
    let service = try #require(
      SpeechService(environment: ["SPEECHD_ADDRESS": "unix_socket:" + path]))
    service.silence()
  }
}
