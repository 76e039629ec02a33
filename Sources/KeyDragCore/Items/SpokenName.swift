/// Makes a name from outside safe to show, to speak and to log.
///
/// Names are untrusted: a file name may hold escape sequences, line breaks, bytes that are not
/// UTF-8 and marks that reverse the direction of everything after them.
public enum SpokenName {
  /// The limit of a name in Unicode scalars; the rest is cut and marked by "…".
  public static let longest = 512

  /// The name with control characters and direction marks replaced by U+FFFD, and misplaced
  /// invisible characters by U+FFFD and their number in hexadecimal, so that two such names can be
  /// told apart.
  ///
  /// Returns the same string, sharing its storage, when nothing needs replacing.
  public static func clean(_ name: String) -> String {
    var name = name
    let isPlain = name.withUTF8 { bytes in
      bytes.count <= longest && bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
    if isPlain { return name }
    var result = String.UnicodeScalarView()
    var count = 0
    let scalars = name.unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      guard count < longest else {
        result.append("…")
        break
      }
      let scalar = scalars[index]
      index = scalars.index(after: index)
      let next = index < scalars.endIndex ? scalars[index] : nil
      let isUnseen = InvisibleCharacters.isOne(scalar)
      count += 1
      let isShown =
        isUnseen
        ? InvisibleCharacters.belongs(scalar, after: result.last, before: next) : !isUnsafe(scalar)
      guard !isShown else {
        result.append(scalar)
        continue
      }
      result.append("\u{FFFD}")
      guard isUnseen else { continue }
      result.append(contentsOf: String(scalar.value, radix: 16, uppercase: true).unicodeScalars)
      if let next, isReadOn(next) { result.append(" ") }
    }
    return String(result)
  }

  /// One more than may be shown, so that ``clean(_:)-(String)`` sees that there is more.
  private static let mostBytes = longest * 4 + 1

  /// The name for raw bytes: each that is not UTF-8 becomes U+FFFD and its number in hexadecimal,
  /// so that names which differ only there can be told apart; then as ``clean(_:)-(String)``.
  public static func clean(_ bytes: some Sequence<UInt8>) -> String {
    clean(Array(bytes.prefix(mostBytes)))
  }

  /// An overload for arrays: names come by the hundred thousand.
  public static func clean(_ bytes: [UInt8]) -> String {
    let bytes = bytes.count > mostBytes ? Array(bytes[..<mostBytes]) : bytes
    return clean(String(validating: bytes, as: UTF8.self) ?? numbered(bytes))
  }

  /// The name of a file: as ``clean(_:)-(String)``, with each leading or trailing blank, which is
  /// neither heard nor seen, as U+FFFD and its number.
  package static func file(_ name: String) -> String { withEnds(clean(name)) }

  package static func file(_ bytes: some Sequence<UInt8>) -> String { withEnds(clean(bytes)) }

  package static func file(_ bytes: [UInt8]) -> String { withEnds(clean(bytes)) }

  private static func withEnds(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let last = scalars.last, let first = scalars.first, isBlank(first) || isBlank(last) else {
      return name
    }
    let begin = scalars.firstIndex { !isBlank($0) } ?? scalars.endIndex
    let end = scalars.lastIndex { !isBlank($0) }.map(scalars.index(after:)) ?? begin
    let middle = scalars[begin..<end]
    let isReadOn = begin > scalars.startIndex && middle.first.map(isReadOn) == true
    return numbered(scalars[..<begin]) + (isReadOn ? " " : "") + String(middle)
      + numbered(scalars[end...])
  }

  private static func numbered(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    scalars.map { "\u{FFFD}" + String($0.value, radix: 16, uppercase: true) }.joined()
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar.value >= 0x80 && scalar.properties.generalCategory == .spaceSeparator
  }

  /// The text in these bytes, with the numbers of bytes that are not UTF-8.
  private static func numbered(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    var isNumber = false
    while let first = rest.first {
      if let scalar = scalar(at: rest) {
        if isNumber, isReadOn(scalar) { text.append(" ") }
        text.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
        isNumber = false
      } else {
        let number = String(first, radix: 16, uppercase: true)
        text.append(contentsOf: "\u{FFFD}\(number)".unicodeScalars)
        rest = rest.dropFirst()
        isNumber = true
      }
    }
    return String(text)
  }

  /// The character at the start; `nil` for invalid UTF-8.
  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    for count in 1...4 {
      if let text = String(validating: bytes.prefix(count), as: UTF8.self) {
        return text.unicodeScalars.first
      }
    }
    return nil
  }

  /// Whether it would be read as part of a number right before it.
  private static func isReadOn(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Whether it is a control character, an invisible character without any place, or a mark that
  /// changes the direction of what follows.
  public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL, C1
    case 0x2028, 0x2029: true  // line and paragraph separator
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true  // direction marks
    case 0xFFF9...0xFFFB: true  // interlinear marks
    default: InvisibleCharacters.isOne(scalar) && !InvisibleCharacters.isPlaced(scalar)
    }
  }
}
