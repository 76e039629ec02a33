import KeyDragApp
import KeyDragCore

/// A text that is not in any language yet: it is shown in one wording and said in another.
typealias Wording = @Sendable (Phrasebook) -> String

/// The words of this process.
enum Words {
  /// What the command line and the environment ask for.
  static let chosen = choice(option: asked(CommandLine.arguments), setting: nil)

  /// What the help pages and everything before a command's settings are worded with; a test may put
  /// another wording in its place for a while.
  @TaskLocal static var phrases = Words.chosen.phrases

  /// - Parameters:
  ///   - option: the language that the command line asks for.
  ///   - setting: the one that the configuration asks for.
  static func choice(option: String?, setting: String?) -> WordChoice {
    WordChoice(option: option, setting: setting, environment: ProcessEnvironment.read())
  }

  /// The language that a command line asks for: its last `--lang`, as the parser takes it.
  static func asked(_ arguments: [String]) -> String? {
    var language: String?
    var rest = arguments.dropFirst()
    while let word = rest.popFirst(), word != "--" {
      if word == "--lang" {
        language = rest.first ?? language
      } else if word.hasPrefix("--lang=") {
        language = String(word.dropFirst("--lang=".count))
      }
    }
    return language
  }

  /// Words of which one is to be chosen, as a part of a sentence.
  static func choices(_ words: [String], in phrases: Phrasebook) -> String {
    guard words.count > 1, let last = words.last else { return phrases.list(words) }
    // Words of which one is to be chosen. %1$@ is one or more of them with commas, %2$@ the last.
    return phrases.term(in: "a choice", "%1$@ or %2$@", phrases.list(words.dropLast()), last)
  }

  /// A guess at what was meant, out of several; empty without one.
  static func guess(_ words: [String], in phrases: Phrasebook) -> String {
    words.isEmpty ? "" : phrases.guess(choices(words, in: phrases))
  }
}
