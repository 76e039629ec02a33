import KeyDragCore

/// A language's wording, from a compiled catalogue.
package struct GettextCatalogue: Catalogue {
  private let contents: Contents
  private let isSpoken: Bool

  /// Shared by the shown and the spoken wording.
  private final class Contents: Sendable {
    let language: String
    /// `nil` for English, the language of the sources.
    let messages: MessageFile?
    let numbers: NumberForms

    init(language: String, messages: MessageFile?) {
      self.language = language
      self.messages = messages
      numbers = NumberForms(language: language)
    }
  }

  /// English: the source sentences, with numbers as English writes them.
  package init() {
    contents = Contents(language: "en", messages: nil)
    isSpoken = false
  }

  /// - Parameter name: of the catalogue: "pt_BR".
  init(name: String, messages: MessageFile) {
    contents = Contents(language: name.replacing("_", with: "-"), messages: messages)
    isSpoken = false
  }

  private init(_ contents: Contents, isSpoken: Bool) {
    self.contents = contents
    self.isSpoken = isSpoken
  }

  package var language: String { contents.language }

  package var spoken: any Catalogue { GettextCatalogue(contents, isSpoken: true) }

  package func sentence(_ source: String, context: String?) -> String {
    // The empty message is the catalogue's header.
    guard let messages = contents.messages, !source.isEmpty else { return source }
    // gettext joins the two like this.
    let key = context.map { "\($0)\u{4}\(source)" } ?? source
    guard let text = worded(messages.text(key)), Placeholders(in: text) == Placeholders(in: source)
    else { return source }
    return text
  }

  package func sentence(one: String, other: String, count: Int) -> String {
    let source = count == 1 ? one : other
    guard let messages = contents.messages, !one.isEmpty else { return source }
    guard let text = worded(messages.text(one, count: count)) else {
      return source
    }
    // A form for one count only may omit the number ("no file", "two files" in Arabic).
    let (wanted, found) = (Placeholders(in: other), Placeholders(in: text))
    return found == wanted || found == wanted.withoutLast ? text : source
  }

  package func number(_ value: Int) -> String {
    contents.numbers.number(value, isSpoken: isSpoken)
  }

  package func decimal(tenths: Int) -> String {
    contents.numbers.decimal(tenths: tenths, isSpoken: isSpoken)
  }

  package func percent(_ value: Int) -> String {
    contents.numbers.percent(value, isSpoken: isSpoken)
  }

  /// The form for the eye or for the ear, if the text is safe.
  private func worded(_ text: String?) -> String? {
    guard let text = text.flatMap(SafeText.checked) else { return nil }
    return isSpoken ? Reading.spoken(text) : Reading.shown(text)
  }
}
