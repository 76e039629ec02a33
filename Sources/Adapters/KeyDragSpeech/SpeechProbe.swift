import KeyDragCore

/// The abilities of the speech library, as tested.
package struct VoiceFacts: Hashable, Sendable {
  /// As the library reports it ("1.51").
  package var version: String
  /// The data folder; empty if it is not found.
  package var dataFolder: String
  /// The voice of the requested language; `nil` if there is none.
  package var voice: String?
  /// Whether a word produced sound.
  package var speaks: Bool
}

/// Tests the parts that speech needs; every call may block.
package enum SpeechProbe {
  /// The phonemes of a text as it would be spoken, one entry for each voice.
  ///
  /// In espeak-ng's notation, with "(en)" before what a voice leaves to another by itself. Empty if
  /// the library can't be set up.
  package static func phonemes(
    of text: String, language: String, settings: SpeechSettings = SpeechSettings()
  ) -> [String] {
    let answer = Monitor<[String]?>(nil)
    EspeakExecutor.shared.submit { library in
      let result = library.map { library in
        RunSynthesizer.of(text, language: language, settings: settings).map { run in
          let spoken = RunSynthesizer.select(
            run, language: language, with: library, settings: settings)
          return library.phonemes(spoken.text)
        }
      }
      answer.change { $0 = result ?? [] }
    }
    return answer.wait { $0 }
  }

  /// The runs of a text with the languages of their voices, as they would be spoken.
  package static func runs(
    of text: String, language: String, settings: SpeechSettings = SpeechSettings()
  ) -> [VoiceRun] {
    RunSynthesizer.of(text, language: language, settings: settings)
  }

  /// The respects in which the language's voice falls short.
  package static func limits(of language: String) -> [VoiceLimit] {
    VoiceLimit.allCases.filter { $0.languages.contains(LanguageTag.base(language)) }
  }

  /// Selects the voice of a language, and synthesises a word.
  package static func voice(
    for language: String, settings: SpeechSettings = SpeechSettings()
  ) -> VoiceFacts {
    let answer = Monitor<VoiceFacts?>(nil)
    EspeakExecutor.shared.submit { library in
      let facts = look(library, language, settings)
      answer.change { $0 = facts }
    }
    return answer.wait { $0 }
  }

  private static func look(
    _ library: EspeakLibrary?, _ language: String, _ settings: SpeechSettings
  ) -> VoiceFacts {
    let (version, folder) = EspeakLibrary.origin()
    guard let library else {
      return VoiceFacts(version: version, dataFolder: "", voice: nil, speaks: false)
    }
    let hasVoice = library.select(language: language, settings: settings)
    var count = 0
    library.synthesize("a") { block in
      count += block.count
      return true
    }
    return VoiceFacts(
      version: version, dataFolder: folder, voice: hasVoice ? library.voice : nil,
      speaks: count > 0)
  }

  /// Opens an ALSA device and plays a moment of silence; returns the error, or `nil`.
  package static func sound(device: String = "default") -> SoundError? {
    do {
      let output = try StandardSound.opener(device)(22_050, WakePipe())
      try output.write([Int16](repeating: 0, count: 441)) { false }
      output.drop()
      return nil
    } catch {
      return error
    }
  }
}
