/// The 44 bytes before the samples of a RIFF file (Multimedia Programming Interface and Data
/// Specifications 1.0, "Waveform Audio File Format"): one channel of 16-bit samples.
package enum WaveHeader {
  package static let length = 44
  /// The most bytes of samples that the 32-bit sizes can tell, even.
  package static let longestData = Int(UInt32.max) - length

  /// The header for `dataBytes` of samples at `rate` a second.
  package static func bytes(rate: Int, dataBytes: Int) -> [UInt8] {
    let data = UInt32(clamping: min(dataBytes, longestData))
    let rate = UInt32(clamping: rate)
    var result: [UInt8] = []
    result += "RIFF".utf8
    result += little(UInt32(length - 8) + data)
    result += "WAVEfmt ".utf8
    result += little(UInt32(16))
    result += little(UInt16(1))  // PCM
    result += little(UInt16(1))  // one channel
    result += little(rate)
    result += little(rate * 2)  // bytes a second
    result += little(UInt16(2))  // bytes a frame
    result += little(UInt16(16))  // bits a sample
    result += "data".utf8
    result += little(data)
    return result
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
