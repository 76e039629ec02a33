import Glibc
import KeyDragCore
import KeyDragThreads

/// Speaks through speech-dispatcher, with the synthesizer, the voice and the rate that the person
/// has set there.
///
/// The service is started if it does not run. If it can't be reached, or does not begin a message
/// for some seconds, ``SpokenVoice`` speaks that message and all that follow.
///
/// All calls return at once, except ``finish(within:)``.
package final class DispatcherVoice: Voice {
  private let queue: DispatcherQueue

  /// Connects to the service in the background.
  ///
  /// - Parameter settings: for the fallback voice. The service gets none of them, but earcons
  ///   precede its words if they are wanted.
  package init(_ service: SpeechService, settings: SpeechSettings) {
    let queue = DispatcherQueue(settings)
    self.queue = queue
    if !BackgroundThread.start({ queue.serve(SpeechClient(service)) }) { queue.giveUp() }
  }

  deinit { queue.close() }

  package func speak(_ utterance: Utterance) { queue.add(utterance) }

  package func silence() { queue.silence() }

  package func finish(within deadline: Double) { queue.finish(within: deadline) }

  package func onIdle(_ handler: @escaping @Sendable () -> Void) { queue.setIdleHandler(handler) }

  /// The fallback voice's problem, if that speaks; the service reports none.
  package var problem: Problem? { queue.other?.problem }
}

/// Queued and current utterances, shared by the voice and its thread.
private final class DispatcherQueue: Sendable {
  private struct Utterances {
    var waiting: [Utterance] = []
    /// The utterance that was given to the service and is not over.
    var current: Utterance?
    /// The service has to be stopped.
    var mustStop = false
    var isClosed = false
    var idleHandler: (@Sendable () -> Void)?
    /// The fallback voice, once it has taken over.
    var other: SpokenVoice?
  }

  private enum Work {
    case say(Utterance)
    case stop
    /// Wait for the bell or an event.
    case rest
    case end
  }

  private let state = Monitor(Utterances())
  private let bell = WakePipe()
  /// For the fallback voice.
  private let settings: SpeechSettings

  init(_ settings: SpeechSettings) { self.settings = settings }

  // MARK: The voice's side

  func add(_ utterance: Utterance) {
    change { $0.waiting.append(utterance) }?.speak(utterance)
  }

  func silence() {
    change { state in
      state.waiting = []
      if state.current != nil { state.mustStop = true }
      state.current = nil
    }?.silence()
  }

  /// Waits for the end of all speech, also of the fallback voice.
  func finish(within deadline: Double) {
    let end = Monotonic.now + deadline
    _ = state.wait(atMost: deadline) { $0.waiting.isEmpty && $0.current == nil }
    other?.finish(within: end - Monotonic.now)
  }

  func setIdleHandler(_ handler: @escaping @Sendable () -> Void) {
    change { $0.idleHandler = handler }?.onIdle(handler)
  }

  func close() { change { $0.isClosed = true } }

  /// `nil` while the service speaks.
  var other: SpokenVoice? { state.read { $0.other } }

  /// Makes a change for the thread, or returns the fallback voice if that has taken over.
  @discardableResult
  private func change(_ body: (inout Utterances) -> Void) -> SpokenVoice? {
    let other = state.change { state in
      if state.other == nil { body(&state) }
      return state.other
    }
    bell.ring()
    return other
  }

  // MARK: The thread's side

  /// Returns when the voice is gone, or the service fails.
  ///
  /// - Parameter client: `nil` if the service can't be reached.
  func serve(_ client: SpeechClient?) {
    guard let client else { return giveUp() }
    let sounds = settings.earcons ? SpokenVoice(settings: settings) : nil
    while true {
      if client.takeEnd() { complete() }
      guard !client.isLost else { return giveUp() }
      switch nextWork() {
      case .say(let utterance):
        if let sounds, let earcon = utterance.earcon {
          sounds.speak(Utterance(text: "", language: utterance.language, earcon: earcon))
          sounds.finish(within: Self.longestSound)
        }
        client.say(
          SpeechText.forVoice(utterance.text, settings: settings),
          in: utterance.language)
      case .stop: client.stop()
      case .rest: client.wait(for: bell)
      case .end: return client.end()
      }
    }
  }

  /// The longest earcon, in seconds.
  private static let longestSound = 1.0

  private func nextWork() -> Work {
    state.change { state in
      if state.isClosed { return .end }
      if state.mustStop {
        state.mustStop = false
        return .stop
      }
      guard state.current == nil, !state.waiting.isEmpty else { return .rest }
      let next = state.waiting.removeFirst()
      state.current = next
      return .say(next)
    }
  }

  /// Ends the current utterance, unless it was silenced before.
  private func complete() {
    let handler = state.change { state -> (@Sendable () -> Void)? in
      guard state.current != nil else { return nil }
      state.current = nil
      return state.idleHandler
    }
    handler?()
  }

  /// Passes unspoken utterances to the fallback voice; the current one starts over.
  func giveUp() {
    let other = SpokenVoice(settings: settings)
    state.change { state in
      if let handler = state.idleHandler { other.onIdle(handler) }
      for utterance in [state.current].compactMap(\.self) + state.waiting { other.speak(utterance) }
      (state.current, state.waiting, state.other) = (nil, [], other)
    }
  }
}
