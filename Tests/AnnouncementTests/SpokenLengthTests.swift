import Foundation
import KeyDragLocale
import Testing

@testable import KeyDragCore
@testable import KeyDragSpeech

/// How long a listener is held up, in seconds of sound at 300 words a minute.
@Suite("The length of what is said")
struct SpokenLengthTests {
  /// All but what is asked for and can be cut off, and what is said once at the start of a run.
  private static let sudden = AnnouncementSamples.all.filter { announcement in
    if case .choice(.help, _, _, _) = announcement { return false }
    return !["help", "details", "facts", "holding", "completed", "problem", "recovered", "lesson"]
      .contains(announcement.id)
  }

  /// English alone, or all with KEYDRAG_ALL_LANGUAGES, which takes two minutes and prints the table.
  private static let languages =
    ProcessInfo.processInfo.environment["KEYDRAG_ALL_LANGUAGES"] == nil
    ? ["en"] : ["en"] + CatalogueTests.languages

  /// Each message with its seconds of sound, the longest first.
  private func lengths(
    _ verbosity: Verbosity, language: String, rate: Int = 300
  ) async throws -> [(text: String, seconds: Double)] {
    let catalogue: any Catalogue =
      language == "en" ? SourceCatalogue() : try CatalogueTests.catalogue(language)
    let phrases = Phrasebook(catalogue: catalogue, verbosity: verbosity).spoken
    let texts = Set(Self.sudden.map(phrases.text)).sorted()
    let seconds: [Double]? = await withCheckedContinuation { continuation in
      EspeakExecutor.shared.submit { library in
        continuation.resume(
          returning: library.map { library in
            texts.map { text in
              var samples = 0
              _ = UtteranceSamples.make(
                Utterance(text: text, language: language), with: library,
                settings: SpeechSettings(rate: rate)
              ) { block in
                samples += block.count
                return true
              }
              return Double(samples) / Double(library.sampleRate)
            }
          })
      }
    }
    let found = try #require(seconds, "espeak-ng's voice data was not found")
    return zip(texts, found).map { ($0, $1) }.sorted { $0.1 > $1.1 }
  }

  @Test(
    "K19: names that differ in brackets or an underscore sound different",
    arguments: ["en"] + CatalogueTests.languages)
  func signs(language: String) throws {
    let catalogue: any Catalogue =
      language == "en" ? SourceCatalogue() : try CatalogueTests.catalogue(language)
    let settings = SpeechSettings(
      spokenCharacterNames: Phrasebook(catalogue: catalogue).spoken.silentSigns)
    func letters(_ name: String) -> String {
      RunSynthesizer.of(name, language: language, settings: settings).map(\.text).joined()
        .filter { $0.isLetter || $0.isNumber }
    }
    for (name, other) in [
      ("report (2).pdf", "report 2.pdf"), ("a_b.txt", "a b.txt"), ("[a].txt", "a.txt"),
      ("{a}", "a"), ("(a", "a)"),
    ] {
      #expect(letters(name) != letters(other), "\(name)")
    }
  }

  @Test(
    "K21: in brief a message takes 2.5 seconds at the most, in full 6",
    arguments: languages, Verbosity.allCases)
  func bounds(language: String, verbosity: Verbosity) async throws {
    let all = try await lengths(verbosity, language: language)
    let longest = verbosity == .brief ? 2.5 : 6.0
    let over = all.filter { $0.seconds > longest }
    #expect(over.isEmpty, "\(over.map { "\($0.seconds.formatted()) \($0.text)" })")
    guard Self.languages.count > 1 else { return }
    let usual = try await lengths(verbosity, language: language, rate: 175)
    func row(_ list: [(text: String, seconds: Double)]) -> String {
      [list[list.count / 2], list[list.count / 10], list[0]]
        .map { String(format: "%.1f", $0.seconds) }.joined(separator: " ")
    }
    print(
      language, verbosity.rawValue, "300: \(row(all))", "175: \(row(usual))",
      "over \(over.count) of \(all.count)")
  }
}
