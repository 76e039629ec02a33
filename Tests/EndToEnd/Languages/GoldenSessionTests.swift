import FoundationEssentials
import RealPrograms
import Testing

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

  /// Browsing, selecting, a refusal, a question, outcomes, undo and what goes wrong. Nothing is said of
  /// a folder whose change by an earlier step may still be on its way.
  private static let keys = [
    #"? down escape ?"zz" backspace ctrl+t ctrl+a ctrl+a f11"#,
    #""song" f9 down down down down escape f5 escape ctrl+r escape . ."#,
    #"tab tab f2 space shift+tab shift+tab"#,
    #""notes" space f2 f8 home f8 shift+tab "docs" f6 f7 f7 f2 enter down down up up enter"#,
    #"ctrl+z ctrl+y "photo" space "docs" enter"#,
    #""song" space ctrl+t "letter" space ctrl+d delete end tab enter ctrl+z ctrl+z ctrl+z ctrl+z"#,
    "ctrl+q",
  ].joined(separator: " ")

  @Test("K19, K20: what is said is what was read and found good", arguments: languages)
  func session(language: String) throws {
    let stage = try Stage(
      "Inbox/Sorted/x.txt", "Inbox/notes.txt", "Inbox/photo.png", "Inbox/song.mp3",
      "Inbox/letter.txt", "Docs/notes.txt", "Empty/")
    let run = try stage.files(
      "Inbox", "Docs", "Empty", keys: Self.keys, options: ["--lang", language])
    #expect(run.errors == "")
    let tag = language.replacing("_", with: "-")
    #expect(run.records.announcements.allSatisfy { $0["lang"] == .text(tag) })
    let heard = run.records.atAnySpeed.map { record in
      let spoken = record["spoken"].map { "\n  \($0)" } ?? ""
      return "\(record.id): \(record.text)\(spoken)\n"
    }.joined()
    let golden = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(language).txt")
    if ProcessInfo.processInfo.environment["KEYDRAG_WRITE_GOLDEN"] != nil {
      try Data(heard.utf8).write(to: golden)
    }
    let expected = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
    #expect(
      heard.split(separator: "\n") == expected.split(separator: "\n"), "\(golden.lastPathComponent)"
    )
  }
}
