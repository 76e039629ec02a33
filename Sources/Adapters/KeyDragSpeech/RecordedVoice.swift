import KeyDragCore

/// Writes every utterance into a WAV file: in order, whole, with a quarter of a second of silence
/// between them.
package final class RecordedVoice: Voice {
  private struct Progress {
    var outstanding = 0
    var idleHandler: (@Sendable () -> Void)?
    var failure: RecordingError?
    var hasNoLibrary = false
    var languageWithoutVoice: String?
  }

  private let state = Monitor(Progress())
  private let file: RecordingSink
  private let settings: SpeechSettings

  /// Creates the file, or replaces an older recording of that name.
  package convenience init(
    path: String, settings: SpeechSettings = SpeechSettings()
  ) throws(RecordingError) {
    try self.init(path: path, settings: settings, longest: WaveHeader.longestData)
  }

  /// `longest` is the most bytes of samples that are recorded.
  init(path: String, settings: SpeechSettings, longest: Int) throws(RecordingError) {
    file = RecordingSink(try WaveFile(path: path, rate: RecordingSink.usualRate, longest: longest))
    self.settings = settings
  }

  package func speak(_ utterance: Utterance) {
    state.change { $0.outstanding += 1 }
    // The job holds what it needs, so that nothing handed over is lost when the voice goes away.
    EspeakThread.shared.submit { [state, file, settings] library in
      let result = file.record(utterance, with: library, settings: settings)
      let handler = state.change { state in
        state.outstanding -= 1
        if library == nil {
          state.hasNoLibrary = true
        } else if result.hasNoVoice, state.languageWithoutVoice == nil {
          state.languageWithoutVoice = utterance.language
        }
        if let error = result.error, state.failure == nil { state.failure = error }
        return state.idleHandler
      }
      handler?()
    }
  }

  /// Does nothing: a recording is not interrupted.
  package func silence() {}

  package func finish(within deadline: Double) {
    _ = state.wait(atMost: deadline) { $0.outstanding == 0 }
  }

  package func onIdle(_ handler: @escaping @Sendable () -> Void) {
    state.change { $0.idleHandler = handler }
  }

  /// Why the recording ended early; what was recorded before is whole.
  package var failure: RecordingError? { state.read { $0.failure } }

  package var problem: Problem? {
    state.read { state in
      if state.failure != nil { return .outputClosed }
      if state.hasNoLibrary { return .noSynthesizer }
      return state.languageWithoutVoice.map { .noVoice(language: $0) }
    }
  }
}

/// Puts utterances into the file, on the thread of the library.
private final class RecordingSink: @unchecked Sendable {
  // @unchecked Sendable because, once made, it is used by jobs of the one library thread only.
  static let usualRate = 22_050
  private let file: WaveFile
  private var hasFailed = false

  struct Result {
    var error: RecordingError?
    var hasNoVoice = false
  }

  init(_ file: WaveFile) { self.file = file }

  func record(
    _ utterance: Utterance, with library: EspeakLibrary?, settings: SpeechSettings
  ) -> Result {
    guard !hasFailed, !utterance.text.isEmpty || utterance.earcon != nil else { return Result() }
    let rate = library?.sampleRate ?? Self.usualRate
    var samples: [Int16] = []
    let hasVoice = UtteranceSamples.make(utterance, with: library, settings: settings) { block in
      samples.append(contentsOf: block)
      return true
    }
    guard !samples.isEmpty else { return Result(hasNoVoice: !hasVoice) }
    let gap = file.isEmpty ? 0 : rate / 4
    do {
      try file.append(Array(repeating: 0, count: gap) + samples, rate: rate)
      return Result(hasNoVoice: !hasVoice)
    } catch {
      hasFailed = true
      return Result(error: error, hasNoVoice: !hasVoice)
    }
  }
}
