import CPango

enum OverlayText {
  static let mostLines = 6
  /// In Unicode scalars; Pango cuts what does not fit, but must not have to measure a book.
  static let longestLine = 400

  /// One paragraph per non-empty line; control characters and line breaks become spaces.
  static func paragraphs(_ lines: [String]) -> String {
    directed(lines.prefix(mostLines).map(plain).filter { !$0.isEmpty }).joined(separator: "\n")
  }

  static let mostHelp = 100

  static func help(_ lines: [String]) -> [String] {
    directed(lines.prefix(mostHelp).map(plain).filter { !$0.isEmpty })
  }

  private static func plain(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in line.unicodeScalars.prefix(longestLine) {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: result.append(" ")
      default: result.append(scalar)
      }
    }
    return String(result.trimmingBlanks)
  }

  /// Prefixes a direction mark where Pango would choose another direction: it goes by the first
  /// letter, even in an isolated name, which does not count (Unicode Standard Annex 9, rule P2).
  /// Lines of nothing but such names follow the others.
  private static func directed(_ lines: [String]) -> [String] {
    let own = lines.map { mark(of: withoutNames($0)) }
    let usual = own.lazy.compactMap(\.self).first
    return zip(lines, own).map { line, own in
      guard let wanted = own ?? usual, wanted != mark(of: line) else { return line }
      return wanted + line
    }
  }

  /// `nil` for a text without letters.
  private static func mark(of text: String) -> String? {
    switch pango_find_base_dir(text, -1) {
    case PANGO_DIRECTION_LTR: "\u{200E}"
    case PANGO_DIRECTION_RTL: "\u{200F}"
    default: nil
    }
  }

  /// A line without its names, which are isolated (U+2066 to U+2069).
  private static func withoutNames(_ line: String) -> String {
    var rest = String.UnicodeScalarView()
    var depth = 0
    for scalar in line.unicodeScalars {
      switch scalar.value {
      case 0x2066...0x2068: depth += 1
      case 0x2069: depth = max(depth - 1, 0)
      default: if depth == 0 { rest.append(scalar) }
      }
    }
    return String(rest)
  }
}

extension String.UnicodeScalarView {
  fileprivate var trimmingBlanks: Substring.UnicodeScalarView {
    let head = drop { $0 == " " }
    guard let last = head.lastIndex(where: { $0 != " " }) else { return head.prefix(0) }
    return head[...last]
  }
}
