import KeyDragCore
import Testing

@testable import KeyDragLocale

/// Words from compiled catalogues.
@Suite("Words from a catalogue")
struct GettextCatalogueTests {
  private static let forms = #"""
    msgctxt "key"
    msgid "End"
    msgstr "Ende"

    msgctxt "end of a list"
    msgid "End"
    msgstr "Schluss"

    msgid "%1$@ to %2$@."
    msgstr "Nach %2$@: %1$@, größer."

    msgid "50% of %1$@"
    msgstr "50% von %1$@"


    """#

  private static let opened = Result {
    try Fixture.open(
      [
        "de": Fixture.catalogue("de", forms + badForms),
        "pl": Fixture.catalogue(
          "pl",
          #"""
          msgid "%1$@ file"
          msgid_plural "%1$@ files"
          msgstr[0] "%1$@ plik"
          msgstr[1] "%1$@ pliki"
          msgstr[2] "%1$@ plików"
          """#),
        "ar": Fixture.catalogue(
          "ar",
          #"""
          msgid "%1$@ file"
          msgid_plural "%1$@ files"
          msgstr[0] "لا ملفات"
          msgstr[1] "ملف واحد"
          msgstr[2] "ملفان"
          msgstr[3] "%1$@ ملفات"
          msgstr[4] "%1$@ ملفًا"
          msgstr[5] "%1$@ ملف"
          """#),
        "ja": Fixture.catalogue(
          "ja",
          #"""
          msgid "Picked up %1$@."
          msgstr "%1$@を｜掴《つか》みました。"

          msgid "Lost %1$@."
          msgstr "｜%1$@《なに》を失いました。"
          """#),
        "pt_BR": Fixture.catalogue("pt_BR", "msgid \"Yes\"\nmsgstr \"Sim\"\n"),
      ])
  }

  private static func catalogue(_ language: String) throws -> GettextCatalogue {
    try #require(try opened.get()[language])
  }

  @Test("A sentence is given in the language, with its placeholders where that wants them")
  func sentence() throws {
    let german = try Self.catalogue("de")
    #expect(german.sentence("%1$@ to %2$@.", context: nil) == "Nach %2$@: %1$@, größer.")
    #expect(german.sentence("50% of %1$@", context: nil) == "50% von %1$@")
  }

  @Test("Two meanings of one source are told apart by their context")
  func context() throws {
    let german = try Self.catalogue("de")
    #expect(german.sentence("End", context: "key") == "Ende")
    #expect(german.sentence("End", context: "end of a list") == "Schluss")
    #expect(german.sentence("End", context: nil) == "End")
  }

  @Test("What a catalogue does not hold is said as the source says it")
  func missing() throws {
    let german = try Self.catalogue("de")
    #expect(german.sentence("Never seen.", context: nil) == "Never seen.")
    #expect(german.sentence("", context: nil) == "")
    #expect(german.sentence(one: "%1$@ cat", other: "%1$@ cats", count: 1) == "%1$@ cat")
    #expect(german.sentence(one: "%1$@ cat", other: "%1$@ cats", count: 0) == "%1$@ cats")
    #expect(german.sentence(one: "", other: "", count: 2) == "")
  }

  @Test(
    "H12: a count takes the plural form of its language",
    arguments: [
      ("pl", 0, "0 plików"), ("pl", 1, "1 plik"), ("pl", 2, "2 pliki"), ("pl", 5, "5 plików"),
      ("pl", 11, "11 plików"), ("pl", 12, "12 plików"), ("pl", 22, "22 pliki"),
      ("pl", 100, "100 plików"), ("ar", 0, "لا ملفات"), ("ar", 1, "ملف واحد"), ("ar", 2, "ملفان"),
      ("ar", 5, "5 ملفات"), ("ar", 11, "11 ملفًا"), ("ar", 100, "100 ملف"),
    ])
  func plurals(language: String, count: Int, expected: String) throws {
    let book = Phrasebook(catalogue: try Self.catalogue(language))
    #expect(book.plural("%1$@ file", "%1$@ files", count) == expected)
  }

  @Test("Several languages work in one process, each with its own tag")
  func several() throws {
    let languages = try ["de", "pl", "ar", "ja", "pt_BR"].map { try Self.catalogue($0).language }
    #expect(languages == ["de", "pl", "ar", "ja", "pt-BR"])
    for _ in 0..<3 {
      #expect(try Self.catalogue("de").sentence("End", context: "key") == "Ende")
      #expect(try Self.catalogue("pt_BR").sentence("Yes", context: nil) == "Sim")
      #expect(
        try Self.catalogue("pl").sentence(one: "%1$@ file", other: "%1$@ files", count: 3)
          == "%1$@ pliki")
    }
  }

  @Test("Many threads may ask at once")
  func threads() async throws {
    let (german, polish) = (try Self.catalogue("de"), try Self.catalogue("pl"))
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          german.sentence("End", context: number % 2 == 0 ? "key" : "end of a list")
            == (number % 2 == 0 ? "Ende" : "Schluss")
            && polish.sentence(one: "%1$@ file", other: "%1$@ files", count: 5) == "%1$@ plików"
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test("A reading is spoken, and what it stands beside is shown")
  func readings() throws {
    let japanese = try Self.catalogue("ja")
    #expect(japanese.sentence("Picked up %1$@.", context: nil) == "%1$@を掴みました。")
    #expect(japanese.spoken.sentence("Picked up %1$@.", context: nil) == "%1$@をつかみました。")
    #expect(japanese.spoken.language == "ja")
  }

  @Test("A reading that loses a placeholder is not spoken")
  func readingWithoutPlaceholder() throws {
    let japanese = try Self.catalogue("ja")
    #expect(japanese.sentence("Lost %1$@.", context: nil) == "%1$@を失いました。")
    #expect(japanese.spoken.sentence("Lost %1$@.", context: nil) == "Lost %1$@.")
  }

  // MARK: What is not used

  /// Not marked as formats, so that msgfmt lets them pass: such a file may come from anywhere.
  private static let badForms = #"""
    msgid "Left out %1$@."
    msgstr "Weggelassen."

