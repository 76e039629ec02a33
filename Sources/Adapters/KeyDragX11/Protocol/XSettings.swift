/// The integers among the settings that a display's settings manager publishes for all programs
/// (XSETTINGS specification 0.5, "Format of the _XSETTINGS_SETTINGS property"). Pure. Strings and
/// colours are skipped; a malformed property is rejected as a whole.
struct XSettings: Hashable, Sendable {
  /// By name; of duplicates the last counts.
  private(set) var numbers: [String: Int32] = [:]

  /// Limits beyond any real desktop.
  static let mostBytes = 65_536
  private static let mostSettings = 4096

  /// Reads numbers in the byte order that the first byte names; `nil` for anything incomplete or
  /// above ``mostBytes``.
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

  /// Pixels per inch of text layout, with all scaling; `nil` when not set.
  ///
  /// `Xft/DPI` is in 1/1024 of it.
  ///
  /// - Parameter usual: used when only window scaling is set.
  func dotsPerInch(usual: Double) -> Double? {
    let windows = numbers["Gdk/WindowScalingFactor"].flatMap { (1...8).contains($0) ? $0 : nil }
    let text = numbers["Xft/DPI"].flatMap { $0 > 0 ? Double($0) / 1024 : nil }
    // Some managers report the text resolution without window scaling.
    let least = windows.map { Double($0) * 96 } ?? 0
    guard let text else { return windows.map { max(Double($0) * 96, usual) } }
    return windows ?? 1 > 1 ? max(text, least) : text
  }

  private struct Reader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private var place = 4

    init?(_ bytes: [UInt8]) {
      // One byte of byte order, and three of padding.
      guard bytes.count >= 12, bytes[0] <= 1 else { return nil }
      self.bytes = bytes
      isBigEndian = bytes[0] == 1
    }

    /// `false` when fewer bytes remain.
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

    /// Bytes padded to a multiple of four.
    mutating func padded(_ count: Int) -> ArraySlice<UInt8>? {
      let start = place
      guard skip(count), skip((4 - count % 4) % 4) else { return nil }
      return bytes[start..<start + count]
    }
  }
}
