import KeyDragCore

/// Writes utterances to a WAV file, in order and whole, with a quarter of a second of silence
/// between them.
///
/// Calls return at once, except ``finish(within:)``: samples are made on the library's thread.
package final class RecordedVoice: Voice {
  private struct Progress {
    /// The number of utterances that are not in the file yet.
    var outstanding = 0
    var idleHandler: (@Sendable () -> Void)?
    var failure: RecordingError?
    var hasNoLibrary = false
    /// The first language without a voice.
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
    // The job holds what it needs, so that nothing is lost when the voice is released.
    EspeakExecutor.shared.submit { [state, file, settings] library in
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

  /// No-op: a recording is not interrupted.
  package func silence() {}

  package func finish(within deadline: Double) {
    _ = state.wait(atMost: deadline) { $0.outstanding == 0 }
  }

  package func onIdle(_ handler: @escaping @Sendable () -> Void) {
    state.change { $0.idleHandler = handler }
  }

  /// The reason why the recording ended early; everything before is intact.
  package var failure: RecordingError? { state.read { $0.failure } }

  /// The gravest problem that keeps words out of the recording.
  package var problem: Problem? {
    state.read { state in
      if state.failure != nil { return .outputClosed }
      if state.hasNoLibrary { return .noSynthesizer }
      return state.languageWithoutVoice.map { .noVoice(language: $0) }
    }
  }
}

/// Writes utterances to the file, on the library's thread.
private final class RecordingSink: @unchecked Sendable {
  // @unchecked Sendable because, once made, it is used by jobs of the one library thread only.
  static let usualRate = 22_050
  private let file: WaveFile
  /// The file ends at a failure.
  private var hasFailed = false

  struct Result {
    var error: RecordingError?
    /// Whether its language has no voice, so that English read it.
    var hasNoVoice = false
  }

  init(_ file: WaveFile) { self.file = file }

  /// Appends an utterance, after a pause. One without words or sound adds nothing.
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
