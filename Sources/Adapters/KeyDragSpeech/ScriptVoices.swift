/// Chooses the language whose voice reads a script that the message's own voice does not read.
///
/// The ranges are what espeak-ng 1.51 reads without spelling, measured letter by letter; capitals
/// are left out, as they are read like the small letters.
enum ScriptVoices {
  /// One of several voices for a script.
  private struct Reader {
    var language: String
    var letters: [ClosedRange<UInt32>]
    /// Letters that identify this language.
    var marks: [ClosedRange<UInt32>] = []
  }

  /// In order of preference, for texts that do not tell them apart.
  private static let readers: [WritingSystem: [Reader]] = [
    .cyrillic: [
      Reader(
        language: "ru",
        letters: [
          0x0430...0x044F, 0x0451...0x0454, 0x0456...0x0459, 0x045B...0x045C, 0x045E...0x045F,
        ]),
      Reader(
        language: "uk",
        letters: [
          0x0430...0x0449, 0x044C...0x044C, 0x044E...0x044F, 0x0454...0x0454, 0x0456...0x0457,
          0x0491...0x0491,
        ], marks: [0x0454...0x0454, 0x0456...0x0457, 0x0491...0x0491]),
      Reader(
        language: "sr",
        letters: [
          0x0430...0x044F, 0x0451...0x0453, 0x0455...0x0455, 0x0458...0x045C, 0x045F...0x045F,
        ],
        marks: [0x0452...0x0452, 0x0458...0x045B, 0x045F...0x045F]),
      Reader(
        language: "mk",
        letters: [
          0x0430...0x0438, 0x043A...0x0448, 0x0453...0x0453, 0x0455...0x0455, 0x0458...0x045A,
          0x045C...0x045C, 0x045F...0x045F,
        ], marks: [0x0453...0x0453, 0x0455...0x0455, 0x045C...0x045C]),
      Reader(
        language: "kk",
        letters: [
          0x0430...0x044F, 0x0451...0x0451, 0x0456...0x0456, 0x0493...0x0493, 0x049B...0x049B,
          0x04A3...0x04A3, 0x04AF...0x04AF, 0x04B1...0x04B1, 0x04BB...0x04BB, 0x04D9...0x04D9,
          0x04E9...0x04E9,
        ], marks: [0x0493...0x04E9]),
      Reader(
        language: "tt",
        letters: [
          0x0430...0x044F, 0x0451...0x0451, 0x0497...0x0497, 0x04A3...0x04A3, 0x04AF...0x04AF,
          0x04BB...0x04BB, 0x04D9...0x04D9, 0x04E9...0x04E9,
        ], marks: [0x0497...0x0497]),
    ],
    .arabic: [
      Reader(
        language: "ar",
        letters: [
          0x0610...0x0612, 0x0621...0x063A, 0x0640...0x0652, 0x0654...0x0655, 0x0670...0x0671,
        ]),
      Reader(
        language: "ur",
        letters: [
          0x0621...0x0624, 0x0626...0x0628, 0x062A...0x063A, 0x0641...0x0642, 0x0644...0x0646,
          0x0648...0x0648, 0x064A...0x064C, 0x064E...0x0654, 0x0657...0x0657, 0x0670...0x0670,
          0x0679...0x0679, 0x067E...0x067E, 0x0686...0x0686, 0x0688...0x0688, 0x0691...0x0691,
          0x0698...0x0698, 0x06A9...0x06A9, 0x06AF...0x06AF, 0x06BA...0x06BA, 0x06BE...0x06BE,
          0x06C1...0x06C3, 0x06CC...0x06CC, 0x06D2...0x06D3,
        ],
        marks: [
          0x0679...0x0679, 0x0688...0x0688, 0x0691...0x0691, 0x06BA...0x06BA, 0x06C1...0x06C1,
          0x06D2...0x06D2,
        ]),
      Reader(
        language: "fa",
        letters: [
          0x0621...0x063A, 0x0640...0x0654, 0x0670...0x0670, 0x0674...0x0674, 0x0679...0x0679,
          0x067E...0x067E, 0x0686...0x0686, 0x0688...0x0688, 0x0691...0x0691, 0x0698...0x0698,
          0x06A9...0x06AA, 0x06AF...0x06AF, 0x06BA...0x06BA, 0x06BE...0x06BE, 0x06C0...0x06C3,
          0x06C6...0x06C6, 0x06CC...0x06CD, 0x06D2...0x06D3, 0x06D5...0x06D5,
        ],
        marks: [
          0x067E...0x067E, 0x0686...0x0686, 0x0698...0x0698, 0x06A9...0x06AF, 0x06CC...0x06CC,
        ]),
      Reader(
        language: "ug",
        letters: [
          0x0626...0x0628, 0x062A...0x062A, 0x062C...0x062C, 0x062E...0x062F, 0x0631...0x0634,
          0x063A...0x063A, 0x0641...0x0646, 0x0648...0x064A, 0x067E...0x067E, 0x0686...0x0686,
          0x0698...0x0698, 0x06AD...0x06AD, 0x06AF...0x06AF, 0x06BE...0x06BE, 0x06C6...0x06C8,
          0x06CB...0x06CB, 0x06D0...0x06D0, 0x06D5...0x06D5,
        ],
        marks: [
          0x06AD...0x06AD, 0x06C6...0x06C8, 0x06CB...0x06CB, 0x06D0...0x06D0, 0x06D5...0x06D5,
        ]),
    ],
    .bengali: [
      Reader(language: "bn", letters: [0x0981...0x09E3]),
      Reader(language: "as", letters: [0x0981...0x09F1], marks: [0x09F0...0x09F1]),
    ],
  ]

  /// The only voice of a script.
  private static let single: [WritingSystem: String] = [
    // Latin letters in a message in another script: Russian, Ukrainian, Greek, Arabic, Hindi and
    // Korean voices switch to English by themselves and lose the dot of "notes.txt", the Mandarin
    // one spells "txt", the Hebrew and Japanese ones spell everything.
    .latin: "en",
    .greek: "el", .armenian: "hy", .hebrew: "he", .devanagari: "hi", .gurmukhi: "pa",
    .gujarati: "gu", .odia: "or", .tamil: "ta", .telugu: "te", .kannada: "kn", .malayalam: "ml",
    .sinhala: "si", .thai: "th", .georgian: "ka", .hangul: "ko", .ethiopic: "am", .kana: "ja",
    .han: "zh",
  ]

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
    guard let readers = readers[script] else { return single[script] ?? "en" }
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
