import CEspeak
import Glibc

/// The calls into libespeak-ng, confined to the thread of ``EspeakExecutor``.
///
/// The library has one state for the whole process: one voice, one set of parameters.
package final class EspeakLibrary {
  /// In hertz.
  let sampleRate: Int
  /// The voice and the settings last passed to the library.
  private var selected: (voice: String, settings: SpeechSettings)?
  /// Cache of the voice for each choice; `nil` inside if there was none.
  private var chosen: [Choice: String?] = [:]

  /// The inputs that decide on a voice.
  private struct Choice: Hashable {
    var language: String
    /// The person's overrides.
    var voices: [String: String]
  }

  /// `nil` if the voice data is not found.
  init?() {
    // Without the data the next call would print an error onto the screen.
    espeak_ng_InitializePath(nil)
    guard access(Self.origin().folder + "/phontab", R_OK) == 0 else { return nil }
    // Blocks of 20 ms: the first one is ready sooner than the usual 60.
    let rate = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 20, nil, espeakINITIALIZE_DONT_EXIT)
    guard rate > 0 else { return nil }
    sampleRate = Int(rate)
    espeak_SetSynthCallback(receiveSamples)
  }

  /// The library's version and data folder, as it reports them.
  static func origin() -> (version: String, folder: String) {
    var folder: UnsafePointer<CChar>?
    let version = espeak_Info(&folder).map { String(cString: $0) } ?? ""
    // "1.51" may be followed by a date.
    return (
      version.split(separator: " ").first.map(String.init) ?? "",
      folder.map { String(cString: $0) } ?? ""
    )
  }

  var voice: String? { selected?.voice }

  /// The title of the current voice ("Chinese (Mandarin, latin as Pinyin)").
  var voiceTitle: String {
    espeak_GetCurrentVoice()?.pointee.name.map { String(cString: $0) } ?? ""
  }

  /// Selects the language's voice, or English if there is none; returns whether there is one.
  ///
  /// Switching to another voice and back takes 0.03 to 0.65 ms, as its dictionary is read again.
  package func select(language: String, settings: SpeechSettings) -> Bool {
    let key = Choice(language: language, voices: settings.voices)
    if let known = chosen[key], let name = known, use(name, settings) { return true }
    if chosen[key] == nil {
      for name in VoiceNames.candidates(for: language, overrides: settings.voices)
      where use(name, settings) {
        chosen[key] = .some(name)
        return true
      }
      chosen[key] = .some(nil)
    }
    _ = use("en", settings)
    return false
  }

  /// The separator that follows a text run.
  package enum Ending {
    /// Nothing: the shortest silence.
    case message
    /// Another voice follows, after the pause that the last punctuation asks for.
    case pause
    /// Another voice follows at once: the intonation stays up.
    case words
  }

  /// Synthesises text into `sink`, block by block, until it returns `false`; returns whether it ran
  /// to the end.
  @discardableResult
  package func synthesize(
    _ text: String, before ending: Ending = .message, sink: (UnsafeBufferPointer<Int16>) -> Bool
  ) -> Bool {
    var isCut = false
    run(ending == .words ? text + "," : text, keepsPause: ending == .pause) { block in
      isCut = isCut || !sink(block)
      return !isCut
    }
    // After an interruption between two clauses, espeak-ng 1.51 mispronounces the first word of the
    // next text. An empty text (1 µs) prevents that.
    if isCut { run("", keepsPause: false) { _ in true } }
    return !isCut
  }

  /// Synthesises one text; the library calls back before it returns.
  ///
  /// - Parameter keepsPause: whether the final pause is included.
  private func run(
    _ text: String, keepsPause: Bool, sink: (UnsafeBufferPointer<Int16>) -> Bool
  ) {
    withoutActuallyEscaping(sink) { sink in
      let receiver = SampleReceiver(sink)
      let flags = keepsPause ? espeakCHARS_UTF8 | espeakENDPAUSE : espeakCHARS_UTF8
      var text = text
      text.append("\0")
      text.withUTF8 { bytes in
        // Neither espeakSSML nor espeakPHONEMES: words are data, never instructions.
        _ = espeak_Synth(
          bytes.baseAddress, bytes.count, 0, POS_CHARACTER, 0, UInt32(flags), nil,
          Unmanaged.passUnretained(receiver).toOpaque())
      }
      withExtendedLifetime(receiver) {}
    }
  }

  /// The phonemes of a text in the current voice, in espeak-ng's notation.
  func phonemes(_ text: String) -> String {
    var result: [String] = []
    text.withCString { start in
      var next: UnsafeRawPointer? = UnsafeRawPointer(start)
      while next != nil {
        guard let clause = espeak_TextToPhonemes(&next, espeakCHARS_UTF8, 0) else { break }
        result.append(String(cString: clause))
      }
    }
    return result.joined(separator: " ")
  }

  /// Selects a voice with its parameters; `false` if there is none of that name.
  private func use(_ voice: String, _ settings: SpeechSettings) -> Bool {
    if let selected, selected.voice == voice, selected.settings == settings { return true }
    if selected?.voice != voice {
      guard espeak_SetVoiceByName(voice) == EE_OK else {
        selected = nil
        return false
      }
    }
    // espeak-ng keeps these across voices; a new setting changes them.
    espeak_SetParameter(espeakRATE, Int32(settings.boundedRate), 0)
    espeak_SetParameter(espeakPITCH, Int32(settings.boundedPitch), 0)
    espeak_SetParameter(espeakVOLUME, Int32(settings.boundedVolume), 0)
    selected = (voice, settings)
    return true
  }
}

/// Carries the Swift closure through the C callback.
private final class SampleReceiver {
  let sink: (UnsafeBufferPointer<Int16>) -> Bool
  init(_ sink: @escaping (UnsafeBufferPointer<Int16>) -> Bool) { self.sink = sink }
}

/// The last call of an utterance has no samples; a result other than 0 ends the utterance early.
private func receiveSamples(
  _ samples: UnsafeMutablePointer<Int16>?, _ count: Int32,
  _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard let samples, count > 0 else { return 0 }
  guard let context = events?.pointee.user_data else { return 1 }
  let receiver = Unmanaged<SampleReceiver>.fromOpaque(context).takeUnretainedValue()
  return receiver.sink(UnsafeBufferPointer(start: samples, count: Int(count))) ? 0 : 1
}
