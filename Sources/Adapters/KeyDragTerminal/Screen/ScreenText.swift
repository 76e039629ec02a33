/// Prepares text for a line: safe, truncated to its columns, or wrapped over several lines.
enum ScreenText {
  /// In scalars; longer texts are never on a screen.
  private static let longest = 4096
  private static let cut = "…"

  /// The text with everything replaced that a terminal could take for a command.
  ///
  /// Isolates (U+2066 to U+2069) stay when `keepsIsolates`: sentences wrap foreign names in them.
  static func clean(_ text: String, keepsIsolates: Bool = false) -> String {
    let isPlain = text.utf8.count <= longest && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    if isPlain { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest) {
      result.append(isUnsafe(scalar, keepsIsolates) ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar, _ keepsIsolates: Bool) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E: true
    case 0x2066...0x2069: !keepsIsolates
    default: false
    }
  }

  /// Isolates a right-to-left name, so that it does not reorder the text around it; a sentence with
  /// such names isolates them itself.
  static func isolate(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard scalars.contains(where: isRightToLeft), !scalars.contains("\u{2068}") else { return name }
    return "\u{2068}\(name)\u{2069}"
  }

  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// The beginning that fits, with an ellipsis if it is truncated.
  static func cutEnd(_ text: String, columns: Int) -> String {
    guard TextWidth.columns(text) > columns else { return text }
    guard columns > 0 else { return "" }
    return TextWidth.prefix(text, columns: columns - 1) + cut
  }

  /// Both ends, with at least `tail` columns of the last one if there is room.
  static func cutMiddle(_ text: String, columns: Int, tail: Int? = nil) -> String {
    guard TextWidth.columns(text) > columns else { return text }
    guard columns > 2 else { return cutEnd(text, columns: columns) }
    let tail = min(max(tail ?? 0, (columns - 1) / 3), (columns - 1) * 2 / 3)
    let end = TextWidth.suffix(text, columns: tail)
    let start = TextWidth.prefix(text, columns: columns - 1 - TextWidth.columns(end))
    return start + cut + end
  }

  /// A file's name truncated in the middle, with its extension.
  static func cutName(_ name: String, columns: Int) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return cutMiddle(name, columns: columns)
    }
    let ending = TextWidth.columns(name[dot...])
    return cutMiddle(name, columns: columns, tail: ending <= 8 ? ending : nil)
  }

  /// At most `lines` lines, broken at blanks; the last one is truncated.
  static func wrap(_ text: String, columns: Int, lines: Int) -> [String] {
    var rest = text[...].drop { $0 == " " }
    var result: [String] = []
    while !rest.isEmpty, result.count < lines {
      if result.count == lines - 1 || TextWidth.columns(rest) <= columns {
        result.append(cutEnd(String(rest), columns: columns))
        break
      }
      let line = firstLine(of: rest, columns: columns)
      rest = rest.dropFirst(line.count).drop { $0 == " " }
      result.append(line)
    }
    return result
  }

  /// Never empty, so that wrapping terminates; an ellipsis replaces a character wider than the
  /// line.
  private static func firstLine(of text: Substring, columns: Int) -> String {
    let fitting = TextWidth.prefix(text, columns: columns)
    guard !fitting.isEmpty else { return cut }
    if text.dropFirst(fitting.count).first == " " { return fitting }
    guard let blank = fitting.lastIndex(of: " "), blank > fitting.startIndex else { return fitting }
    return String(fitting[..<blank])
  }
}
