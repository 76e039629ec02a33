import KeyDragCore

/// A message as one or more voices say it, one after the other without a gap.
///
/// espeak-ng could change voices by SSML too; but then a message would be markup, in which words of
/// others need escapes, and after an interruption the library is left in some voice of its own
/// choice. Measured, neither is faster, and the gaps are equal.
enum SpokenRuns {
  /// The message in parts for their voices, each spelled as its voice reads it best.
  static func of(_ text: String, language: String, settings: SpeechSettings) -> [VoiceRun] {
    let unreadable = settings.unreadableCharacter
    if WritingSystem.own(of: language) == .latin, text.utf8.allSatisfy(isPlain) {
      // Most messages: nothing to look for, so that their first sound is not kept waiting.
      return spelled([
        VoiceRun(text: SpeechText.forVoice(text, settings: settings), language: language)
      ])
    }
    let readable = ReadableForms.of(text, language: language)
    let words = SpeechText.forVoice(readable, settings: settings)
    return spelled(ScriptRuns.runs(in: words, language: language, unreadable: unreadable))
  }

  /// Whether a byte of UTF-8 belongs to ASCII or to the Latin letters below U+0180, which are in
  /// the form that voices read.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte < 0xC2 || (0xC3...0xC5).contains(byte)
  }

  private static func spelled(_ runs: [VoiceRun]) -> [VoiceRun] {
    runs.compactMap {
      let text = Pronunciation.of($0.text, language: $0.language)
      return text.isEmpty ? nil : VoiceRun(text: text, language: $0.language)
    }
  }

  /// Gives blocks to `sink` until it answers `false`; tells whether the message's language has a
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
    // The next message begins in its own voice without the time it takes to change.
    if runs.count > 1 { hasVoice = library.select(language: language, settings: settings) }
    return hasVoice
  }

  /// The run as it can be spoken here, its voice chosen: where its language has none, it is said to
  /// be unreadable in the message's own.
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

  /// Hands a block on, except for the silence at its end, which waits for the next: the silence at
  /// the very end of a run is longer than that between two words.
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

  /// The loudest sample that counts as silence, of 32,767: 48 dB below the loudest possible.
  private static let quiet: UInt16 = 128
}
