/// The words of a label, as they are laid out.
enum OverlayText {
  /// More lines than this are no label any more.
  static let mostLines = 6
  /// In Unicode scalars; Pango cuts what does not fit, this keeps it from measuring a book.
  static let longestLine = 400

  /// One paragraph for each line that has something in it: what would break a line or is nothing to
  /// look at becomes a blank.
  static func paragraphs(_ lines: [String]) -> String {
    lines.prefix(mostLines).map(plain).filter { !$0.isEmpty }.joined(separator: "\n")
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
}

extension String.UnicodeScalarView {
  fileprivate var trimmingBlanks: Substring.UnicodeScalarView {
    let head = drop { $0 == " " }
    guard let last = head.lastIndex(where: { $0 != " " }) else { return head.prefix(0) }
    return head[...last]
  }
}
