import KeyDragCore

/// Something in the configuration file that is not used, where it stands and what to do.
public struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    case missing
    case unreadable(Reason)
    /// Larger than ``ConfigurationFile/largest`` bytes.
    case tooLarge
    case notUTF8
    /// Not YAML; the parser's words.
    case syntax(String)
    case anchor
    /// The file as a whole is not a list of settings.
    case notSettings
    case repeated(String)
    case unknown(String, nearest: String?)
    /// A setting, what it must be, and what it is.
    case wrong(String, expected: String, found: String)
    /// More is wrong than is worth telling.
    case more
  }

  /// The file's own name, safe to speak.
  public var file: String
  public var place: ConfigurationPlace
  public var kind: Kind

  public init(file: String, place: ConfigurationPlace, kind: Kind) {
    self.file = file
    self.place = place
    self.kind = kind
  }

  /// The problem as the core tells it.
  public var problem: Problem {
    .configuration(file: file, line: place.line, column: place.column, detail: sentence)
  }

  public var description: String {
    "\(file), line \(place.line), column \(place.column): \(sentence)"
  }

  /// Names the thing, the reason and the remedy, in English, with nothing that cannot be spoken.
  public var sentence: String {
    switch kind {
    case .missing: "There is no such file. Check the name after --config."
    case .unreadable(let reason): "It can't be read: \(Self.words(for: reason))"
    case .tooLarge:
      "It is larger than 1 MiB. Settings take much less; check that it is the right file."
    case .notUTF8: "It is not UTF-8 text here. Save it as UTF-8."
    case .syntax(let words):
      "This is not YAML: \(Self.quotable(words)). The usual settings are used until it is."
    case .anchor:
      "Anchors and aliases are not understood. Write the value out, or put it in quotes."
    case .notSettings: "Settings are written as name, colon, value, one on each line."
    case .repeated(let name):
      "\(Self.quoted(name)) is set more than once, so the usual settings are used. Keep one."
    case .unknown(let name, let nearest): Self.unknown(name, nearest: nearest)
    case .wrong(let name, let expected, let found):
      "\(Self.quoted(name)) must be \(expected), not \(found). The usual value is used."
    case .more: "There is more wrong after this. Correct what was said first."
    }
  }

  private static func unknown(_ name: String, nearest: String?) -> String {
    if let nearest {
      return "There is no setting \(quoted(name)). Did you mean \(quoted(nearest))?"
    }
    return "There is no setting \(quoted(name)). Remove it."
  }

  private static func words(for reason: Reason) -> String {
    switch reason {
    case .notPermitted: "you are not allowed to. Change its permissions."
    case .isAFolder: "it is a folder. Give the name of a file."
    case .specialFile: "it is a device or a pipe. Give the name of a file."
    case .linkLoop: "its links lead in a circle. Replace it by a file."
    default: "the disk reported an error. Choose another file."
    }
  }

  /// Text from the file, cleaned and of bounded length.
  static func quoted(_ text: String) -> String { "\"\(quotable(text))\"" }

  private static func quotable(_ text: String) -> String {
    let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
    let cut = bounded.unicodeScalars.count < text.unicodeScalars.count
    return SpokenName.clean(bounded) + (cut ? "…" : "")
  }
}
