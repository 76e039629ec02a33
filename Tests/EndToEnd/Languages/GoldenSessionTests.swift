import FoundationEssentials
import RealPrograms
import Testing
import Thorough

/// One whole session in each language, as a listener hears it, against the words that a reader of that
/// language has looked through.
///
/// With `KEYDRAG_WRITE_GOLDEN=1` in the environment the files are written anew instead; the change
/// then stands in the version history, to be read.
@Suite("A whole session in each language", .realPrograms(by: .test))
struct GoldenSessionTests {
  static let languages = [
    "en", "de", "fr", "es", "it", "pt_BR", "nl", "sv", "pl", "cs", "ru", "uk", "tr", "el", "ar",
    "he", "hi", "ja", "zh_CN", "ko",
  ]

  /// What is heard, and in "keys" what is pressed: browsing, selecting, a refusal, a question, outcomes,
  /// undo and what goes wrong. Nothing is said of a folder whose change by an earlier step may still be
  /// on its way. Packaging/try-deb plays the same with the installed program.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden")

  @Test(
    "K19, K20: what is said is what was read and found good",
    arguments: Thorough.cases(ordinarily: 4, of: languages))
  func session(language: String) throws {
    let stage = try Stage(
      "Inbox/Sorted/x.txt", "Inbox/notes.txt", "Inbox/photo.png", "Inbox/song.mp3",
      "Inbox/letter.txt", "Docs/notes.txt", "Empty/")
    let keys = try String(
      decoding: Data(contentsOf: Self.folder.appending(path: "keys")), as: UTF8.self
    ).split(separator: "\n").joined(separator: " ")
    let run = try stage.files(
      "Inbox", "Docs", "Empty", keys: keys, options: ["--lang", language])
    #expect(run.errors == "")
    let tag = language.replacing("_", with: "-")
    #expect(run.records.announcements.allSatisfy { $0["lang"] == .text(tag) })
    let heard = run.records.atAnySpeed.map { record in
      let spoken = record["spoken"].map { "\n  \($0)" } ?? ""
      return "\(record.id): \(record.text)\(spoken)\n"
    }.joined()
    let golden = Self.folder.appending(path: "\(language).txt")
    if ProcessInfo.processInfo.environment["KEYDRAG_WRITE_GOLDEN"] != nil {
      try Data(heard.utf8).write(to: golden)
    }
    let expected = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
    #expect(
      heard.split(separator: "\n") == expected.split(separator: "\n"), "\(golden.lastPathComponent)"
    )
  }
}
