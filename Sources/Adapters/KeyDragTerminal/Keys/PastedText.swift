/// Makes one plain line of what was pasted, or finds the files that it names.
enum PastedText {
  /// In bytes; no name is as long.
  private static let longestText = 4096

  /// Line breaks and other control characters become blanks; blanks at the ends go. Empty where it is
  /// too long to be searched for.
  static func clean(_ bytes: [UInt8]) -> String {
    guard bytes.count <= longestText else { return "" }
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let blank = isBlank(scalar)
      if blank, scalars.isEmpty || scalars.last == " " { continue }
      scalars.append(blank ? " " : scalar)
    }
    if scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }

  /// The files and folders that a paste names, one a line by an absolute path or a "file:" address;
  /// `nil` where any line is something else, and where bytes are no text: another file may be called by
  /// what is put in their place.
  static func places(_ bytes: [UInt8]) -> [String]? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let isPlaces = lines.allSatisfy { line in
      (line.hasPrefix("/") || line.lowercased().hasPrefix("file:///")) && line.count > 1
    }
    return isPlaces && !lines.isEmpty ? lines.map(String.init) : nil
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
    default: false
    }
  }
}
