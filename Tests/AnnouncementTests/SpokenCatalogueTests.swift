import FoundationEssentials
import Glibc
import KeyDragLocale
import KeyDragSpeech
import Testing

@testable import KeyDragCore

/// Everything that can be said, as the real synthesizer says it.
@Suite("Every announcement in every voice")
struct SpokenCatalogueTests {
  private static let languages = ["en"] + CatalogueTests.languages

  private func texts(_ language: String) throws -> [String] {
    let catalogue = language == "en" ? GettextCatalogue() : try CatalogueTests.catalogue(language)
    let phrases = Phrasebook(catalogue: catalogue).spoken
    var seen: Set<String> = []
    return AnnouncementSamples.all.filter { seen.insert($0.id).inserted }.map(phrases.text)
  }

  @Test("K20: each kind of announcement is synthesized without an error", arguments: languages)
  func synthesized(language: String) throws {
    let path = Recording.path(language)
    defer { unlink(path) }
    // The fastest that espeak-ng speaks by itself: the same sounds, in less than half of the samples.
    // From 450 on it has them shortened by a library, which takes six times as long.
    let voice = try RecordedVoice(path: path, settings: SpeechSettings(rate: 449))
    let texts = try texts(language)
    for text in texts {
      voice.speak(Utterance(text: text, language: language.replacing("_", with: "-")))
    }
    voice.finish(within: 60)
    #expect(voice.problem == nil)
    var status = stat()
    #expect(stat(path, &status) == 0)
    // Half a second each at the least, in 16 bits at 22,050 Hz.
    #expect(status.st_size > texts.count * 22_050)
  }

  /// Names in the samples, and words that these languages say in English themselves, in
  /// espeak-ng's notation.
  private static let english: Set<String> = [
    "'Inb0ks", "s'O@tI2d", "d'0ks", "Esk'eIp", "b'aIt", "'aIt@mz",
  ]

  @Test(
    "K20: no voice names a script, says nothing, or changes to English by itself",
    arguments: languages)
  func phonemes(language: String) throws {
    for text in try texts(language) {
      let runs = SpeechProbe.phonemes(of: text, language: language.replacing("_", with: "-"))
      #expect(!runs.isEmpty && runs.allSatisfy { $0.contains(where: \.isLetter) }, "\(text)")
      for run in runs {
        // "Chinese letter", as espeak-ng says for what it can't read.
        #expect(!run.contains("tSaIn'i:z") && !run.contains("tS,aIn'i:z"), "\(run) in \(text)")
        let switched = run.matches(of: /\(en\)([^(]*)/).flatMap {
          $0.output.1.split(separator: " ")
        }
        let unwanted = switched.filter { !Self.english.contains(String($0)) }
        #expect(language == "en" || unwanted.isEmpty, "\(unwanted) in \(text)")
      }
    }
  }
}

private enum Recording {
  static func path(_ name: String) -> String {
    var template = Array("/tmp/keydrag-\(name)-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    if file >= 0 { close(file) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
