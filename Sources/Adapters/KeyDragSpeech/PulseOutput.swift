import CPulse
import Glibc

/// A stream to the person's sound server, PulseAudio or PipeWire. The server owns the sound card,
/// and ALSA reaches it only through a plug-in, which not every machine has.
///
/// Writes block, so they are made in small parts, each only if it is still wanted.
final class PulseOutput: SoundOutput {
  /// The number of writes for a second of sound; the server buffers two of them.
  private static let parts = 20
  private let stream: OpaquePointer
  /// Rings when there is other work.
  private let bell: WakePipe
  /// In hertz.
  private let rate: Int

  /// - Parameter server: an address from ``server(_:)``.
  init(server: String, rate: Int, bell: WakePipe) throws(SoundError) {
    self.rate = rate
    self.bell = bell
    var samples = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: UInt32(rate), channels: 1)
    let room = UInt32(rate * 2 / Self.parts * 2)
    // Played from the first sample on: a word is shorter than the server's usual prebuffer.
    var buffer = pa_buffer_attr(
      maxlength: .max, tlength: room, prebuf: 0, minreq: .max, fragsize: .max)
    var error: Int32 = 0
    guard
      let stream = pa_simple_new(
        server, "KeyDrag", PA_STREAM_PLAYBACK, nil, "KeyDrag", &samples, nil, &buffer, &error)
    else { throw SoundError(code: ENODEV) }
    self.stream = stream
  }

  deinit { pa_simple_free(stream) }

  /// Writes samples, a twentieth of a second at a time.
  func write(_ samples: [Int16], unless isStopped: () -> Bool) throws(SoundError) {
    var start = 0
    while start < samples.count, !isStopped() {
      let end = min(start + rate / Self.parts, samples.count)
      var error: Int32 = 0
      let status = samples[start..<end].withUnsafeBytes { bytes in
        pa_simple_write(stream, bytes.baseAddress, bytes.count, &error)
      }
      guard status >= 0 else { throw SoundError(code: EIO) }
      start = end
    }
  }

  /// Waits until everything has been played, two seconds at most.
  func finish(unless isStopped: () -> Bool) throws(SoundError) {
    var error: Int32 = 0
    // A hung server may report any latency.
    let left = min(Double(pa_simple_get_latency(stream, &error)) / 1_000_000, 2)
    let end = Monotonic.now + left
    while !isStopped(), Monotonic.now < end {
      _ = bell.wait(milliseconds: Int32((end - Monotonic.now) * 1000) + 1)
    }
  }

  /// Discards what has not been played.
  func drop() {
    var error: Int32 = 0
    _ = pa_simple_flush(stream, &error)
  }

  /// The address of the person's server; `nil` if there is none. Its library is not used, since
  /// that would start one.
  static func server(_ environment: (String) -> String?) -> String? {
    if let server = environment("PULSE_SERVER"), !server.isEmpty { return server }
    guard let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
    let path = folder + "/pulse/native"
    return access(path, W_OK) == 0 ? "unix:\(path)" : nil
  }
}

/// Opens the person's sound output.
package enum StandardSound {
  /// Opens an ALSA device, with the sound server as the fallback.
  ///
  /// - Parameter device: an ALSA name; only "default" has the fallback.
  package static func opener(_ device: String) -> SoundOpener {
    let alsa: SoundOpener = { rate, bell throws(SoundError) in
      try ALSAOutput(name: device, rate: rate, bell: bell)
    }
    guard device == "default" else { return alsa }
    return first(alsa) { rate, bell throws(SoundError) in
      let server = PulseOutput.server { name in getenv(name).map { String(cString: $0) } }
      guard let server else { throw SoundError(code: ENODEV) }
      return try PulseOutput(server: server, rate: rate, bell: bell)
    }
  }

  /// Opens the first that works; if neither does, the error is that of the first.
  static func first(_ one: @escaping SoundOpener, or other: @escaping SoundOpener) -> SoundOpener {
    { rate, bell throws(SoundError) in
      do throws(SoundError) {
        return try one(rate, bell)
      } catch {
        guard let output = try? other(rate, bell) else { throw error }
        return output
      }
    }
  }
}
