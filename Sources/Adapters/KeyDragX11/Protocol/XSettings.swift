/// The settings that the person has made for all programs of a display, as its settings manager
/// tells them (XSETTINGS specification 0.5, "Format of the _XSETTINGS_SETTINGS property"): the
/// whole numbers among them.
///
/// A property that does not keep to the specification is not believed at all.
///
/// Pure. Strings and colours are passed over.
struct XSettings: Hashable, Sendable {
  /// By name. The last of two of one name counts.
  private(set) var numbers: [String: Int32] = [:]

  /// More bytes than this are not read, and more settings than this no desktop has.
  static let mostBytes = 65_536
  private static let mostSettings = 4096

  /// Numbers are in the byte order that the first byte names. `nil` for anything that is not all
  /// there.
  ///
  /// - Parameter bytes: the property's; at most ``mostBytes``.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes, var reader = Reader(bytes) else { return nil }
    guard reader.skip(4), let count = reader.number(bytes: 4), count <= Self.mostSettings else {
      return nil
    }
    for _ in 0..<count {
      guard let type = reader.number(bytes: 1), reader.skip(1),
        let length = reader.number(bytes: 2), let name = reader.padded(length), reader.skip(4)
      else { return nil }
      switch type {
      // 0 is a number, 1 a string, 2 a colour of four 16-bit values.
      case 0:
        guard let value = reader.number(bytes: 4) else { return nil }
        numbers[String(decoding: name, as: UTF8.self)] = Int32(bitPattern: UInt32(value))
      case 1:
        guard let length = reader.number(bytes: 4), reader.padded(length) != nil else { return nil }
      case 2:
        guard reader.skip(8) else { return nil }
      default: return nil
      }
    }
  }

  /// Pixels per inch as programs lay out text, with everything that enlarges it; `nil` where
  /// nothing is said of it.
  ///
  /// `Xft/DPI` is in 1/1024 of it.
  ///
  /// - Parameter usual: where only the enlargement of whole windows is said.
  func dotsPerInch(usual: Double) -> Double? {
    let windows = numbers["Gdk/WindowScalingFactor"].flatMap { (1...8).contains($0) ? $0 : nil }
    let text = numbers["Xft/DPI"].flatMap { $0 > 0 ? Double($0) / 1024 : nil }
    // Some managers tell of the text without the enlargement of its window.
    let least = windows.map { Double($0) * 96 } ?? 0
    guard let text else { return windows.map { max(Double($0) * 96, usual) } }
    return windows ?? 1 > 1 ? max(text, least) : text
  }

  /// Goes through the bytes once; every step says whether there were enough of them.
  private struct Reader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private var place = 4

    init?(_ bytes: [UInt8]) {
      // One byte of order, and three that fill up.
      guard bytes.count >= 12, bytes[0] <= 1 else { return nil }
      self.bytes = bytes
      isBigEndian = bytes[0] == 1
    }

    /// `false` where there are fewer bytes left.
    mutating func skip(_ count: Int) -> Bool {
      guard count <= bytes.count - place else { return false }
      place += count
      return true
    }

    /// Unsigned, of 1 to 4 bytes.
    mutating func number(bytes count: Int) -> Int? {
      let start = place
      guard skip(count) else { return nil }
      let ordered = isBigEndian ? Array(bytes[start..<place]) : bytes[start..<place].reversed()
      return ordered.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Bytes that are filled up to a multiple of four.
    mutating func padded(_ count: Int) -> ArraySlice<UInt8>? {
      let start = place
      guard skip(count), skip((4 - count % 4) % 4) else { return nil }
      return bytes[start..<start + count]
    }
  }
}
