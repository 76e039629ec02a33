import Glibc
import KeyDragCore

/// An open WAV file with a valid header after every append, so that a killed process leaves a
/// recording that plays.
final class WaveFile {
  private let descriptor: Int32
  /// For error messages.
  private let path: String
  /// In bytes of samples.
  private let longest: Int
  /// The bytes of samples in the file.
  private var dataBytes = 0

  /// Creates the file for its owner alone, or truncates an older recording of ours; any other file
  /// is left alone, and no symbolic link is followed.
  ///
  /// - Parameter longest: the most bytes of samples.
  init(path: String, rate: Int, longest: Int = WaveHeader.longestData) throws(RecordingError) {
    // Without O_NONBLOCK a FIFO would hang until it has a reader.
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw RecordingError(path: path, code: errno) }
    self.descriptor = descriptor
    self.path = path
    self.longest = min(longest, WaveHeader.longestData)
    if let reason = Self.objection(to: descriptor) {
      throw RecordingError(path: path, reason: reason)
    }
    guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
      throw RecordingError(path: path, code: errno)
    }
    try write(WaveHeader.bytes(rate: rate, dataBytes: 0), at: 0)
  }

  deinit { close(descriptor) }

  var isEmpty: Bool { dataBytes == 0 }

  /// Appends samples; on failure the file is unchanged.
  func append(_ samples: [Int16], rate: Int) throws(RecordingError) {
    let bytes = samples.map(\.littleEndian).withUnsafeBytes { Array($0) }
    guard dataBytes + bytes.count <= longest else {
      throw RecordingError(path: path, reason: .tooLarge)
    }
    let end = WaveHeader.length + dataBytes
    do {
      try write(bytes, at: end)
    } catch {
      _ = ftruncate(descriptor, off_t(end))
      throw error
    }
    // The sizes come last, once their data is there.
    try write(WaveHeader.bytes(rate: rate, dataBytes: dataBytes + bytes.count), at: 0)
    dataBytes += bytes.count
  }

  /// Writes all bytes, or throws with some of them written.
  private func write(_ bytes: [UInt8], at offset: Int) throws(RecordingError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw RecordingError(path: path, code: count == 0 ? EIO : errno)
      }
      done += count
    }
  }

  /// The reason why this open file must not be overwritten.
  private static func objection(to descriptor: Int32) -> Reason? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .deviceError }
    guard status.st_mode & S_IFMT == S_IFREG else { return .specialFile }
    guard status.st_size > 0 else { return nil }
    var head = [UInt8](repeating: 0, count: WaveHeader.length)
    let count = pread(descriptor, &head, head.count, 0)
    return WaveHeader.isOurs(Array(head.prefix(max(count, 0)))) ? nil : .wrongType
  }
}
