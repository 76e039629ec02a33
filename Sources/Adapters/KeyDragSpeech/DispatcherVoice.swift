import Glibc
import KeyDragCore
import KeyDragThreads

/// Speaks through speech-dispatcher, with the synthesizer, the voice and the rate that the person
/// has set there.
///
/// The service is started where it does not run. Where it can't be had, or says nothing of a
/// message for some seconds, the message and all that follow are said by ``SpokenVoice``.
///
/// All calls return at once, but for ``finish(within:)``.
package final class DispatcherVoice: Voice {
  /// Shared with the thread.
  private let queue: DispatcherQueue

  /// Begins to reach the service, and returns at once.
  ///
  /// - Parameter settings: of the voice that speaks where there is no service; the service is told
  ///   none of them, and short sounds come before its words where they are wanted.
  package init(_ service: SpeechService, settings: SpeechSettings) {
    let queue = DispatcherQueue(settings)
    self.queue = queue
    if !BackgroundThread.start({ queue.serve(SpeechClient(service)) }) { queue.giveUp() }
  }

  deinit { queue.close() }

  /// Adds to what is said, here or by the other voice.
  package func speak(_ utterance: Utterance) { queue.add(utterance) }

  /// Stops what is being said, and forgets what waits.
  package func silence() { queue.silence() }

  package func finish(within deadline: Double) { queue.finish(within: deadline) }

  package func onIdle(_ handler: @escaping @Sendable () -> Void) { queue.setIdleHandler(handler) }

  /// That of the other voice, if it speaks; the service tells of none.
  package var problem: Problem? { queue.other?.problem }
}

/// What waits to be said and what is being said: shared by the voice and the thread that serves it.
private final class DispatcherQueue: Sendable {
  /// Everything behind the lock.
  private struct Utterances {
    /// In the order in which they are said.
    var waiting: [Utterance] = []
    /// The utterance that was given to the service and is not over.
    var current: Utterance?
    /// The service has to be told of a silence.
    var mustStop = false
    /// The voice is gone.
    var isClosed = false
    /// Called at the end of each utterance.
    var idleHandler: (@Sendable () -> Void)?
    /// Speaks from now on, in place of the service.
    var other: SpokenVoice?
  }

  /// The thread's next task.
  private enum Work {
    case say(Utterance)
    case stop
    /// Wait for the bell or an event.
    case rest
    case end
  }

  /// Both sides wait on it.
  private let state = Monitor(Utterances())
  /// Wakes the thread.
  private let bell = Bell()
  /// Of the voice that speaks in place of the service.
  private let settings: SpeechSettings

  /// Nothing waits yet.
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

  /// Waits until all has been said, by whoever says it.
  func finish(within deadline: Double) {
    let end = Monotonic.now + deadline
    _ = state.wait(atMost: deadline) { $0.waiting.isEmpty && $0.current == nil }
    other?.finish(within: end - Monotonic.now)
  }

  func setIdleHandler(_ handler: @escaping @Sendable () -> Void) {
    change { $0.idleHandler = handler }?.onIdle(handler)
  }

  /// Ends the thread.
  func close() { change { $0.isClosed = true } }

  /// `nil` while the service speaks.
  var other: SpokenVoice? { state.read { $0.other } }

  /// Makes a change for the thread, or gives the voice that speaks in place of the service.
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

  /// Returns when the voice is gone, or the service does not do what it is asked.
  ///
  /// - Parameter client: `nil` where the service can't be reached.
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

  /// Of a short sound, in seconds.
  private static let longestSound = 1.0

  /// The thread's next task.
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

  /// The utterance is over, unless it was silenced before.
  private func complete() {
    let handler = state.change { state -> (@Sendable () -> Void)? in
      guard state.current != nil else { return nil }
      state.current = nil
      return state.idleHandler
    }
    handler?()
  }

  /// Hands over to the other voice what has not been said.
  ///
  /// The one that was being said is said again from its beginning.
  func giveUp() {
    let other = SpokenVoice(settings: settings)
    state.change { state in
      if let handler = state.idleHandler { other.onIdle(handler) }
      for utterance in [state.current].compactMap(\.self) + state.waiting { other.speak(utterance) }
      (state.current, state.waiting, state.other) = (nil, [], other)
    }
  }
}
