/// The reason why sound can't be played.
package struct SoundError: Error, Hashable {
  /// The sound system's code, positive as in errno.
  package var code: Int32

  package init(code: Int32) { self.code = code }
}

/// Plays samples; confined to the thread that opened it.
package protocol SoundOutput: AnyObject {
  /// Writes samples, waiting while there is no room; ends early once `isStopped` holds, which is
  /// checked after every ring of the bell.
  func write(_ samples: [Int16], unless isStopped: () -> Bool) throws(SoundError)

  /// Waits until everything written has been played, or `isStopped` holds.
  func finish(unless isStopped: () -> Bool) throws(SoundError)

  /// Stops at once, and discards what was written.
  func drop()
}

/// Opens an output for 16-bit mono samples at a rate; the bell interrupts its waits.
package typealias SoundOpener =
  @Sendable (_ rate: Int, _ bell: WakePipe) throws(SoundError) -> any SoundOutput
