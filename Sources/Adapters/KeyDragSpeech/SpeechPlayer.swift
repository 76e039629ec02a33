/// Plays what the queue holds; lives on a thread of its own and owns the device.
struct SpeechPlayer {
  /// How long a quiet device stays open, in milliseconds: opening one takes longer than a key press
  /// should, an open one keeps others out or a headset awake.
  private static let quietTime: Int32 = 2000
  /// The sample rate of espeak-ng in hertz, known before it is asked.
  private static let rate = 22_050

  /// The source of its work.
  let queue: SpeechQueue
  /// Opens the device, each time anew.
  let opener: SoundOpener

  /// Plays until the voice is gone. The device is opened at once, so that the first word need not
  /// wait for it.
  func run() {
    var output: (any SoundOutput)?
    open(&output)
    while true {
      switch queue.nextWork() {
      case .stop: output?.drop()
      case .play(let samples, let turn): play(samples, turn, &output)
      case .complete(let turn): complete(turn, &output)
      case .rest:
        // One wait of a fixed length after the last sound, then none until there is work.
        let heard = queue.bell.wait(milliseconds: output == nil ? -1 : Self.quietTime)
        if !heard { output = nil }
      case .end:
        output?.drop()
        return
      }
    }
  }

  /// Opens the device and tells the queue whether that worked.
  private func open(_ output: inout (any SoundOutput)?) {
    do {
      output = try opener(Self.rate, queue.bell)
      queue.deviceWorks()
    } catch {
      queue.deviceFailed()
    }
  }

  /// Plays samples, unless their turn is over meanwhile.
  private func play(_ samples: [Int16], _ turn: UInt64, _ output: inout (any SoundOutput)?) {
    if output == nil { open(&output) }
    do {
      try output?.write(samples) { queue.isOver(turn) }
    } catch {
      output = nil
      queue.deviceFailed()
    }
  }

  /// Waits until a turn has been heard, and has the next begin, whether it was heard or not.
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
