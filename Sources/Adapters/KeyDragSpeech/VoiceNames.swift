/// Names of espeak-ng voices for a language, best first.
///
/// Text from outside is used as a name only if it can't be a path.
package enum VoiceNames {
  /// BCP 47 codes with another name in espeak-ng.
  private static let renamed = [
    // The plain "cmn" reads Han characters as English letters.
    "zh": "cmn-latn-pinyin", "cmn": "cmn-latn-pinyin", "no": "nb", "nn": "nb", "iw": "he",
    "in": "id", "ji": "yi", "sh": "hr", "mo": "ro",
    "zh-hk": "yue", "zh-mo": "yue", "zh-hant-hk": "yue", "zh-yue": "yue", "pt-pt": "pt",
    "en-ca": "en-us", "en-ph": "en-us", "en-pr": "en-us",
  ]

  /// Harmful voices of espeak-ng 1.51: the dictionary of "be" is missing, which is printed to the
  /// terminal; "my" overruns a buffer, which crashes the program.
  private static let harmful: Set<String> = ["be", "my"]

  /// Regions with Latin American Spanish.
  private static let latinAmerica: Set<String> = [
    "ar", "bo", "cl", "co", "cr", "cu", "do", "ec", "gt", "hn", "mx", "ni", "pa", "pe", "pr", "py",
    "sv", "us", "uy", "ve",
  ]

  /// Candidates in order for a BCP 47 tag or a locale's name ("pl_PL.UTF-8"), the person's override
  /// first; empty for a malformed tag.
  package static func candidates(for tag: String, overrides: [String: String] = [:]) -> [String] {
    guard let tag = normalized(tag) else { return [] }
    var result: [String] = []
    func add(_ name: String) {
      if !result.contains(name), !harmful.contains(name) { result.append(name) }
    }
    let ranges = prefixes(of: tag)
    for key in ranges {
      guard let name = overrides.first(where: { normalized($0.key) == key })?.value else {
        continue
      }
      if isSafe(name) { add(name) }
      break
    }
    for name in ranges {
      if let other = renamed[name] {
        add(other)
        // The fallback if the better one is not installed.
        if name == "zh" { add("cmn") }
      } else if name.hasPrefix("zh-") {
        // espeak-ng names no Chinese voice by region.
        continue
      }
      let parts = name.split(separator: "-")
      if parts.first == "es",
        parts.dropFirst().contains(where: { latinAmerica.contains(String($0)) })
      {
        add("es-419")
      }
      add(name)
    }
    return result
  }

  /// Whether a voice name is safe: espeak-ng opens a file of that name, so one with a slash could
  /// make it read, and print, any file.
  package static func isSafe(_ name: String) -> Bool {
    (1...40).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && scalar.properties.isAlphabetic
          || "0123456789-+_()".unicodeScalars.contains(scalar)
      }
  }

  /// A tag in lower case with hyphens, without encoding and variant; `nil` if it is malformed.
  private static func normalized(_ tag: String) -> String? {
    let bare = tag.prefix { $0 != "." && $0 != "@" }
    let name = String(bare.map { $0 == "_" ? "-" : $0 }).lowercased()
    guard (2...35).contains(name.utf8.count), name.first?.isLetter == true else { return nil }
    let isWellFormed = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    return isWellFormed ? name : nil
  }

  /// "zh-hant-hk", "zh-hant", "zh".
  private static func prefixes(of tag: String) -> [String] {
    var parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    var result: [String] = []
    while !parts.isEmpty {
      result.append(parts.joined(separator: "-"))
      parts.removeLast()
    }
    return result
  }
}
