import KeyDragThreads

/// The messages of one language: a binary catalogue, as msgfmt writes it.
///
/// The C library's lookup is not used: from glibc 2.39 on it finds nothing in a locale whose name
/// begins with "C.", and it trusts every number in the file. Here a file is untrusted input, and is
/// validated as a whole before the first lookup.
struct MessageFile: Sendable {
  /// In bytes; larger files are not ours.
  static let largest = 4 << 20

  private let tables: MessageTables
  private let plurals: PluralRule

  /// `nil` if the file can't be read or is invalid.
  init?(path: String) {
    guard let bytes = SystemFiles.bytes(path, most: Self.largest + 1) else { return nil }
    self.init(bytes)
  }

  /// `nil` if the contents are invalid.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= MessageFile.largest, let tables = MessageTables(bytes),
      // The empty message is the header.
      tables.key(0).isEmpty, let plurals = MessageHeader.plurals(in: tables.translation(0))
    else { return nil }
    self.tables = tables
    self.plurals = plurals
  }

  /// The translation of a message; `nil` if there is none.
  ///
  /// - Parameter key: the message, behind its context and a byte 4 if it has one.
  func text(_ key: String) -> String? {
    forms(of: key).flatMap { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The translation of a message in the plural form for a count.
  func text(_ key: String, count: Int) -> String? {
    guard let all = forms(of: key), let form = plurals.form(for: count.magnitude) else {
      return nil
    }
    let forms = all.split(separator: 0, omittingEmptySubsequences: false)
    return String(validating: forms[forms.indices.contains(form) ? form : 0], as: UTF8.self)
  }

  private func forms(of key: String) -> ArraySlice<UInt8>? {
    tables.position(of: Array(key.utf8)).map(tables.translation)
  }
}
