/// The source of the words: messages are keyed by their English source sentence.
///
/// Placeholders are positional and always text: `%1$@` … `%9$@`.
public protocol Catalogue: Sendable {
  /// The language of the sentences it gives, as a BCP 47 tag ("en", "pt-BR").
  var language: String { get }

  /// The sentence in this language, or the source sentence where there is none.
  ///
  /// `context` parts two meanings of one source ("End" is a key here, an end there).
  func sentence(_ source: String, context: String?) -> String

  /// The sentence for a count, in the plural form this language uses for it.
  func sentence(one: String, other: String, count: Int) -> String

  /// A whole number in the language's digits.
  func number(_ value: Int) -> String

  /// A number with one decimal, given in tenths: 15 is "1.5", or "1,5".
  func decimal(tenths: Int) -> String

  /// A percentage as it is written: "45%", "45 %", "%45".
  func percent(_ value: Int) -> String

  /// The same sentences as a voice has to get them, where it can't read what is shown
  /// (Japanese in kana); elsewhere itself.
  var spoken: any Catalogue { get }
}

extension Catalogue {
  /// Western digits.
  public func number(_ value: Int) -> String { String(value) }

  /// Western digits and a point.
  public func decimal(tenths: Int) -> String {
    "\(tenths / 10).\((tenths % 10).magnitude)"
  }

  /// As "45%" is written.
  public func percent(_ value: Int) -> String { "\(value)%" }

  /// Itself.
  public var spoken: any Catalogue { self }
}

/// English: the source sentences themselves.
public struct SourceCatalogue: Catalogue {
  /// English.
  public let language = "en"

  /// The words as they stand in the code.
  public init() {}

  /// The source itself.
  public func sentence(_ source: String, context: String?) -> String { source }

  /// One of the two, as English has it.
  public func sentence(one: String, other: String, count: Int) -> String {
    count == 1 ? one : other
  }
}
