/// Where the words come from: messages are keyed by their English source sentence.
///
/// Placeholders are positional: `%1$@` for text, `%1$ld` for a number.
public protocol Catalogue: Sendable {
  /// The language of the sentences it gives, as a BCP 47 tag ("en", "pt-BR").
  var language: String { get }

  /// The sentence in this language, or the source sentence where there is none.
  func sentence(_ source: String) -> String

  /// The sentence for a count, in the plural form this language uses for it.
  func sentence(one: String, other: String, count: Int) -> String
}

/// English: the source sentences themselves.
public struct SourceCatalogue: Catalogue {
  public let language = "en"

  public init() {}

  public func sentence(_ source: String) -> String { source }

  public func sentence(one: String, other: String, count: Int) -> String {
    count == 1 ? one : other
  }
}
