/// Finds out whether a picture was cut off: what is missing at the end of a PNG or a JPEG is no error
/// to gdk-pixbuf, which leaves the rest of the picture empty.
enum ImageTrailer {
  /// Whether the end of the picture is there; of other formats nothing is said.
  static func isThere(in data: [UInt8]) -> Bool {
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return isWholePNG(data) }
    if data.starts(with: [0xFF, 0xD8]) { return isWholeJPEG(data) }
    return true
  }

  /// From chunk to chunk, each with its length in front and a checksum behind.
  private static func isWholePNG(_ data: [UInt8]) -> Bool {
    var offset = 8
    while offset + 12 <= data.count {
      let length = data[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
      if data[(offset + 4)..<(offset + 8)].elementsEqual("IEND".utf8) { return true }
      offset += 12 + length
    }
    return false
  }

  /// From segment to segment as far as the picture, in which the end has a mark of its own; a preview
  /// with an end of its own lies in a segment before.
  private static func isWholeJPEG(_ data: [UInt8]) -> Bool {
    var offset = 2
    while offset + 4 <= data.count {
      guard data[offset] == 0xFF else { return false }
      let mark = data[offset + 1]
      if mark == 0xFF {
        offset += 1
        continue
      }
      if mark == 0xDA { break }
      offset += 2 + (Int(data[offset + 2]) << 8 | Int(data[offset + 3]))
    }
    var rest = data.dropFirst(offset)
    while let start = rest.firstIndex(of: 0xFF) {
      rest = rest[(start + 1)...]
      if rest.first == 0xD9 { return true }
    }
    return false
  }
}
