import CALSA
import Glibc

/// An open ALSA device in non-blocking mode: all waiting is in `poll`, together with the bell.
package final class ALSAOutput: SoundOutput {
  /// Milliseconds without progress after which the device counts as lost.
  private static let patience: Int32 = 2000
  private let device: OpaquePointer
  private let bell: WakePipe
  private let rate: Int
  private var period = 0
  /// Frames of silence behind the last words, in the device.
  private var padding = 0

  /// Opens a device by its ALSA name ("default").
  package init(name: String, rate: Int, bell: WakePipe) throws(SoundError) {
    _ = Self.quiet
    var opened: OpaquePointer?
    let status = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, 0x1)
    guard status == 0, let opened else { throw SoundError(code: -status) }
    device = opened
    self.bell = bell
    self.rate = rate
    // 0.1 s is enough to avoid underruns under load; a key press drops what is buffered.
    try check(
      snd_pcm_set_params(
        opened, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, UInt32(rate), 1, 100_000))
    var bufferFrames: snd_pcm_uframes_t = 0
    var periodFrames: snd_pcm_uframes_t = 0
    try check(snd_pcm_get_params(opened, &bufferFrames, &periodFrames))
    period = Int(min(periodFrames, 65_536))
  }

  deinit { snd_pcm_close(device) }

  package func write(_ samples: [Int16], unless isStopped: () -> Bool) throws(SoundError) {
    padding = 0
    try put(samples, unless: isStopped)
  }

  package func finish(unless isStopped: () -> Bool) throws(SoundError) {
    // A device plays whole periods, so silence has to follow the last word.
    let silence = [Int16](repeating: 0, count: period * 2)
    try put(silence, unless: isStopped)
    if isStopped() { return }
    padding = silence.count
    if snd_pcm_state(device) == SND_PCM_STATE_PREPARED { try check(snd_pcm_start(device)) }
    let end = Monotonic.now + Double(Self.patience) / 1000
    while !isStopped(), Monotonic.now < end {
      guard snd_pcm_state(device) == SND_PCM_STATE_RUNNING else { break }
      var delay: snd_pcm_sframes_t = 0
      guard snd_pcm_delay(device, &delay) == 0, Int(delay) > padding else { break }
      _ = bell.wait(milliseconds: Int32(clamping: (Int(delay) - padding) * 1000 / rate + 1))
    }
    if !isStopped() { drop() }
  }

  package func drop() {
    padding = 0
    snd_pcm_drop(device)
    snd_pcm_prepare(device)
  }

  private func put(_ samples: [Int16], unless isStopped: () -> Bool) throws(SoundError) {
    var done = 0
    var failures = 0
    while done < samples.count, !isStopped() {
      let count = samples.withUnsafeBytes { buffer in
        snd_pcm_writei(
          device, buffer.baseAddress.map { $0 + done * 2 },
          snd_pcm_uframes_t(samples.count - done))
      }
      if count > 0 {
        done += count
        failures = 0
      } else if count == 0 || count == -Int(EAGAIN) {
        try waitForRoom()
      } else {
        // EPIPE: underrun; ESTRPIPE: suspend. Other errors are not recovered.
        failures += 1
        guard failures <= 3 else { throw SoundError(code: Int32(clamping: -count)) }
        try check(snd_pcm_recover(device, Int32(clamping: count), 1))
      }
    }
  }

  /// Returns when there is room, or the bell has rung.
  private func waitForRoom() throws(SoundError) {
    if snd_pcm_state(device) == SND_PCM_STATE_PREPARED { try check(snd_pcm_start(device)) }
    let count = snd_pcm_poll_descriptors_count(device)
    guard (1...64).contains(count) else { throw SoundError(code: ENODEV) }
    var entries = [pollfd](repeating: pollfd(), count: Int(count) + 1)
    guard snd_pcm_poll_descriptors(device, &entries, UInt32(count)) == count else {
      throw SoundError(code: ENODEV)
    }
    entries[Int(count)] = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
    let end = Monotonic.now + Double(Self.patience) / 1000
    while true {
      let left = Int32(clamping: Int((end - Monotonic.now) * 1000))
      guard left > 0, poll(&entries, nfds_t(entries.count), left) > 0 else {
        throw SoundError(code: ETIMEDOUT)
      }
      if entries[Int(count)].revents != 0 { return bell.hear() }
      var events: UInt16 = 0
      try check(snd_pcm_poll_descriptors_revents(device, &entries, UInt32(count), &events))
      if events & UInt16(POLLNVAL) != 0 { throw SoundError(code: ENODEV) }
      if events != 0 { return }
    }
  }

  private func check(_ status: Int32) throws(SoundError) {
    if status < 0 { throw SoundError(code: -status) }
  }

  /// Silences the library, once, before the first call that could print.
  private static let quiet: Int32 = keydrag_alsa_be_quiet()
}
