import Foundation

/// Small files of several kinds, made for the cases.
enum SampleFiles {
  /// A picture of 32 by 32 red dots, as a file of the kind that every program reads: uncompressed
  /// PNG, by hand.
  static let red = png(red: 200, green: 30, blue: 30)
  static let blue = png(red: 30, green: 30, blue: 200)

  private static func png(red: UInt8, green: UInt8, blue: UInt8) -> Data {
    let size = 32
    var header = Data(bytes(UInt32(size)) + bytes(UInt32(size)))
    header += [8, 2, 0, 0, 0]
    var rows = Data()
    for _ in 0..<size {
      rows.append(0)
      for _ in 0..<size { rows += [red, green, blue] }
    }
    // One stored block of RFC 1951 in the frame of RFC 1950.
    let length = UInt16(rows.count)
    var body = Data([0x78, 0x01, 1, UInt8(length & 255), UInt8(length >> 8)])
    body += [UInt8(~length & 255), UInt8(~length >> 8)]
    body += rows + Data(bytes(adler(rows)))
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      + chunk("IHDR", header) + chunk("IDAT", body) + chunk("IEND", Data())
  }

  private static func chunk(_ name: String, _ data: Data) -> Data {
    let named = Data(name.utf8) + data
    return Data(bytes(UInt32(data.count))) + named + Data(bytes(crc(named)))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8((number >> $0) & 255) }
  }

  private static func adler(_ data: Data) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static func crc(_ data: Data) -> UInt32 {
    var sum = UInt32.max
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  /// One empty page.
  static let page: Data = {
    let objects = [
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>",
    ]
    var text = "%PDF-1.4\n"
    var starts: [Int] = []
    for (index, object) in objects.enumerated() {
      starts.append(text.utf8.count)
      text += "\(index + 1) 0 obj\(object)endobj\n"
    }
    let table = text.utf8.count
    text += "xref\n0 4\n0000000000 65535 f \n"
    for start in starts { text += String(format: "%010d 00000 n \n", start) }
    text += "trailer<</Size 4/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n"
    return Data(text.utf8)
  }()

  /// Three minutes without a sound, so that a player does not come to the end.
  static let silence: Data = {
    let count: UInt32 = 8_000 * 180
    func little(_ number: UInt32) -> [UInt8] { bytes(number).reversed() }
    var data = Data("RIFF".utf8) + little(36 + count) + Data("WAVEfmt ".utf8)
    data += little(16) + [1, 0, 1, 0] + little(8_000) + little(8_000) + [1, 0, 8, 0]
    return data + Data("data".utf8) + little(count) + Data(repeating: 128, count: Int(count))
  }()
}
