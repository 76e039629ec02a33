import KeyDragCore
import KeyDragThreads

/// Speaks through the sound device: espeak-ng synthesises, and a thread of its own plays.
///
/// Without a sound device every utterance ends at once, silently; a device that appears later is
/// used. `problem` reports the device after the first utterance.
package final class SpokenVoice: Voice {
  private let queue: SpeechQueue

  /// Opens an ALSA device and loads the voice of `language` in the background.
  package convenience init(
    settings: SpeechSettings = SpeechSettings(), language: String = "en", device: String = "default"
  ) {
    self.init(settings: settings, language: language, opening: StandardSound.opener(device))
  }

  package init(
    settings: SpeechSettings, language: String, opening opener: @escaping SoundOpener
  ) {
    let queue = SpeechQueue(settings: settings)
    self.queue = queue
    queue.prepare(language: language)
    let isRunning = BackgroundThread.start { SpeechPlayer(queue: queue, opener: opener).run() }
    if !isRunning { queue.loseThread() }
  }

  deinit { queue.close() }

  package func speak(_ utterance: Utterance) { queue.add(utterance) }

  package func silence() { queue.silence() }

  package func finish(within deadline: Double) { queue.finish(within: deadline) }

  /// Called after each utterance that was played to its end, not after a silenced one.
  package func onIdle(_ handler: @escaping @Sendable () -> Void) { queue.setIdleHandler(handler) }

  package var problem: Problem? { queue.problem }
}
