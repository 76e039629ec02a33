/// The header of a RIFF file (Multimedia Programming Interface and Data Specifications 1.0,
/// "Waveform Audio File Format"): one channel of 16-bit samples, and in an INFO list the name of
/// the software, which tells our recordings from a person's other sounds.
package enum WaveHeader {
  package static let length = 44 + software.count
  /// The most bytes of samples that the 32-bit sizes allow, even.
  package static let longestData = Int(UInt32.max) - length

  private static let software: [UInt8] =
    Array("LIST".utf8) + little(UInt32(20)) + Array("INFOISFT".utf8) + little(UInt32(8))
    + Array("KeyDrag\0".utf8)

  /// Whether a file that begins like this is a recording of KeyDrag's.
  static func isOurs(_ head: [UInt8]) -> Bool {
    let start = bytes(rate: 0, dataBytes: 0)
    let form = 8..<12
    let list = length - 8 - software.count..<length - 8
    return head.count >= length && head.starts(with: "RIFF".utf8) && head[form] == start[form]
      && head[list] == start[list]
  }

  /// The header for `dataBytes` of samples at `rate` hertz.
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
    result += software
    result += "data".utf8
    result += little(data)
    return result
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
