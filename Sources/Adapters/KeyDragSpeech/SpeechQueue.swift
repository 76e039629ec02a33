import Glibc
import KeyDragCore

/// Queued and current utterances, shared by the voice, the library's thread and the player.
///
/// All state is behind one mutex, which is not held while a handler runs. An utterance is a turn;
/// once its number is not the current one, whatever is still made for it is dropped.
final class SpeechQueue: Sendable {
  enum Work: Equatable {
    /// Stop the sound at once.
    case stop
    /// Play samples of this turn.
    case play([Int16], turn: UInt64)
    /// All samples of this turn were passed on: wait until they are played.
    case complete(turn: UInt64)
    /// Nothing to do until the bell rings.
    case rest
    /// The voice is gone.
    case end
  }

  private struct Speech {
    var waiting: [Utterance] = []
    /// Counts utterances begun and silences, so that late samples are dropped.
    var turn: UInt64 = 0
    /// Whether a turn has begun and not been played to its end.
    var isSpeaking = false
    /// Whether all samples of this turn have been made.
    var isMade = false
    /// Made, but not passed to the player yet.
    var samples: [Int16] = []
    /// The player has to be stopped.
    var mustStop = false
    /// The voice is gone; utterances are ignored.
    var isClosed = false
    var hasThread = true
    /// The time at which the device failed, in monotonic seconds.
    var deviceFailure: Double?
    var hasNoLibrary = false
    /// The first language without a voice.
    var languageWithoutVoice: String?
    var idleHandler: (@Sendable () -> Void)?
  }

  /// Seconds until the next utterance retries a failed device.
  private static let retryAfter = 5.0
  let bell = WakePipe()
  private let state = Monitor(Speech())
  private let settings: SpeechSettings

  init(settings: SpeechSettings) { self.settings = settings }

  // MARK: The voice's side

  /// Preloads a language's dictionary.
  func prepare(language: String) {
    EspeakExecutor.shared.submit { [settings] library in
      _ = library?.select(language: language, settings: settings)
    }
  }

  /// Queues an utterance, and begins it if nothing is being said.
  func add(_ utterance: Utterance) {
    let next = state.change { state -> Begin? in
      guard !state.isClosed, state.hasThread else { return nil }
      state.waiting.append(utterance)
      return begin(&state)
    }
    start(next)
  }

  /// Drops everything queued, and stops the player.
  func silence() {
    state.change { state in
      state.waiting.removeAll()
      guard state.isSpeaking else { return }
      state.isSpeaking = false
      state.turn += 1
      state.samples = []
      state.mustStop = true
    }
    bell.ring()
  }

  /// Waits until everything has been played.
  ///
  /// - Parameter deadline: in seconds from now.
  func finish(within deadline: Double) {
    _ = state.wait(atMost: deadline) { $0.waiting.isEmpty && !$0.isSpeaking }
  }

  /// Sets the handler for the end of each turn, called on the player's thread.
  func setIdleHandler(_ handler: @escaping @Sendable () -> Void) {
    state.change { $0.idleHandler = handler }
  }

  /// The gravest problem that keeps words from being heard.
  var problem: Problem? {
    state.read { state in
      if state.hasNoLibrary { return .noSynthesizer }
      if state.deviceFailure != nil { return .noSoundDevice }
      return state.languageWithoutVoice.map { .noVoice(language: $0) }
    }
  }

  /// Ends the player, even in the middle of a word.
  func close() {
    state.change { state in
      state.isClosed = true
      state.turn += 1
      state.isSpeaking = false
      state.waiting.removeAll()
    }
    bell.ring()
  }

  /// Called when the player's thread could not be started: nothing will ever be heard.
  func loseThread() {
    state.change { state in
      state.hasThread = false
      state.deviceFailure = Monotonic.now
      state.waiting.removeAll()
      state.isSpeaking = false
    }
  }

  // MARK: The player's side

  /// Whether this turn is over, by silence or at the end of the voice.
  func isOver(_ turn: UInt64) -> Bool { state.read { $0.turn != turn } }

  func nextWork() -> Work {
    state.change { state in
      if state.isClosed { return .end }
      if state.mustStop {
        state.mustStop = false
        return .stop
      }
      guard state.isSpeaking else { return .rest }
      // All samples so far, in one piece.
      if !state.samples.isEmpty {
        defer { state.samples = [] }
        return .play(state.samples, turn: state.turn)
      }
      return state.isMade ? .complete(turn: state.turn) : .rest
    }
  }

  /// Marks a turn as played to its end, and begins the next.
  func complete(_ turn: UInt64) {
    var next: Begin?
    let handler = state.change { state -> (@Sendable () -> Void)? in
      guard state.turn == turn, state.isSpeaking else { return nil }
      state.isSpeaking = false
      next = begin(&state)
      return state.idleHandler
    }
    start(next)
    handler?()
  }

  /// The device can't be opened or written to. For a while no samples are made for it.
  func deviceFailed() {
    state.change { state in
      state.deviceFailure = Monotonic.now
      state.samples = []
    }
  }

  func deviceWorks() { state.change { $0.deviceFailure = nil } }

  // MARK: The library's side

  private struct Begin {
    var utterance: Utterance
    var turn: UInt64
  }

  /// Takes the next utterance, unless one is being said.
  private func begin(_ state: inout Speech) -> Begin? {
    guard !state.isSpeaking, !state.waiting.isEmpty else { return nil }
    let utterance = state.waiting.removeFirst()
    state.turn += 1
    state.isSpeaking = true
    state.samples = []
    // No samples for a failed device; the turn passes in silence.
    let isMute = state.deviceFailure.map { Monotonic.now - $0 < Self.retryAfter } ?? false
    state.isMade = isMute || (utterance.text.isEmpty && utterance.earcon == nil)
    return Begin(utterance: utterance, turn: state.turn)
  }

  /// Has the samples of a turn made. A turn without any is over at once.
  private func start(_ next: Begin?) {
    guard let next else { return }
    guard !state.read({ $0.isMade || $0.turn != next.turn }) else { return bell.ring() }
    EspeakExecutor.shared.submit { [self] library in
      var isFirst = true
      let hasVoice = UtteranceSamples.make(next.utterance, with: library, settings: settings) {
        defer { isFirst = false }
        return hand(over: $0, turn: next.turn, isFirst: isFirst)
      }
      state.change { state in
        if library == nil {
          state.hasNoLibrary = true
        } else if !hasVoice, state.languageWithoutVoice == nil {
          state.languageWithoutVoice = next.utterance.language
        }
        if state.turn == next.turn { state.isMade = true }
      }
      bell.ring()
    }
  }

  /// Passes on a block; returns whether more samples of this turn are wanted.
  ///
  /// - Parameter isFirst: whether this is the first block of the turn.
  private func hand(
    over block: UnsafeBufferPointer<Int16>, turn: UInt64, isFirst: Bool
  ) -> Bool {
    let isWanted = state.change { state in
      guard state.turn == turn else { return false }
      if state.deviceFailure.map({ Monotonic.now - $0 < Self.retryAfter }) ?? false { return false }
      state.samples.append(contentsOf: block)
      return true
    }
    guard isWanted else { return false }
    bell.ring()
    if isFirst {
      // Yields, so that on a shared processor the first sound precedes the synthesis of the rest.
      sched_yield()
    }
    return true
  }
}
