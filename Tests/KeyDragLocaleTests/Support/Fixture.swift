import Testing

@testable import KeyDragLocale

/// Catalogues made for tests, compiled as the build compiles the real ones.
enum Fixture {
  /// How each language of the project picks its forms, by CLDR, for whole numbers.
  static let plurals: [String: String] = {
    let one = "nplurals=2; plural=n != 1;"
    let upToOne = "nplurals=2; plural=n > 1;"
    let none = "nplurals=1; plural=0;"
    let millions = "nplurals=3; plural=n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;"
    let upToOneAndMillions = "nplurals=3; plural=n < 2 ? 0 : n % 1000000 == 0 ? 1 : 2;"
    let few = "n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2;"
    let eastern = "nplurals=3; plural=n % 10 == 1 && n % 100 != 11 ? 0 : \(few)"
    return [
      "de": one, "nl": one, "sv": one, "tr": one, "el": one, "hi": upToOne,
      "fr": upToOneAndMillions,
      "pt_BR": upToOneAndMillions, "es": millions, "it": millions,
      "pl": "nplurals=3; plural=n == 1 ? 0 : \(few)",
      "cs": "nplurals=3; plural=n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2;", "ru": eastern,
      "uk": eastern,
      "ar": "nplurals=6; plural=n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : "
        + "n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5;",
      "he": "nplurals=4; plural=n == 1 ? 0 : n == 2 ? 1 : n > 10 && n % 10 == 0 ? 2 : 3;",
      "ja": none, "zh_CN": none, "ko": none,
    ]
  }()

  /// A catalogue's text, with the header that msgfmt wants.
  static func catalogue(_ language: String, plural: String? = nil, _ entries: String) -> String {
    let plural = plural ?? plurals[language] ?? "nplurals=2; plural=n != 1;"
    return #"""
      msgid ""
      msgstr ""
      "Project-Id-Version: KeyDrag\n"
      "PO-Revision-Date: \n"
      "Last-Translator: \n"
      "Language-Team: \n"
      "Language: \#(language)\n"
      "MIME-Version: 1.0\n"
      "Content-Type: text/plain; charset=UTF-8\n"
      "Content-Transfer-Encoding: 8bit\n"
      "Plural-Forms: \#(plural)\n"


      """# + entries
  }

  /// A package that holds nothing but catalogues, not compiled yet.
  static func package(_ catalogues: [String: String]) throws -> Scratch {
    let scratch = try Scratch()
    for (language, text) in catalogues {
      try scratch.write(text, to: "Localization/\(language).po")
    }
    try scratch.write(
      "# Languages\n" + catalogues.keys.sorted().map { $0 + "\n" }.joined(),
      to: "Localization/LINGUAS")
    return scratch
  }

  /// The same with its catalogues compiled to the folder "built".
  static func compiled(_ catalogues: [String: String]) throws -> Scratch {
    let scratch = try package(catalogues)
    let result = try Tool.compile(scratch)
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.errors == "")
    return scratch
  }

  /// Opens compiled catalogues. They stay open when their files are gone.
  static func open(_ catalogues: [String: String]) throws -> [String: GettextCatalogue] {
    let scratch = try compiled(catalogues)
    return try Dictionary(
      uniqueKeysWithValues: catalogues.keys.map { language in
        let file = scratch.url("built/\(language)/LC_MESSAGES/keydrag.mo")
        let messages = try #require(MessageFile(path: file.path))
        return (language, GettextCatalogue(name: language, messages: messages))
      })
  }
}
