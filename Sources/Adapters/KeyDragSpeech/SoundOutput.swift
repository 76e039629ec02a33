/// Why sound cannot be played.
package struct SoundError: Error, Hashable {
  /// The code the sound system gave, positive as in errno.
  package var code: Int32

  package init(code: Int32) { self.code = code }
}

/// Something that plays samples, used by the one thread that opened it.
package protocol SoundOutput: AnyObject {
  /// Hands samples over, waiting while there is no room; ends early once `isStopped` holds, which
  /// is looked at after every ring of the bell.
  func write(_ samples: [Int16], unless isStopped: () -> Bool) throws(SoundError)

  /// Waits until all that was written has been heard, or `isStopped` holds.
  func finish(unless isStopped: () -> Bool) throws(SoundError)

  /// Ends the sound at once and forgets what was written.
  func drop()
}

/// Opens an output for 16-bit mono samples at a rate; the bell is what ends its waiting.
package typealias SoundOpener =
  @Sendable (_ rate: Int, _ bell: Bell) throws(SoundError) -> any SoundOutput
