import KeyDragCore

/// Validates translations: a catalogue is untrusted input.
enum SafeText {
  /// In bytes.
  static let longest = 2_000

  /// The same text; `nil` if it is empty, too long, or has characters that no sentence needs.
  static func checked(_ text: String) -> String? {
    var text = text
    let isPlain = text.withUTF8 { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
    guard !text.isEmpty, text.utf8.count <= longest else { return nil }
    return isPlain || !text.unicodeScalars.contains(where: SpokenName.isUnsafe) ? text : nil
  }
}
