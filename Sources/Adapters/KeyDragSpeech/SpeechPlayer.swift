/// Plays the queue's samples, on a thread of its own that owns the device.
struct SpeechPlayer {
  /// Milliseconds until a silent device is closed: opening one takes longer than a key press
  /// should, but an open one blocks other programs or keeps a headset awake.
  private static let quietTime: Int32 = 2000
  /// The sample rate of espeak-ng in hertz, used before it is loaded.
  private static let rate = 22_050

  let queue: SpeechQueue
  /// Called each time the device has to be opened.
  let opener: SoundOpener

  /// Plays until the voice is gone. Opens the device at once, so that the first word need not wait
  /// for it.
  func run() {
    var output: (any SoundOutput)?
    open(&output)
    while true {
      switch queue.nextWork() {
      case .stop: output?.drop()
      case .play(let samples, let turn): play(samples, turn, &output)
      case .complete(let turn): complete(turn, &output)
      case .rest:
        // One wait of a fixed length after the last sound, then an unlimited one.
        let heard = queue.bell.wait(milliseconds: output == nil ? -1 : Self.quietTime)
        if !heard { output = nil }
      case .end:
        output?.drop()
        return
      }
    }
  }

  private func open(_ output: inout (any SoundOutput)?) {
    do {
      output = try opener(Self.rate, queue.bell)
      queue.deviceWorks()
    } catch {
      queue.deviceFailed()
    }
  }

  /// Plays samples, unless their turn is over.
  private func play(_ samples: [Int16], _ turn: UInt64, _ output: inout (any SoundOutput)?) {
    if output == nil { open(&output) }
    do {
      try output?.write(samples) { queue.isOver(turn) }
    } catch {
      output = nil
      queue.deviceFailed()
    }
  }

  /// Blocks until an utterance has finished or was cut, then starts the next.
  private func complete(_ turn: UInt64, _ output: inout (any SoundOutput)?) {
    do {
      try output?.finish { queue.isOver(turn) }
    } catch {
      output = nil
      queue.deviceFailed()
    }
    queue.complete(turn)
  }
}
