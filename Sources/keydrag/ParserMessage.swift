import KeyDragCore

/// The parser's English sentences in the words of the phrasebook (swift-argument-parser 1.8).
enum ParserMessage {
  /// - Parameter message: one line, safe to speak. Sentences that are not the parser's, such as a
  ///   command's own, are unchanged.
  static func words(for message: String, in phrases: Phrasebook) -> String {
    option(message, phrases) ?? value(message, phrases) ?? argument(message, phrases)
      ?? script(message, phrases) ?? message
  }

  private static func option(_ message: String, _ phrases: Phrasebook) -> String? {
    if let found = parts(of: message, "Unknown option '*'. Did you mean '*'?") {
      return phrases.join(
        unknownOption(found[0], phrases),
        // After "Unknown option …". %1$@ is the option that was probably meant.
        phrases.phrase("Did you mean '%1$@'?", found[1]))
    }
    // For letters after one hyphen the parser reports two mistakes; the first is enough.
    if let found = parts(of: message, "Unknown option '*' * or: *")
      ?? parts(of: message, "Unknown option '*'") ?? parts(of: message, "Invalid option: *")
    {
      return unknownOption(found[0], phrases)
    }
    if let found = parts(of: message, "Missing value for '*'") {
      // A mistake on the command line. %1$@ is an option that needs something after it, with what,
      // such as --to <folder>.
      return phrases.phrase("Missing value for '%1$@'.", found[0])
    }
    if let found = parts(
      of: message, "The option '*' does not take any value, but '*' was specified.")
    {
      return phrases.phrase(
        // A mistake on the command line. %1$@ is an option, %2$@ what was typed after it.
        "The option '%1$@' does not take any value, but '%2$@' was specified.", found[0], found[1])
    }
    return nil
  }

  private static func unknownOption(_ name: String, _ phrases: Phrasebook) -> String {
    // A mistake on the command line. %1$@ is what was typed, such as --lagn.
    phrases.phrase("Unknown option '%1$@'.", name)
  }

  private static func value(_ message: String, _ phrases: Phrasebook) -> String? {
    if let found = parts(of: message, "The value '*' is invalid for '*'. Please provide one of *") {
      // Up to five words come as 'brief' and 'full', more as a list with hyphens.
      let known = found[2].split { " ,'".contains($0) }.map(String.init)
        .filter { !["and", "or", "the", "following:", "-", "."].contains($0) }
      return phrases.join(
        invalid(found[0], found[1], phrases),
        phrases.phrase(
          // After a mistake on the command line. %1$@ is the words of which one has to be typed,
          // such as 'brief' or 'full'.
          "Please provide one of %1$@.",
          Words.choices(known.map { quoted($0, phrases) }, in: phrases)))
    }
    if let found = parts(of: message, "The value '*' is invalid for '*': *")
      ?? parts(of: message, "The value '*' is invalid for '*'")
    {
      return invalid(found[0], found[1], phrases)
    }
    return nil
  }

  private static func quoted(_ word: String, _ phrases: Phrasebook) -> String {
    // A word that may be typed, in this language's quotation marks. %1$@ is the word.
    phrases.term(in: "quotation", "'%1$@'", word)
  }

  private static func invalid(
    _ value: String, _ option: String, _ phrases: Phrasebook
  ) -> String {
    // A mistake on the command line. %1$@ is what was typed, %2$@ the option with what should
    // follow it, such as --to <folder>.
    phrases.phrase("The value '%1$@' is invalid for '%2$@'.", value, option)
  }

  private static func argument(_ message: String, _ phrases: Phrasebook) -> String? {
    if let found = parts(of: message, "Unexpected argument '*'") {
      // A mistake on the command line. %1$@ is a word too many.
      return phrases.phrase("Unexpected argument '%1$@'.", found[0])
    }
    if let found = parts(of: message, "* unexpected arguments: *"), let count = Int(found[0]) {
      let words = found[1].dropFirst().dropLast().split(separator: "', '")
        .map { quoted(String($0), phrases) }
      return phrases.plural(
        // A mistake on the command line. %1$@ is words that are too many, %2$@ their
        // number.
        "%2$@ unexpected argument: %1$@.", "%2$@ unexpected arguments: %1$@.", count,
        phrases.list(words))
    }
    if let found = parts(of: message, "Missing expected argument '*'")
      ?? parts(of: message, "Missing one of: '*'")
    {
      // A mistake on the command line. %1$@ is what has to be typed, such as <folder>.
      return phrases.phrase("Missing expected argument '%1$@'.", found[0])
    }
    return nil
  }

  private static func script(_ message: String, _ phrases: Phrasebook) -> String? {
    guard let found = parts(of: message, "Can't *-completion-script=<shell> with one of: *") else {
      return nil
    }
    return phrases.phrase(
      // A mistake on the command line: a script for completing commands was asked for.
      // --generate-completion-script stays as it is. %1$@ is the names of shells, such as bash.
      "Name the shell after --generate-completion-script: %1$@.",
      Words.choices(found[1].split(separator: " ").map(String.init), in: phrases))
  }

  /// The texts that the stars match; `nil` for another message.
  private static func parts(of message: String, _ pattern: String) -> [String]? {
    let fixed = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = fixed.first, message.hasPrefix(first) else { return nil }
    var found: [String] = []
    var rest = message.dropFirst(first.count)
    for (index, next) in fixed.dropFirst().enumerated() {
      let isLast = index == fixed.count - 2
      if isLast {
        guard rest.hasSuffix(next) else { return nil }
        found.append(String(rest.dropLast(next.count)))
      } else {
        guard let range = rest.firstRange(of: next) else { return nil }
        found.append(String(rest[..<range.lowerBound]))
        rest = rest[range.upperBound...]
      }
    }
    return found
  }
}
