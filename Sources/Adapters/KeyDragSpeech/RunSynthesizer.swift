import KeyDragCore

/// A message spoken by one or more voices, without gaps.
///
/// espeak-ng could also change voices by SSML; but then a message would be markup, in which foreign
/// text needs escapes, and an interruption would leave the library in some voice of its own choice.
/// As measured, neither is faster, and the gaps are equal.
enum RunSynthesizer {
  /// The message as runs, each spelled as its voice reads it best.
  static func of(_ text: String, language: String, settings: SpeechSettings) -> [VoiceRun] {
    let unreadable = settings.unreadableCharacter
    if WritingSystem.own(of: language) == .latin, text.utf8.allSatisfy(isPlain) {
      // Most messages: nothing to split, so that their first sound is not delayed.
      return spelled([
        VoiceRun(text: SpeechText.forVoice(text, settings: settings), language: language)
      ])
    }
    let readable = CharacterNormalizer.of(text, language: language)
    let words = SpeechText.forVoice(readable, settings: settings)
    return spelled(VoiceRunSplitter.runs(in: words, language: language, unreadable: unreadable))
  }

  /// Whether a byte of UTF-8 belongs to ASCII, or to the Latin letters below U+0180, which need no
  /// other form.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte < 0xC2 || (0xC3...0xC5).contains(byte)
  }

  private static func spelled(_ runs: [VoiceRun]) -> [VoiceRun] {
    runs.compactMap {
      let text = Pronunciation.of($0.text, language: $0.language)
      return text.isEmpty ? nil : VoiceRun(text: text, language: $0.language)
    }
  }

  /// Passes blocks to `sink` until it returns `false`; returns whether the message's language has a
  /// voice.
  static func speak(
    _ runs: [VoiceRun], language: String, with library: EspeakLibrary, settings: SpeechSettings,
    sink: (UnsafeBufferPointer<Int16>) -> Bool
  ) -> Bool {
    var hasVoice = true
    for (index, run) in runs.enumerated() {
      let spoken = select(run, language: language, with: library, settings: settings)
      if spoken.language == language { hasVoice = spoken.hasVoice }
      let isLast = index + 1 == runs.count
      let ending: EspeakLibrary.Ending =
        isLast ? .message : endsClause(spoken.text) ? .pause : .words
      var held: [Int16] = []
      let isWanted = library.synthesize(spoken.text, before: ending) { block in
        ending == .words ? handOn(block, holding: &held, to: sink) : sink(block)
      }
      if !isWanted { break }
    }
    // The next message then begins in its own voice, without the time for a change.
    if runs.count > 1 { hasVoice = library.select(language: language, settings: settings) }
    return hasVoice
  }

  /// Selects the voice of a run, and returns the run as spoken: without a voice for its language it
  /// is announced as unreadable in the message's own.
  static func select(
    _ run: VoiceRun, language: String, with library: EspeakLibrary, settings: SpeechSettings
  ) -> (text: String, language: String, hasVoice: Bool) {
    let hasVoice = library.select(language: run.language, settings: settings)
    guard !hasVoice, run.language != language else { return (run.text, run.language, hasVoice) }
    return (
      Pronunciation.of(settings.unreadableCharacter, language: language), language,
      library.select(language: language, settings: settings)
    )
  }

  private static func endsClause(_ text: String) -> Bool {
    guard let last = text.unicodeScalars.last else { return false }
    return ".,;:!?…\u{3001}\u{3002}\u{60C}\u{61B}\u{61F}".unicodeScalars.contains(last)
  }

  /// Passes on a block, but withholds its trailing silence until the next: the silence at the end
  /// of a run is longer than that between two words.
  private static func handOn(
    _ block: UnsafeBufferPointer<Int16>, holding held: inout [Int16],
    to sink: (UnsafeBufferPointer<Int16>) -> Bool
  ) -> Bool {
    guard let last = block.lastIndex(where: { $0.magnitude > quiet }) else {
      held.append(contentsOf: block)
      return true
    }
    guard held.isEmpty || held.withUnsafeBufferPointer(sink) else { return false }
    held = Array(block[(last + 1)...])
    return sink(UnsafeBufferPointer(rebasing: block[...last]))
  }

  /// The loudest sample that counts as silence: 48 dB below full scale, which is 32,767.
  private static let quiet: UInt16 = 128
}
