import KeyDragCore

/// Synthesises an utterance: its earcon, then its words.
enum UtteranceSamples {
  /// Passes blocks to `sink` as they are made, until it returns `false`; returns whether the
  /// language has a voice.
  static func make(
    _ utterance: Utterance, with library: EspeakLibrary?, settings: SpeechSettings,
    sink: (UnsafeBufferPointer<Int16>) -> Bool
  ) -> Bool {
    if settings.earcons, let earcon = utterance.earcon {
      let sound = EarconSamples.samples(
        for: earcon, rate: library?.sampleRate ?? 22_050, volume: settings.boundedVolume)
      guard sound.withUnsafeBufferPointer(sink) else { return true }
    }
    let runs = RunSynthesizer.of(utterance.text, language: utterance.language, settings: settings)
    guard !runs.isEmpty else { return true }
    guard let library else { return false }
    return RunSynthesizer.speak(
      runs, language: utterance.language, with: library, settings: settings, sink: sink)
  }
}
