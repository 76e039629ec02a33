import Glibc
import KeyDragCore
import Testing

@testable import KeyDragSpeech

@Suite struct JoinedVoicesTests {
  private static let mixed = [
    ("de", "Verschoben Αρχείο nach Dokumente"), ("ar", "نُقل notes.txt إلى المستندات"),
    ("ja", "notes.txtを どきゅめんとに いどうしました"), ("zh-CN", "已将 notes 移到文档"),
    ("en", "Moved 照片 to Фото now"),
  ]

  /// All samples of an utterance, made on the library's thread.
  private func samples(
    _ text: String, _ language: String, _ settings: SpeechSettings = SpeechSettings()
  ) async throws -> [Int16] {
    try await withLibrary { library in
      var result: [Int16] = []
      _ = UtteranceSamples.make(
        Utterance(text, language: language), with: library, settings: settings
      ) { block in
        result.append(contentsOf: block)
        return true
      }
      return result
    }
  }

  /// The longest stretch of near silence before a sound, in milliseconds.
  private func longestGap(_ samples: some Sequence<Int16>) -> Int {
    var longest = 0
    var current = 0
    for sample in samples {
      if sample.magnitude > 100 {
        longest = max(longest, current)
        current = 0
      } else {
        current += 1
      }
    }
    return longest * 1000 / 22_050
  }

  @Test(
    "voices follow one another without a longer gap than there is between words", arguments: mixed)
  func gaps(_ language: String, _ text: String) async throws {
    let runs = SpeechProbe.runs(of: text, language: language)
    #expect(runs.count >= 2)
    let joined = try await samples(text, language)
    // Words that begin with a stop such as p have a silence of their own before it.
    var own = 0
    for run in runs { own = max(own, longestGap(try await samples(run.text, run.language))) }
    #expect(longestGap(joined) <= own + 2)
  }

  @Test("nothing of any voice is swallowed", arguments: mixed)
  func whole(_ language: String, _ text: String) async throws {
    let joined = try await samples(text, language)
    var apart = 0
    for run in SpeechProbe.runs(of: text, language: language) {
      apart += try await samples(run.text, run.language).trimmingQuiet.count
    }
    #expect((0.85...1.2).contains(Double(joined.trimmingQuiet.count) / Double(apart)))
  }

  @Test("a clause that ends with a name in another script has its pause")
  func pause() async throws {
    let flowing = try await samples("Verschoben Αρχείο nach", "de")
    let parted = try await samples("Verschoben Αρχείο, nach", "de")
    #expect(longestGap(parted) >= longestGap(flowing) + 80)
  }

  @Test("rate, pitch and volume hold across voices")
  func settings() async throws {
    let text = "Moved Фотографии to 照片 now"
    let usual = try await samples(text, "en")
    let fast = try await samples(text, "en", SpeechSettings(rate: 350))
    #expect(Double(fast.count) < Double(usual.count) * 0.7)
    let quiet = try await samples(text, "en", SpeechSettings(volume: 20))
    for part in [0..<quiet.count / 3, quiet.count / 3..<quiet.count * 2 / 3] {
      let loudest = quiet[part].map(\.magnitude).max() ?? 0
      #expect(loudest > 0)
      #expect(loudest < (usual.map(\.magnitude).max() ?? 0) / 2)
    }
    // A plain message afterwards has the settings asked for, not those of before.
    let after = try await samples(text, "en")
    let heard = after.trimmingQuiet.count
    #expect((0.99...1.01).contains(Double(heard) / Double(usual.trimmingQuiet.count)))
  }

  @Test("K24: words that nobody wants any more are not made by a second voice either")
  func stops() async throws {
    let (calls, voice) = try await withLibrary { library in
      var calls = 0
      _ = UtteranceSamples.make(
        Utterance("Moved Фотографии to Docs", language: "en"), with: library,
        settings: SpeechSettings()
      ) { _ in
        calls += 1
        return calls < 2
      }
      return (calls, library.voice)
    }
    #expect(calls == 2)
    #expect(voice == "en")
  }

  @Test("after a message with several voices the message's own is ready")
  func ready() async throws {
    let voice = try await withLibrary { library in
      _ = UtteranceSamples.make(
        Utterance("Moved Фото", language: "de"), with: library, settings: SpeechSettings()
      ) { _ in true }
      return library.voice
    }
    #expect(voice == "de")
  }

  @Test("a recording holds all voices of an utterance, without a gap of its own between them")
  func recording() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/mixed.wav"
    let voice = try RecordedVoice(path: path)
    voice.speak(Utterance("Moved Фото to Docs.", language: "en"))
    voice.finish(within: 30)
    #expect(voice.problem == nil)
    let recorded = try Recording(path)
    let made = try await samples("Moved Фото to Docs.", "en")
    #expect(recorded.rate == 22_050)
    // The silence after the last sound is 7 to 95 ms, depending on what was said before.
    let heard = recorded.samples.trimmingQuiet.count
    #expect((0.99...1.01).contains(Double(heard) / Double(made.trimmingQuiet.count)))
  }
}

extension [Int16] {
  /// Without the silence at both ends.
  fileprivate var trimmingQuiet: ArraySlice<Int16> {
    guard let first = firstIndex(where: { $0.magnitude > 100 }),
      let last = lastIndex(where: { $0.magnitude > 100 })
    else { return [] }
    return self[first...last]
  }
}
