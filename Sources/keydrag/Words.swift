import KeyDragApp
import KeyDragCore

/// A text that is not in any language yet: it is shown in one wording and said in another.
typealias Wording = @Sendable (Phrasebook) -> String

/// The words of this process.
enum Words {
  /// The wording that the command line and the environment ask for.
  static let chosen = choice(option: asked(CommandLine.arguments), setting: nil)

  /// The wording of the help pages and of everything before a command's settings; a test may put
  /// another one in its place for a while.
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
    return phrases.term(in: "a choice", "%1$@ or %2$@", list(words.dropLast(), in: phrases), last)
  }

  /// A list whose parts can be told apart though they have commas themselves.
  static func list(_ words: [String], in phrases: Phrasebook) -> String {
    let hasParts = words.contains { word in word.contains(where: Self.commas.contains) }
    guard hasParts, let first = words.first else { return phrases.list(words) }
    return words.dropFirst().reduce(first) { list, word in
      // A list of things that have commas in them, such as "Docs, in Home; Docs, in Work". %1$@ is the
      // list so far, %2$@ the next thing.
      phrases.term(in: "a list", "%1$@; %2$@", list, word)
    }
  }

  /// The separators of a list in the languages there are.
  private static let commas: Set<Character> = [",", "،", "、", "，"]

  /// The names to offer in place of one that was not found; empty without any.
  static func nearby(_ names: [String], in phrases: Phrasebook) -> String {
    guard !names.isEmpty else { return "" }
    // After "No running program is called …" or "There is no place … in a window". %1$@ is a list of
    // programs or of places of theirs.
    return phrases.phrase("There are: %1$@.", list(Array(names.prefix(8)), in: phrases))
  }

  /// A guess at what was meant, out of several; empty without one.
  static func guess(_ words: [String], in phrases: Phrasebook) -> String {
    words.isEmpty ? "" : phrases.guess(choices(words, in: phrases))
  }
}
