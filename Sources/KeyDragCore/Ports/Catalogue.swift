/// A source of translations, keyed by the English source sentence.
///
/// Placeholders are positional and always text: `%1$@` … `%9$@`.
public protocol Catalogue: Sendable {
  /// The language of the translations, as a BCP 47 tag ("en", "pt-BR").
  var language: String { get }

  /// The translation, or the source sentence if there is none.
  ///
  /// `context` separates two meanings of one source (the key "End" and the end of something).
  func sentence(_ source: String, context: String?) -> String

  /// The translation for a count, in the plural form of this language.
  func sentence(one: String, other: String, count: Int) -> String

  /// A whole number in the language's digits.
  func number(_ value: Int) -> String

  /// A number with one decimal, given in tenths: 15 is "1.5", or "1,5".
  func decimal(tenths: Int) -> String

  /// A percentage as it is written: "45%", "45 %", "%45".
  func percent(_ value: Int) -> String

  /// The catalogue for a voice, where it can't read what is displayed (Japanese in kana); by
  /// default the same one.
  var spoken: any Catalogue { get }
}

extension Catalogue {
  /// Western digits.
  public func number(_ value: Int) -> String { String(value) }

  /// Western digits and a decimal point.
  public func decimal(tenths: Int) -> String {
    "\(tenths / 10).\((tenths % 10).magnitude)"
  }

  /// A percentage without a space: "45%".
  public func percent(_ value: Int) -> String { "\(value)%" }

  /// The catalogue itself.
  public var spoken: any Catalogue { self }
}

/// English: the source sentences unchanged.
public struct SourceCatalogue: Catalogue {
  /// English.
  public let language = "en"

  /// A catalogue of the source sentences.
  public init() {}

  /// The source sentence.
  public func sentence(_ source: String, context: String?) -> String { source }

  /// The form for the count, by the English rule.
  public func sentence(one: String, other: String, count: Int) -> String {
    count == 1 ? one : other
  }
}
