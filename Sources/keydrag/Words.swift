import KeyDragApp
import KeyDragCore

/// Text in no language yet: shown in one wording, and spoken in another.
struct Wording: Sendable {
  /// No text.
  static let none = Wording { _ in "" }
  private let text: @Sendable (Phrasebook) -> String

  init(_ text: @escaping @Sendable (Phrasebook) -> String) { self.text = text }

  func callAsFunction(_ phrases: Phrasebook) -> String { text(phrases) }

  static func phrase(_ source: String, _ values: String...) -> Wording {
    Wording { $0.phrase(source, values) }
  }

  static func term(in context: String, _ source: String, _ values: String...) -> Wording {
    Wording { $0.term(in: context, source, values) }
  }

  static func plural(_ one: String, _ other: String, _ count: Int) -> Wording {
    Wording { $0.plural(one, other, count) }
  }
}

enum Words {
  /// The wording that the command line and the environment request.
  static let chosen = choice(option: asked(CommandLine.arguments), setting: nil)

  /// The wording of help pages, and of everything before a command's settings are read; a test may
  /// override it for a while.
  @TaskLocal static var phrases = Words.chosen.phrases

  static func choice(option: String?, setting: String?) -> WordChoice {
    WordChoice(option: option, setting: setting, environment: ProcessEnvironment.read())
  }

  /// The language requested on a command line: its last `--lang`, as the parser takes it.
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

  /// Alternatives, as a part of a sentence.
  static func choices(_ words: [String], in phrases: Phrasebook) -> String {
    guard words.count > 1, let last = words.last else { return phrases.list(words) }
    // Words of which one is to be chosen. %1$@ is one or more of them with commas, %2$@ the last.
    return phrases.term(in: "a choice", "%1$@ or %2$@", list(words.dropLast(), in: phrases), last)
  }

  /// A list whose parts may contain commas.
  static func list(_ words: [String], in phrases: Phrasebook) -> String {
    let hasParts = words.contains { word in word.contains(where: Self.commas.contains) }
    guard hasParts, let first = words.first else { return phrases.list(words) }
    return words.dropFirst().reduce(first) { list, word in
      // A list of things that have commas in them, such as "Docs, in Home; Docs, in Work". %1$@ is the
      // list so far, %2$@ the next thing.
      phrases.term(in: "a list", "%1$@; %2$@", list, word)
    }
  }

  /// The list separators of the available languages.
  private static let commas: Set<Character> = [",", "،", "、", "，"]

  /// Names to offer in place of one that was not found; empty without any.
  static func nearby(_ names: [String], in phrases: Phrasebook) -> String {
    guard !names.isEmpty else { return "" }
    // After "No running program is called …" or "There is no place … in a window". %1$@ is a list of
    // programs or of places of theirs.
    return phrases.phrase("There are: %1$@.", list(Array(names.prefix(8)), in: phrases))
  }

  /// A guess at what was meant, from several words; empty without any.
  static func guess(_ words: [String], in phrases: Phrasebook) -> String {
    words.isEmpty ? "" : phrases.guess(choices(words, in: phrases))
  }
}