    msgid "Too many %1$@."
    msgstr "%1$@ %2$@"

    msgid "Other kind %1$@."
    msgstr "%1$s"

    msgid "None."
    msgstr "%9$@"

    msgid "Escape."
    msgstr "\033[2J"

    msgid "Line."
    msgstr "eins\nzwei"

    msgid "Turned."
    msgstr "\#u{202E}gedreht"

    msgid "Long."
    msgstr "\#(String(repeating: "ä", count: 1_001))"

    msgid "Just fits."
    msgstr "\#(String(repeating: "ä", count: 1_000))"

    msgid "%2$@ thing in %1$@"
    msgid_plural "%2$@ things in %1$@"
    msgstr[0] "ein Ding in %1$@"
    msgstr[1] "%2$@ Dinge"
    """#

  @Test(
    "A translation that is not safe or has other placeholders is not used",
    arguments: [
      "Left out %1$@.", "Too many %1$@.", "Other kind %1$@.", "None.", "Escape.", "Line.",
      "Turned.", "Long.",
    ])
  func unused(source: String) throws {
    let german = try Self.catalogue("de")
    #expect(german.sentence(source, context: nil) == source)
    #expect(german.spoken.sentence(source, context: nil) == source)
  }

  @Test("A translation of 2,000 bytes is used")
  func longest() throws {
    let text = try Self.catalogue("de").sentence("Just fits.", context: nil)
    #expect(text.utf8.count == 2_000)
  }

  @Test("A plural form may leave out the count, and nothing else")
  func pluralPlaceholders() throws {
    let german = try Self.catalogue("de")
    let (one, other) = ("%2$@ thing in %1$@", "%2$@ things in %1$@")
    #expect(german.sentence(one: one, other: other, count: 1) == "ein Ding in %1$@")
    #expect(german.sentence(one: one, other: other, count: 2) == other)
  }
}
