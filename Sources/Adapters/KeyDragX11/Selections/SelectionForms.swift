/// The names of selection forms: content types, or the old names of ICCCM 2.6.2; atoms on the wire.
/// Pure.
enum SelectionForms {
  /// Text to be read out, limited to fewer bytes than data.
  static let texts = [
    "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", "text/plain", "text/plain;charset=utf-8",
    "text/plain;charset=UTF-8", "text/html", "text/markdown", "text/rtf", "text/richtext",
    "text/csv",
  ]

  /// Limits on the number and length of requested names.
  private static let most = 64
  private static let longest = 255

  /// The valid names, at most ``most``.
  static func askable(_ names: [String]) -> [String] {
    Array(names.filter { name($0.utf8.map { $0 }) != nil }.prefix(most))
  }

  /// An atom's name; `nil` when missing, too long, or not printable ASCII.
  static func name(_ bytes: [UInt8]?) -> String? {
    guard let bytes, !bytes.isEmpty, bytes.count <= longest,
      bytes.allSatisfy({ (0x20..<0x7F).contains($0) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
