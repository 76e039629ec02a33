import Glibc
import KeyDragCore
import Testing

@testable import keydrag

@Suite("What the agent writes where it is kept")
struct AgentLogTests {
  private let phrases = Phrasebook(catalogue: SourceCatalogue())

  /// A socket, with what systemd calls it.
  private func withStream(_ body: (Int32, String) -> Void) throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var status = stat()
    try #require(fstat(ends[0], &status) == 0)
    body(ends[0], "\(status.st_dev):\(status.st_ino)")
  }

  @Test("The journal is known by the name that systemd gives it; other streams get the messages")
  func stream() throws {
    try withStream { descriptor, name in
      let isLog = { (variables: [String: String], isCaptured: Bool) in
        AgentLog(isCaptured: isCaptured, environment: variables, descriptor: descriptor) != nil
      }
      #expect(isLog(["JOURNAL_STREAM": name], false))
      #expect(!isLog([:], false))
      #expect(!isLog(["JOURNAL_STREAM": "8:1"], false))
      #expect(!isLog(["JOURNAL_STREAM": ""], false))
      // What a desktop starts is kept by it, whatever it is.
      #expect(isLog([:], true))
    }
  }

  @Test("A line has the id, the operation, counts and the reason, and no name and no sentence")
  func lines() {
    let failed = Announcement.failed(names: ["secret-name"], count: 1, .noSpace)
    #expect(AgentLog.line(failed, phrases) == "<4>failed count=1 reason=no-space")
    let delivering = Announcement.delivering(
      .move, names: ["secret-name"], count: 2, bytes: 5)
    #expect(AgentLog.line(delivering, phrases) == "<6>delivering operation=move count=2 bytes=5")
    let problem = Announcement.problem(
      .configuration(file: "/home/secret-name", line: 1, column: 2, detail: "secret-name"))
    #expect(AgentLog.line(problem, phrases) == "<4>problem what=configuration")
    #expect(AgentLog.line(.noMatch(text: "secret-name"), phrases) == "<6>no-match")
  }
}
