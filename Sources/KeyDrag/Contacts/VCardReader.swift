/// A property of a vCard that is used here.
struct VCardProperty {
  /// In upper case, without its group.
  var name: String
  var isQuotedPrintable: Bool
  /// In upper case; empty for UTF-8.
  var charset: String
  var value: ArraySlice<UInt8>

  /// The value as one line of text, with the parts of a name in spoken order.
  func text() throws(Reason) -> String {
    let bytes = isQuotedPrintable ? try VCardText.unquoted(value) : Array(value)
    let whole = try VCardText.decoded(bytes, charset)
    switch name {
    case "N":
      let parts = VCardText.parts(whole)
      // Prefix, given, additional and family name, suffix.
      return [3, 1, 2, 0, 4].filter(parts.indices.contains).map { parts[$0] }
        .filter { !$0.isEmpty }.joined(separator: " ")
    case "ORG": return VCardText.parts(whole).first ?? ""
    default: return VCardText.parts(whole, areSplit: false).first ?? ""
    }
  }
}

/// Reads vCards one after the other (RFC 6350, RFC 2426 and the older 2.1), in one pass.
///
/// Lines are unfolded as bytes, because programs fold in the middle of characters.
struct VCardReader {
  /// In bytes; the limit of a property that is used. Photos and keys may be longer.
  static let longestValue = 65_536
  private static let read: Set<String> = ["FN", "N", "NICKNAME", "ORG", "EMAIL", "TEL", "CLASS"]
  private static let mostProperties = 1_000

  private static let beginning = "BEGIN:VCARD"
  /// More carriage returns than programs put before a line feed.
  private static let mostReturns = 4

  private let data: [UInt8]
  private var offset = 0
  /// The properties so far of the current card.
  private var properties: [VCardProperty] = []

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ data: [UInt8]) {
    self.data = VCardText.unwidened(data) ?? data
    skipMark()
  }

  /// Files put behind one another have a byte order mark each.
  private mutating func skipMark() {
    if data[offset...].starts(with: Self.mark) { offset += Self.mark.count }
  }

  /// The next card with its bytes; `nil` at the end.
  mutating func next() throws(Reason) -> (properties: [VCardProperty], source: [UInt8])? {
    var start = offset
    var isInside = false
    properties = []
    while offset < data.count {
      if !isInside { skipMark() }
      let begin = offset
      let line = try nextLine()
      if line.isEmpty { continue }
      switch String(decoding: line.prefix(12), as: UTF8.self).uppercased() {
      case Self.beginning:
        // Cards can't be nested: the first one has no end.
        guard !isInside else {
          offset = begin
          throw .malformed
        }
        isInside = true
        start = begin
      case "END:VCARD":
        guard isInside else { throw .malformed }
        return (properties, Array(data[start..<offset]) + (endsLine ? [] : [0x0D, 0x0A]))
      default:
        guard isInside else { throw .malformed }
        guard let property = try Self.property(line) else { continue }
        guard properties.count < Self.mostProperties else { throw .tooBig }
        properties.append(property)
      }
    }
    guard !isInside else { throw .malformed }
    return nil
  }

  /// The name of the current card, as far as it was read; empty for none.
  var name: String {
    for wanted in ["FN", "N", "NICKNAME", "ORG", "EMAIL", "TEL"] {
      let property = properties.first { $0.name == wanted }
      if let text = try? property?.text(), !text.isEmpty { return text }
    }
    return ""
  }

  /// Skips to the card after an unreadable one; `false` if there is none.
  mutating func skipToNext() -> Bool {
    while offset < data.count {
      let rest = data[offset...]
      let head = String(decoding: rest.prefix(Self.beginning.utf8.count), as: UTF8.self)
      if head.uppercased() == Self.beginning { return true }
      offset = rest.firstIndex(where: Self.isBreak) ?? data.count
      while offset < data.count, Self.isBreak(data[offset]) { offset += 1 }
      skipMark()
    }
    return false
  }

  private var endsLine: Bool { offset > 0 && Self.isBreak(data[offset - 1]) }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// One unfolded line, without its end.
  private mutating func nextLine() throws(Reason) -> ArraySlice<UInt8> {
    var line = try physicalLine()
    let isQuoted = Self.head(line).contains("QUOTED-PRINTABLE")
    while offset < data.count {
      if data[offset] == 0x20 || data[offset] == 0x09, !line.isEmpty {
        offset += 1
        line += try physicalLine()
      } else if isQuoted, line.last == UInt8(ascii: "=") {
        line.removeLast()
        line += try physicalLine()
      } else {
        break
      }
    }
    // Trailing blanks of BEGIN and END have no meaning.
    while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
    return line
  }

  private mutating func physicalLine() throws(Reason) -> ArraySlice<UInt8> {
    let start = offset
    while offset < data.count, !Self.isBreak(data[offset]) {
      if data[offset] == 0 { throw .malformed }
      offset += 1
    }
    let line = data[start..<offset]
    guard offset < data.count else { return line }
    // Programs that write in text mode put a second carriage return before the line feed.
    let returns = data[offset...].prefix(Self.mostReturns).prefix { $0 == 0x0D }
    let isEndedByFeed = returns.endIndex < data.count && data[returns.endIndex] == 0x0A
    offset = isEndedByFeed ? returns.endIndex + 1 : offset + 1
    return line
  }

  /// The text before the value, in upper case.
  private static func head(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.prefix(256).prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
      .uppercased()
  }

  /// `nil` for a property that is not used.
  private static func property(_ line: ArraySlice<UInt8>) throws(Reason) -> VCardProperty? {
    var isInQuotes = false
    let colon = line.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
      return byte == UInt8(ascii: ":") && !isInQuotes
    }
    guard let colon else { throw .malformed }
    let head = String(decoding: line[..<colon].prefix(1_024), as: UTF8.self).uppercased()
    let words = head.split(separator: ";")
    // A group, as in item1.EMAIL, ties a label to it.
    let name = words.first?.split(separator: ".").last.map(String.init) ?? ""
    guard read.contains(name) else { return nil }
    let value = line[(colon + 1)...]
    guard value.count <= longestValue else { throw .tooBig }
    var property = VCardProperty(
      name: name, isQuotedPrintable: false, charset: "", value: value)
    for word in words.dropFirst() {
      if word.hasSuffix("QUOTED-PRINTABLE") { property.isQuotedPrintable = true }
      if word.hasPrefix("CHARSET=") {
        property.charset = word.dropFirst("CHARSET=".count).filter { $0 != "\"" }
      }
    }
    return property
  }
}

