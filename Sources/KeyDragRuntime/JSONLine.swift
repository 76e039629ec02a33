import KeyDragCore

/// One JSON object on one line, its fields in order.
package struct JSONLine {
  /// With the line feed.
  package private(set) var bytes: [UInt8] = []

  package init(_ fields: ArgumentList) {
    write(fields)
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func write(_ fields: ArgumentList) {
    write(fields.arguments, in: "{}") { line, field in
      line.quote(field.name)
      line.bytes.append(UInt8(ascii: ":"))
      switch field.value {
      case .text(let text): line.quote(text)
      case .number(let number): line.bytes += String(number).utf8
      case .flag(let flag): line.bytes += (flag ? "true" : "false").utf8
      case .list(let texts): line.write(texts, in: "[]") { $0.quote($1) }
      case .object(let fields): line.write(fields)
      case .objects(let objects): line.write(objects, in: "[]") { $0.write($1) }
      }
    }
  }

  private mutating func write<Element>(
    _ elements: [Element], in brackets: String, _ write: (inout JSONLine, Element) -> Void
  ) {
    bytes += brackets.utf8.prefix(1)
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&self, element)
    }
    bytes += brackets.utf8.suffix(1)
  }

  /// RFC 8259 §7: quotation mark, reverse solidus and control characters are escaped; so are the C1
  /// controls and the direction marks, because a transcript may end up on a terminal.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case 0x0A: bytes += "\\n".utf8
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x061C, 0x2028...0x202E, 0x2066...0x2069:
        escape(scalar.value)
      case 0..<0x80: bytes.append(UInt8(scalar.value))
      default: bytes += String(scalar).utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Four hexadecimal digits: everything escaped is in the basic multilingual plane.
  private mutating func escape(_ value: UInt32) {
    let hex = Array("0123456789abcdef".utf8)
    bytes += "\\u".utf8
    for shift in [12, 8, 4, 0] as [UInt32] { bytes.append(hex[Int(value >> shift & 15)]) }
  }
}
