import KeyDragCore

/// Something in the configuration file that is not used, where it stands and what to do.
package struct ConfigurationProblem: Error, Hashable, Sendable {
  /// Which file it is about, and so what is done without what is wrong.
  package enum Subject: Hashable, Sendable {
    /// The usual settings take the place of wrong ones.
    case settings
    /// A profile of a program: it is left out.
    case profile
  }

  /// The kind of a problem.
  package enum Kind: Hashable, Sendable {
    case missing
    case unreadable(Reason)
    /// Larger than ``ConfigurationFile/largest`` bytes.
    case tooLarge
    case notUTF8
    /// Not YAML.
    case syntax(SyntaxMistake)
    case anchor
    /// The file as a whole is not a list of settings.
    case notSettings
    case repeated(String)
    case unknown(String, nearest: String?)
    /// A setting, what it must be, and what it is.
    case wrong(String, expected: Expectation, found: Found)
    /// More is wrong than is worth telling.
    case more
  }

  /// The form that the value of a setting must have.
  package enum Expectation: Hashable, Sendable {
    case languageTag
    /// Voices by language.
    case voices
    /// Something else than a language stands before a voice.
    case voiceLanguages
    case voiceName
    /// The settings of `keys`: phases, commands in them, strokes for those.
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
    /// In a profile: patterns by the name of an attribute.
    case attributes
    /// In a profile: four numbers by the name of a part.
    case parts
  }

  /// The value that was found instead.
  package enum Found: Hashable, Sendable {
    case nothing
    case text(String)
    case list
    case settings
  }

  /// A mistake that keeps a text from being YAML, as far as the parser's words tell it.
  package enum SyntaxMistake: Hashable, Sendable, CaseIterable {
    case valueMissing
    case colonMissing
    case colonTooMany
    case listNotClosed
    case braceNotClosed
    case quoteNotClosed
    case indentation
    /// A character that can begin nothing, or a tab.
    case character
    case control
    case severalDocuments
    case other

    /// The mistake that the parser's English words mean; libyaml 0.2.
    init(parserWords words: String) {
      let known: [(String, SyntaxMistake)] = [
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
  package var subject: Subject

  package init(
    file: String, place: ConfigurationPlace, kind: Kind, subject: Subject = .settings
  ) {
    self.file = file
    self.place = place
    self.kind = kind
    self.subject = subject
  }

  /// The problem as the core tells it.
  package func problem(in phrases: Phrasebook) -> Problem {
    .configuration(
      file: file, line: place.line, column: place.column, detail: words(in: phrases))
  }
}
