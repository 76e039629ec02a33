import KeyDragCore
import Testing

@testable import KeyDragSpeech

@Suite struct VoiceNamesTests {
  @Test(
    "a language tag becomes espeak-ng names, best first",
    arguments: [
      ("en", ["en"]),
      ("en-GB", ["en-gb", "en"]),
      ("pt-BR", ["pt-br", "pt"]),
      ("pl_PL.UTF-8", ["pl-pl", "pl"]),
      ("zh", ["cmn-latn-pinyin", "cmn", "zh"]),
      ("zh-CN", ["cmn-latn-pinyin", "cmn", "zh"]),
      ("zh_CN.UTF-8", ["cmn-latn-pinyin", "cmn", "zh"]),
      ("fr", ["fr"]),
      ("be", []),
      ("my", []),
      ("zh-Hant-HK", ["yue", "zh-hant-hk", "cmn-latn-pinyin", "cmn", "zh"]),
      ("es-MX", ["es-419", "es-mx", "es"]),
      ("es", ["es"]),
      ("no", ["nb", "no"]),
      ("ca@valencia", ["ca"]),
      ("", []),
      ("../../etc", []),
      ("1x", []),
    ])
  func candidates(_ tag: String, _ names: [String]) {
    #expect(VoiceNames.candidates(for: tag) == names)
  }

  @Test("the person's own choice of voice comes first, for the language and its regions")
  func overrides() {
    let overrides = ["de": "de+f3", "en-US": "en-us+m2"]
    #expect(VoiceNames.candidates(for: "de-AT", overrides: overrides).first == "de+f3")
    #expect(VoiceNames.candidates(for: "en-us", overrides: overrides).first == "en-us+m2")
    #expect(VoiceNames.candidates(for: "en", overrides: overrides) == ["en"])
  }

  @Test(
    "a voice name that could be a path never reaches espeak-ng",
    arguments: ["../../../../../../etc/passwd", "/etc/passwd", "a b", "", "a\u{0}b"])
  func unsafe(_ name: String) {
    #expect(!VoiceNames.isSafe(name))
    #expect(VoiceNames.candidates(for: "en", overrides: ["en": name]) == ["en"])
  }
}

@Suite struct VoiceSelectionTests {
  @Test("another language sounds different")
  func languages() async throws {
    let english = try await phonemes("notes", language: "en")
    let polish = try await phonemes("notes", language: "pl")
    let again = try await phonemes("notes", language: "en")
    #expect(english != polish)
    #expect(english == again)
  }

  @Test(
    "languages that espeak-ng names otherwise have a voice",
    arguments: ["en", "en-GB", "pt-BR", "pt-PT", "zh", "zh-HK", "no", "iw", "es-MX", "fr-CA"])
  func known(_ language: String) async throws {
    #expect(
      try await withLibrary { $0.select(language: language, settings: SpeechSettings()) })
  }

  @Test("an unknown language is spoken in English, and that is known")
  func unknown() async throws {
    let english = try await phonemes("notes", language: "en")
    let heard = try await withLibrary { library in
      let hasVoice = library.select(language: "qq", settings: SpeechSettings())
      return (hasVoice, library.phonemes("notes"))
    }
    #expect(heard == (false, english))
  }

  @Test("rate, pitch and volume change the samples; values outside are taken as the nearest")
  func parameters() async throws {
    @Sendable func sound(_ settings: SpeechSettings) async throws -> [Int16] {
      try await withLibrary { library in
        _ = library.select(language: "en", settings: settings)
        var result: [Int16] = []
        library.synthesize("Three places accept.") { block in
          result.append(contentsOf: block)
          return true
        }
        return result
      }
    }
    let usual = try await sound(SpeechSettings())
    let fast = try await sound(SpeechSettings(rate: 450))
    #expect(fast.count < usual.count * 2 / 3)
    let bounded = try await sound(SpeechSettings(rate: 100_000))
    #expect((0.9...1.1).contains(Double(bounded.count) / Double(fast.count)))
    #expect(try await sound(SpeechSettings(pitch: 90)) != usual)
    let quiet = try await sound(SpeechSettings(volume: 20)).map { abs(Int($0)) }.max() ?? 0
    #expect(quiet < (usual.map { abs(Int($0)) }.max() ?? 0) / 2)
    #expect(quiet > 0)
  }

  @Test("K24: words that nobody wants any more are not made")
  func stops() async throws {
    let text = String(repeating: "one two three four five, ", count: 40)
    let (calls, after) = try await withLibrary { library in
      _ = library.select(language: "en", settings: SpeechSettings())
      var calls = 0
      library.synthesize(text) { _ in
        calls += 1
        return calls < 3
      }
      var after = 0
      library.synthesize("one") { block in
        after += block.count
        return true
      }
      return (calls, after)
    }
    #expect(calls == 3)
    #expect((2000..<40_000).contains(after))
  }

  @Test("K24: words after an interrupted text are pronounced as ever", arguments: 1...12)
  func afterStop(_ blocks: Int) async throws {
    let (usual, after) = try await withLibrary { library in
      _ = library.select(language: "en", settings: SpeechSettings())
      let usual = (library.phonemes("notes"), library.phonemes("notes")).1
      var count = 0
      library.synthesize("one two three four five, one two three") { _ in
        count += 1
        return count < blocks
      }
      return (usual, library.phonemes("notes"))
    }
    #expect(after == usual)
  }
}
