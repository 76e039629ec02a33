/// Makes a name from outside safe to show, to speak and to log.
///
/// Names are data: a file name may hold escape sequences, line breaks, bytes that are not UTF-8 and
/// marks that reverse the direction of everything after them.
public enum SpokenName {
  /// The longest name that is passed on, in Unicode scalars; the rest is cut and marked by "…".
  public static let longest = 512

  /// The name with control characters and direction marks replaced by U+FFFD.
  ///
  /// Returns the same string, unchanged and sharing its storage, when nothing needs replacing.
  public static func clean(_ name: String) -> String {
    var name = name
    let isPlain = name.withUTF8 { bytes in
      bytes.count <= longest && bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
    if isPlain { return name }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in name.unicodeScalars {
      guard count < longest else {
        result.append("…")
        break
      }
      result.append(isUnsafe(scalar) ? "\u{FFFD}" : scalar)
      count += 1
    }
    return String(result)
  }

  /// The name for raw bytes: what is not UTF-8 becomes U+FFFD, then as ``clean(_:)-(String)``.
  public static func clean(_ bytes: some Sequence<UInt8>) -> String {
    clean(Array(bytes.prefix(longest * 4)))
  }

  /// The same for an array: names come by the hundred thousand.
  public static func clean(_ bytes: [UInt8]) -> String {
    let bytes = bytes.count > longest * 4 ? Array(bytes[..<(longest * 4)]) : bytes
    return clean(String(decoding: bytes, as: UTF8.self))
  }

  /// Control characters, and marks that change the direction of what follows them.
  public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL, C1
    case 0x2028, 0x2029: true  // line and paragraph separator
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true  // direction marks
    case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true  // interlinear marks, tags
    default: false
    }
  }
}
