import Foundation
import Testing

@testable import KeyDragLocale

/// The forms that catalogues pick, against the rules of CLDR.
@Suite("Plural forms")
struct PluralTests {
  private static let counts = Array(0...200) + [1_000, 1_000_000]

  /// Debian's own interpreter, which python3-babel is installed for.
  private static let python = "/usr/bin/python3"
  private static let hasBabel =
    (try? Finished(python, ["-c", "import babel"]).status) == 0

  /// Which of the forms that whole numbers have in a language each count takes.
  private static let referee = """
    import sys
    from babel import Locale
    order = ["zero", "one", "two", "few", "many", "other"]
    rule = Locale.parse(sys.argv[1]).plural_form
    used = {rule(n) for n in [*range(1001), 1000000, 2000000]}
    forms = [name for name in order if name in used]
    print(len(forms), *[forms.index(rule(int(n))) for n in sys.argv[2:]])
    """

  /// The header of the language's own catalogue, or the one that tests use where there is none yet.
  private static func rule(_ language: String) throws -> String {
    guard let text = try? Project.text("Localization/\(language).po") else {
      return try #require(Fixture.plurals[language])
    }
    // A long line of the header is wrapped.
    let header = text.replacing("\"\n\"", with: "")
    let line = try #require(header.firstMatch(of: /Plural-Forms: ([^\\]*)\\n/))
    return String(line.output.1)
  }

  @Test(
    "H12: the form that a catalogue picks is the one that CLDR picks",
    .enabled(if: hasBabel, "python3-babel is not installed"),
    arguments: Set(Fixture.plurals.keys).union(Project.languages).sorted())
  func forms(language: String) throws {
    let counts = Self.counts
    let answer = try Finished(
      Self.python, ["-c", Self.referee, language] + counts.map { "\($0)" })
    try #require(answer.status == 0, "\(answer.errors)")
    let numbers = answer.output.split { $0.isWhitespace }.compactMap { Int($0) }
    try #require(numbers.count == counts.count + 1)
    let rule = try Self.rule(language)
    #expect(rule.contains("nplurals=\(numbers[0]);"), "\(rule)")
    let translations = (0..<numbers[0]).map { "msgstr[\($0)] \"%1$@ form \($0)\"\n" }.joined()
    let catalogue = try #require(
      try Fixture.open([
        language: Fixture.catalogue(
          language, plural: rule, "msgid \"%1$@ one\"\nmsgid_plural \"%1$@ other\"\n" + translations
        )
      ])[language])
    for (count, form) in zip(counts, numbers.dropFirst()) {
      let text = catalogue.sentence(one: "%1$@ one", other: "%1$@ other", count: count)
      #expect(text == "%1$@ form \(form)", "\(count)")
    }
  }
}
