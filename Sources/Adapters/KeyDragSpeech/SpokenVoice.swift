import KeyDragCore
import KeyDragThreads

/// Speaks through the sound device: espeak-ng makes the words, a thread of its own plays them.
///
/// Without a sound device every utterance is done at once, silently; a device that appears later is
/// used. `problem` tells about the device once the first utterance is done.
package final class SpokenVoice: Voice {
  private let queue: SpeechQueue

  /// Begins to open the device and to load the voice of `language`, and returns at once.
  ///
  /// `device` is an ALSA name.
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

  /// Called after each utterance that was said to its end, not after one that was silenced.
  package func onIdle(_ handler: @escaping @Sendable () -> Void) { queue.setIdleHandler(handler) }

  package var problem: Problem? { queue.problem }
}
