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
    let path = NSHomeDirectoryless.temporary(language)
    defer { unlink(path) }
    let voice = try RecordedVoice(path: path, settings: SpeechSettings())
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

  @Test(
    "K20: no voice spells, names a script, or changes to English by itself", arguments: languages)
  func phonemes(language: String) throws {
    for text in try texts(language) {
      let runs = SpeechProbe.phonemes(of: text, language: language.replacing("_", with: "-"))
      #expect(!runs.isEmpty, "\(text)")
      let all = runs.joined(separator: " ")
      if all.contains("(en)"), language != "en" {
        print("SWITCH", language, text.prefix(80), all.prefix(300))
      }
    }
  }
}

private enum NSHomeDirectoryless {
  static func temporary(_ name: String) -> String {
    var template = Array("/tmp/keydrag-\(name)-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    if file >= 0 { close(file) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
