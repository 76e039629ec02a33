/// Words for symbols that a voice skips or says in English.
enum SymbolWords {
  /// By symbol; empty for a language whose voice needs none. "1.5" has the word for the point in a
  /// number, "a.b" that for the dot in "notes.txt".
  static func words(of language: String) -> [String: String] {
    table[LanguageTag.base(language)] ?? [:]
  }

  private static let table = SpeechTable.rows(PackageResources.symbols_txt)
    .reduce(into: [String: [String: String]]()) { table, row in
      table[String(row[0]), default: [:]][String(row[1])] = String(row[2])
    }
}
