import KeyDragCore

/// Writes every utterance into a WAV file: in order, whole, with a quarter of a second of silence
/// between them.
///
/// Calls return at once, but for ``finish(within:)``: samples are made on the library's thread.
package final class RecordedVoice: Voice {
  /// Everything behind the lock.
  private struct Progress {
    /// How many utterances are not in the file yet.
    var outstanding = 0
    /// Called after each utterance.
    var idleHandler: (@Sendable () -> Void)?
    /// The first thing that went wrong.
    var failure: RecordingError?
    /// Whether the library could not be had.
    var hasNoLibrary = false
    /// The first language without a voice.
    var languageWithoutVoice: String?
  }

  /// Waited on by ``finish(within:)``.
  private let state = Monitor(Progress())
  /// Takes the samples.
  private let file: RecordingSink
  /// The same for all utterances.
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

  /// Has an utterance recorded behind those before.
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

  /// Waits until all is in the file, for a bounded time.
  package func finish(within deadline: Double) {
    _ = state.wait(atMost: deadline) { $0.outstanding == 0 }
  }

  package func onIdle(_ handler: @escaping @Sendable () -> Void) {
    state.change { $0.idleHandler = handler }
  }

  /// Why the recording ended early; what was recorded before is whole.
  package var failure: RecordingError? { state.read { $0.failure } }

  /// The gravest of what keeps words out of the recording.
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
  /// Open as long as anything is to be recorded.
  private let file: WaveFile
  /// Nothing is recorded behind a failure: the file ends there.
  private var hasFailed = false

  /// The outcome of an utterance.
  struct Result {
    var error: RecordingError?
    /// Whether its language has no voice, so that English read it.
    var hasNoVoice = false
  }

  /// Takes over a file.
  init(_ file: WaveFile) { self.file = file }

  /// Adds an utterance, with a pause before it. One without words or sound adds nothing.
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
