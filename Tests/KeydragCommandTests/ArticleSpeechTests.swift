import Foundation
import Testing

/// What the library's articles say that a person hears in a sample.
@Suite struct ArticleSpeechTests {
  struct Session: Sendable, CustomTestStringConvertible {
    var sample: String
    var keys: String
    var heard: [String]

    var testDescription: String { "\(sample): \(keys)" }
  }

  /// Every block of the catalogue that is marked "heard: SAMPLE: KEYS".
  static let sessions: [Session] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/KeyDrag/KeyDrag.docc").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().flatMap { name in
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      return text.components(separatedBy: "<!-- heard: ").dropFirst().compactMap {
        part -> Session? in
        let pieces = part.components(separatedBy: "```")
        let mark = pieces[0].components(separatedBy: " -->")[0].components(separatedBy: ": ")
        guard pieces.count > 1, mark.count == 2 else { return nil }
        return Session(
          sample: mark[0], keys: mark[1],
          heard: pieces[1].split(separator: "\n").map(String.init))
      }
    }
  }()

  @Test("Each sample's article has a session in it")
  func all() {
    #expect(Set(Self.sessions.map(\.sample)) == ["contacts", "image", "places"])
    #expect(Self.sessions.allSatisfy { !$0.heard.isEmpty })
  }

  @Test("What an article says is heard is heard", arguments: sessions)
  func heard(_ session: Session) throws {
    let program = try Program()
    var words = ["sample", session.sample, "--keys", session.keys + " :quit"]
    if session.sample == "image" {
      let picture = try #require(Data(base64Encoded: Self.picture))
      try picture.write(to: program.folder.appending(path: "cat.png"))
      words.insert("cat.png", at: 2)
    }
    let result = try program.run(words)
    let heard = session.heard.map { $0 + "\n" }.joined()
    #expect(result.said.contains(heard), "\(result.output)\(result.errors)")
  }

  /// A grey picture, 4 by 3.
  static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAAAAACRn/EaAAAADklEQVR4nGPQAwIGOAEAEDsCKdOHx1UAAAAASUVORK5CYII="
}
