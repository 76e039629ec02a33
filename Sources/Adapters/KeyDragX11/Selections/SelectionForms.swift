/// The names of forms in which a selection can be had.
///
/// Pure. Forms are atoms on the wire; their names are content types, or the old names of ICCCM
/// 2.6.2.
enum SelectionForms {
  /// Text that a person reads: less of it is taken than of data.
  static let texts = [
    "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", "text/plain", "text/plain;charset=utf-8",
    "text/plain;charset=UTF-8", "text/html", "text/markdown", "text/rtf", "text/richtext",
    "text/csv",
  ]

  /// More names than this are not asked for, nor longer ones.
  private static let most = 64
  private static let longest = 255

  /// The names of a list that can be asked for at all, at most ``most`` of them.
  static func askable(_ names: [String]) -> [String] {
    Array(names.filter { name($0.utf8.map { $0 }) != nil }.prefix(most))
  }

  /// A name as other programs give it: plain characters only, and not without end.
  ///
  /// `nil` for none, too long ones, and anything but printable ASCII.
  static func name(_ bytes: [UInt8]?) -> String? {
    guard let bytes, !bytes.isEmpty, bytes.count <= longest,
      bytes.allSatisfy({ (0x20..<0x7F).contains($0) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
