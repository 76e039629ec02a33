/// Chooses the language whose voice reads a script that the message's own voice does not read.
enum ScriptVoices {
  /// One of several voices for a script.
  private struct Reader {
    var language: String
    var letters: [ClosedRange<UInt32>]
    /// Letters that identify this language.
    var marks: [ClosedRange<UInt32>]
  }

  private static let readers = SpeechTable.rows(PackageResources.letters_txt)
    .reduce(into: [WritingSystem: [Reader]]()) { readers, row in
      guard let script = WritingSystem(rawValue: String(row[0])) else { return }
      readers[script, default: []].append(
        Reader(
          language: String(row[1]), letters: SpeechTable.ranges(row[2]),
          marks: SpeechTable.ranges(row.count > 3 ? row[3] : nil)))
    }

  /// Languages whose voices have names for emoji; the others are silent.
  private static let namers: Set<String> = [
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "cs", "ru", "tr", "el", "ar", "hi",
  ]

  /// Whether a language's voice has names for emoji.
  static func namesPictures(_ language: String) -> Bool {
    namers.contains(LanguageTag.base(language))
  }

  /// The language whose voice reads most of these letters; ``reads(_:in:of:)`` finds the others.
  static func language(for letters: some Sequence<Unicode.Scalar>, of script: WritingSystem)
    -> String
  {
    guard let readers = readers[script] else { return script.language }
    let values = letters.map(small)
    var best: (language: String, marks: Bool, missing: Int)?
    for reader in readers {
      let isMarked = values.contains { value in reader.marks.contains { $0.contains(value) } }
      let missing = values.count { value in !reader.letters.contains { $0.contains(value) } }
      let isBetter =
        best.map { missing < $0.missing || (missing == $0.missing && isMarked && !$0.marks) }
        ?? true
      if isBetter { best = (reader.language, isMarked, missing) }
    }
    return best?.language ?? "en"
  }

  static func reads(_ letter: Unicode.Scalar, in script: WritingSystem, of language: String) -> Bool
  {
    let base = LanguageTag.base(language)
    guard let reader = readers[script]?.first(where: { $0.language == base }) else { return true }
    let value = small(letter)
    return reader.letters.contains { $0.contains(value) }
  }

  /// The value of the lower-case letter.
  private static func small(_ letter: Unicode.Scalar) -> UInt32 {
    letter.properties.lowercaseMapping.unicodeScalars.first?.value ?? letter.value
  }
}
