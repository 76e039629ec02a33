import Foundation
import Testing

@testable import KeyDragSpeech

/// A service that answers as a test wants it to.
private final class ToldService: Sendable {
  let path: String

  /// - Parameter end: what is answered to a text, after its last line.
  init(answering end: String) throws {
    var template = Array("/tmp/keydrag-ssip-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    path = folder + "/speechd.sock"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 1) == 0)
    Thread.detachNewThread { Self.serve(listener, end) }
  }

  deinit {
    unlink(path)
    rmdir(String(path.dropLast("/speechd.sock".count)))
  }

  private static func serve(_ listener: Int32, _ end: String) {
    let descriptor = accept(listener, nil, nil)
    close(listener)
    defer { close(descriptor) }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1 {
      guard byte == 10 else {
        line.append(byte)
        continue
      }
      let words = String(decoding: line.filter { $0 != 13 }, as: UTF8.self)
      line = []
      let answer =
        switch words {
        case "SPEAK": "230 OK RECEIVING DATA\r\n"
        case ".": end
        case _ where words.hasPrefix("SET"): "208 OK\r\n"
        case "CANCEL SELF": "210 OK STOPPED\r\n"
        default: ""
        }
      _ = answer.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }
  }
}

@Suite("What speech-dispatcher tells of a text")
struct SpeechClientTests {
  private static func event(_ number: Int, of message: Int) -> String {
    "\(number)-\(message)\r\n\(number)-1\r\n\(number) EVENT\r\n"
  }

  private static let queued = "225-21\r\n225 OK MESSAGE QUEUED\r\n"

  @Test(
    "An end that is told before the number of its text is not missed, and no other text's is taken",
    arguments: [
      (event(701, of: 21) + event(702, of: 21) + queued, true),
      (event(701, of: 21) + event(703, of: 21) + queued, true),
      (event(702, of: 20) + queued, false), (event(701, of: 21) + queued, false),
    ])
  func early(answer: String, isOver: Bool) throws {
    let told = try ToldService(answering: answer)
    let service = try #require(
      SpeechService(environment: ["SPEECHD_ADDRESS": "unix_socket:\(told.path)"]))
    let client = try #require(SpeechClient(service))
    client.say("Moved.", in: "en")
    #expect(client.takeEnd() == isOver)
    #expect(!client.isLost)
  }

  @Test("Without sound nothing begins: that is told also where each text is cut off soon")
  func silent() throws {
    let told = try ToldService(answering: Self.queued)
    let service = try #require(
      SpeechService(environment: ["SPEECHD_ADDRESS": "unix_socket:\(told.path)"]))
    let client = try #require(SpeechClient(service, startPatience: 0.05))
    var texts = 0
    repeat {
      client.stop()
      client.say("Docs.", in: "en")
      texts += 1
    } while !client.takeEnd() && !client.isLost && texts < 100_000
    #expect(client.isLost && texts > 1)
  }
}
