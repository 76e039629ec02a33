/// Detects truncated PNG and JPEG data, which gdk-pixbuf decodes without an error.
enum ImageTrailer {
  /// `true` for other formats.
  static func isThere(in data: [UInt8]) -> Bool {
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return isWholePNG(data) }
    if data.starts(with: [0xFF, 0xD8]) { return isWholeJPEG(data) }
    return true
  }

  /// Walks the chunks, each with a length before its data and a checksum after it.
  private static func isWholePNG(_ data: [UInt8]) -> Bool {
    var offset = 8
    while offset + 12 <= data.count {
      let length = data[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
      if data[(offset + 4)..<(offset + 8)].elementsEqual("IEND".utf8) { return true }
      offset += 12 + length
    }
    return false
  }

  /// Skips the segments, which may hold a preview with an end marker of its own, then finds the
  /// image's end marker.
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
