/// A language's name as people and systems write it: "de", "pt-BR", "de_AT.UTF-8@euro".
struct LanguageTag: Hashable, Sendable {
  /// In bytes; longer texts are no names.
  private static let longest = 100
  private static let aliases = ["iw": "he", "cmn": "zh"]

  /// In lower case: "pt".
  let language: String
  /// In upper case: "BR".
  let region: String?
  /// In lower case: "hant".
  let script: String?

  /// `nil` for a text that can't be the name of a language.
  init?(_ text: String) {
    guard text.utf8.count <= LanguageTag.longest, text.utf8.allSatisfy(LanguageTag.isPlain) else {
      return nil
    }
    // The rest names an encoding or a variant ("@euro").
    let name = text.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
    guard let first = parts.first, parts.allSatisfy({ (1...8).contains($0.count) }) else {
      return nil
    }
    if ["c", "posix"].contains(first.lowercased()), parts.count == 1 {
      (language, region, script) = ("en", nil, nil)
      return
    }
    guard (2...3).contains(first.count), first.allSatisfy(\.isLetter) else { return nil }
    let code = first.lowercased()
    language = LanguageTag.aliases[code] ?? code
    script = parts.dropFirst().first { $0.count == 4 && $0.allSatisfy(\.isLetter) }?.lowercased()
    region =
      parts.dropFirst().first { part in
        part.count == 2 && part.allSatisfy(\.isLetter)
          || part.count == 3 && part.allSatisfy(\.isNumber)
      }?.uppercased()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// The best of these languages, given as names of catalogues, for a reader of this one.
  func match(in known: [String]) -> String? {
    if language == "en" { return "en" }
    let same = known.compactMap { name in LanguageTag(name).map { (name, $0) } }
      .filter { $0.1.language == language && $0.1.writing == writing }
    let exact = same.first { $0.1.region == region } ?? same.first { $0.1.region == nil }
    return (exact ?? same.first)?.0
  }

  /// Chinese has two scripts, and a reader of one may not read the other.
  private var writing: String? {
    guard language == "zh" else { return nil }
    if let script { return script }
    return ["TW", "HK", "MO"].contains(region) ? "hant" : "hans"
  }
}
