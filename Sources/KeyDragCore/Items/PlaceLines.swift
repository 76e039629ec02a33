/// Texts that name files, as file managers and terminals write them.
package enum PlaceLines {
  /// The files and folders that a text names, one a line by an absolute path or a "file:" address;
  /// `nil` where any line is something else, and where bytes are no text: another file may be called by
  /// what is put in their place.
  package static func read(_ bytes: [UInt8]) -> [String]? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let isPlaces = lines.allSatisfy { line in
      (line.hasPrefix("/") || line.lowercased().hasPrefix("file:///")) && line.count > 1
    }
    return isPlaces && !lines.isEmpty ? lines.map(String.init) : nil
  }
}
