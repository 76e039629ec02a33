import KeyDragCore

/// A part of the configuration that is not used: its place, the reason and the remedy.
package struct ConfigurationProblem: Error, Hashable, Sendable {
  /// The kind of file, which decides how wrong parts are handled.
  package enum Subject: Hashable, Sendable {
    /// Defaults replace wrong settings.
    case settings
    /// A program's profile: it is left out.
    case profile
  }

  package enum Kind: Hashable, Sendable {
    case missing
    case unreadable(Reason)
    /// Larger than ``ConfigurationFile/largest`` bytes.
    case tooLarge
    case notUTF8
    case syntax(SyntaxProblem)
    case anchor
    /// The file as a whole is no mapping of settings.
    case notSettings
    case repeated(String)
    case unknown(String, nearest: String?)
    /// A setting, its expected form, and the value found.
    case wrong(String, expected: Expectation, found: Found)
    /// Further problems are not reported.
    case more
  }

  /// The expected form of a setting's value.
  package enum Expectation: Hashable, Sendable {
    case languageTag
    /// Voices by language.
    case voices
    /// The key of a voice is no language.
    case voiceLanguages
    case voiceName
    /// The levels of `keys`: phases, the commands in them, and their strokes.
    case phases
    case commands
    case strokes
    case wholeNumber(ClosedRange<Int>)
    case byteCount
    /// One of these words.
    case oneOf([String])
    /// In a profile: a name, or a list of names.
    case names
    /// In a profile: at most so many rules.
    case rules(Int)
    /// In a profile: patterns by attribute.
    case attributes
    /// In a profile: four numbers by part.
    case parts
  }

  /// The value found instead.
  package enum Found: Hashable, Sendable {
    case nothing
    case text(String)
    case list
    case settings
  }

  /// A syntax error in YAML, as far as the parser's message tells.
  package enum SyntaxProblem: Hashable, Sendable, CaseIterable {
    case valueMissing
    case colonMissing
    case colonTooMany
    case listNotClosed
    case braceNotClosed
    case quoteNotClosed
    case indentation
    /// A character that can't begin a value, or a tab.
    case character
    case control
    case severalDocuments
    case other

    /// Parses the English error message of libyaml 0.2.
    init(parserWords words: String) {
      let known: [(String, SyntaxProblem)] = [
        ("node content", .valueMissing), ("expected ':'", .colonMissing),
        ("mapping values", .colonTooMany), ("',' or ']'", .listNotClosed),
        ("',' or '}'", .braceNotClosed), ("end of stream", .quoteNotClosed),
        ("expected key", .indentation), ("block sequence", .indentation),
        ("start any token", .character), ("control characters", .control),
        ("another document", .severalDocuments),
      ]
      self = known.first { words.contains($0.0) }?.1 ?? .other
    }
  }

  /// The file's own name, safe to speak.
  package var file: String
  package var place: ConfigurationPlace
  package var kind: Kind
  package var subject = Subject.settings

  /// The problem as the core reports it.
  package func problem(in phrases: Phrasebook) -> Problem {
    .configuration(
      file: file, line: place.line, column: place.column, detail: words(in: phrases))
  }
}
