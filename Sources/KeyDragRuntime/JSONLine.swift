import KeyDragCore

/// One JSON object on one line, its fields in the order they are added.
package struct JSONLine {
  /// Without the closing brace.
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  package init() {}

  /// Omits the field for `nil`: readers tell a missing field from an empty text.
  package mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    quote(value)
  }

  package mutating func add(_ name: String, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    key(name)
    bytes += String(value).utf8
  }

  package mutating func add(_ name: String, _ value: Bool) {
    key(name)
    bytes += (value ? "true" : "false").utf8
  }

  package mutating func add(_ name: String, _ values: [String]) {
    key(name)
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      quote(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Closes each object; they must not be finished.
  package mutating func add(_ name: String, _ objects: [JSONLine]) {
    key(name)
    bytes.append(UInt8(ascii: "["))
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += object.bytes
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func add(_ name: String, _ arguments: [AnnouncementArgument]) {
    var object = JSONLine()
    for argument in arguments {
      switch argument.value {
      case .text(let text): object.add(argument.name, text)
      case .number(let number): object.add(argument.name, number)
      case .flag(let flag): object.add(argument.name, flag)
      case .list(let list): object.add(argument.name, list)
      }
    }
    key(name)
    bytes += object.bytes
    bytes.append(UInt8(ascii: "}"))
  }

  /// The line with its line feed; may be called repeatedly.
  package func finished() -> [UInt8] { bytes + [UInt8(ascii: "}"), UInt8(ascii: "\n")] }

  private mutating func key(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    quote(name)
    bytes.append(UInt8(ascii: ":"))
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