enum VCardText {
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", ",", ";": result += "\\\(character)"
      case _ where character.isNewline: result += "\\n"
      default: result.append(character)
      }
    }
    return result
  }

  /// The parts between semicolons, unescaped and on one line.
  static func parts(_ text: String, areSplit: Bool = true) -> [String] {
    var parts = [""]
    var isEscaped = false
    for scalar in text.unicodeScalars {
      let last = parts.count - 1
      if isEscaped {
        isEscaped = false
        let isBreak = scalar == "n" || scalar == "N"
        parts[last].unicodeScalars.append(isBreak ? " " : scalar)
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == ";", areSplit {
        parts.append("")
      } else {
        let isBlank = scalar.properties.isWhitespace
        parts[last].unicodeScalars.append(isBlank ? " " : scalar)
      }
    }
    return parts.map(trimmed)
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0 == " " }
    guard let end = start.lastIndex(where: { $0 != " " }) else { return "" }
    return String(start[...end])
  }

  /// Decodes quoted-printable text such as "=C3=A9" (RFC 2045).
  static func unquoted(_ value: ArraySlice<UInt8>) throws(Reason) -> [UInt8] {
    guard let bytes = PercentEncoding.decoded(value, after: UInt8(ascii: "=")), !bytes.contains(0)
    else { throw .malformed }
    return bytes
  }

  /// Decodes UTF-8, or the charset that an older card names.
  static func decoded(_ bytes: [UInt8], _ charset: String) throws(Reason) -> String {
    switch charset {
    // The names of UTF-16 apply to a whole file, which has been converted to UTF-8.
    case "", "UTF-8", "UTF8", "US-ASCII", "UTF-16", "UTF16", "UTF-16LE", "UTF-16BE", "UNICODE":
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
      return text
    case "ISO-8859-1", "ISO8859-1", "LATIN1", "WINDOWS-1252", "CP1252":
      var text = String.UnicodeScalarView()
      for byte in bytes {
        guard let scalar = western(byte) else { throw .malformed }
        text.append(scalar)
      }
      return String(text)
    default: throw .malformed
    }
  }

  /// A byte of Windows-1252, which programs write when they say Latin 1 (WHATWG Encoding).
  private static func western(_ byte: UInt8) -> Unicode.Scalar? {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    let value = windowsSigns[Int(byte) - 0x80]
    return value == 0 ? nil : Unicode.Scalar(value)
  }

  /// The characters from 0x80 to 0x9F; 0 for an unassigned byte.
  private static let windowsSigns: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// The UTF-8 of a file in UTF-16, as telephones and Windows export it; `nil` for any other.
  ///
  /// Without a byte order mark it is recognised by the first two characters, which are ASCII in a
  /// vCard. An unpaired surrogate becomes a byte that is invalid in UTF-8, so that its card alone
  /// is damaged.
  static func unwidened(_ data: [UInt8]) -> [UInt8]? {
    let zeros = data.prefix(4).map { $0 == 0 }
    let isLow = data.starts(with: [0xFF, 0xFE]) || zeros == [false, true, false, true]
    let isHigh = data.starts(with: [0xFE, 0xFF]) || zeros == [true, false, true, false]
    guard isLow || isHigh else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(data.count / 2)
    // An odd byte at the end is half of a truncated character.
    let units = stride(from: 0, to: data.count - 1, by: 2).lazy.map { index in
      let (first, second) = (UInt16(data[index]), UInt16(data[index + 1]))
      return isLow ? second << 8 | first : first << 8 | second
    }
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): result.append(contentsOf: String(scalar).utf8)
      case .error: result.append(0xFF)
      case .emptyInput: return result
      }
    }
  }
}
