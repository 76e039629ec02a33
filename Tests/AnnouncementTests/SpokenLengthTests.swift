import Foundation
import KeyDragLocale
import Testing
import Thorough

@testable import KeyDragCore
@testable import KeyDragSpeech

/// How long a listener is held up, in seconds of sound at 300 words a minute.
@Suite("The length of what is said")
struct SpokenLengthTests {
  /// All but what is asked for and can be cut off, and what is said once in a run.
  private static let sudden = AnnouncementSamples.all.filter { announcement in
    if case .choice(.help, _, _, _) = announcement { return false }
    return !["help", "details", "facts", "holding", "completed", "problem", "recovered", "lesson"]
      .contains(announcement.id)
  }

  private static let languages = ["en"] + CatalogueTests.languages
  /// Languages in which every message is measured, or "all", which prints the table.
  private static let whole =
    ProcessInfo.processInfo.environment["KEYDRAG_SPOKEN_LENGTHS"]?.split(separator: ",") ?? []
  private static let measured =
    whole.isEmpty ? Thorough.cases(ordinarily: 5, of: languages) : languages

  /// Each message with its seconds of sound, the longest first. A number counts as long as in English:
  /// "21:31" takes 1.3 seconds in Arabic and 0.7 in English, in words that nobody can choose.
  ///
  /// - Parameter count: how many are measured: those with the most phonemes among the longest to read.
  private func lengths(
    _ verbosity: Verbosity, language: String, rate: Int = 300, count: Int
  ) async throws -> [(text: String, seconds: Double)] {
    let catalogue: any Catalogue =
      language == "en" ? SourceCatalogue() : try CatalogueTests.catalogue(language)
    let phrases = Phrasebook(catalogue: catalogue, verbosity: verbosity).spoken
    // In translation the first words of a run are left out, too.
    let messages = Self.sudden.filter { language == "en" || $0.id != "ready" }
    let texts = Set(messages.map(phrases.text))
      .sorted { $0.unicodeScalars.count > $1.unicodeScalars.count }
    let settings = SpeechSettings(rate: rate)
    let found = try await speaking { library in
      let sized = texts.prefix(count == .max ? count : count * 6).map { text in
        let runs = RunSynthesizer.of(text, language: language, settings: settings).map { run in
          RunSynthesizer.select(run, language: language, with: library, settings: settings).text
        }
        return (text: text, phonemes: runs.map { library.phonemes($0).utf8.count }.reduce(0, +))
      }
      return sized.sorted { $0.phonemes > $1.phonemes }.prefix(count).map { text, _ in
        let numbers = text.split { !$0.isNumber }.map(String.init)
        return (
          text: text,
          seconds: seconds(of: text, language, with: library, settings)
            - numbers.reduce(0) {
              $0 + seconds(of: $1, language, with: library, settings)
                - seconds(of: $1, "en", with: library, settings)
            }
        )
      }
    }
    return found.sorted { $0.seconds > $1.seconds }
  }

  private func speaking<Result: Sendable>(
    _ measure: @escaping @Sendable (EspeakLibrary) -> Result
  ) async throws -> Result {
    let result: Result? = await withCheckedContinuation { continuation in
      EspeakExecutor.shared.submit { continuation.resume(returning: $0.map(measure)) }
    }
    return try #require(result, "espeak-ng's voice data was not found")
  }

  private func seconds(
    of text: String, _ language: String, with library: EspeakLibrary, _ settings: SpeechSettings
  ) -> Double {
    var samples = 0
    _ = UtteranceSamples.make(
      Utterance(text: text, language: language), with: library, settings: settings
    ) { block in
      samples += block.count
      return true
    }
    return Double(samples) / Double(library.sampleRate)
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
    "K21: in brief a message takes 2.5 seconds at the most, in full 6, a tenth more in translation",
    arguments: measured, Verbosity.allCases)
  func bounds(language: String, verbosity: Verbosity) async throws {
    let isWhole = language == "en" || Self.whole.contains { $0 == "all" || $0 == language }
    let all = try await lengths(verbosity, language: language, count: isWhole ? .max : 16)
    let longest = (verbosity == .brief ? 2.5 : 6.0) * (language == "en" ? 1 : 1.1)
    let over = all.filter { $0.seconds > longest }
    #expect(over.isEmpty, "\(over.map { "\($0.seconds.formatted()) \($0.text)" })")
    guard Self.whole.contains("all") else { return }
    let usual = try await lengths(verbosity, language: language, rate: 175, count: .max)
    func row(_ list: [(text: String, seconds: Double)]) -> String {
      [list[list.count / 2], list[list.count / 10], list[0]]
        .map { String(format: "%.1f", $0.seconds) }.joined(separator: " ")
    }
    print(
      language, verbosity.rawValue, "300: \(row(all))", "175: \(row(usual))",
      "over \(over.count) of \(all.count)")
  }
}
