import KeyDragCore

/// Which language is spoken, from all that asks for one.
package struct LanguageChoice: Hashable, Sendable {
  /// The name of a catalogue ("pt_BR"), or "en".
  package let language: String
  /// The language that was asked for and is not there, safe to speak.
  package let unknown: String?

  /// The problem that is said of it, once.
  package var problem: Problem? { unknown.map { .unknownLanguage($0) } }

  /// The longest name that is repeated to the person; a tag takes no more (RFC 5646, 4.4.1).
  private static let longest = 35

  /// - Parameters:
  ///   - option: what follows `--lang`.
  ///   - setting: the language in the configuration.
  ///   - environment: asked last, in gettext's order.
  ///   - known: the names of the catalogues there are.
  package init(
    option: String?, setting: String?, environment: [String: String], known: [String]
  ) {
    let direct = [option, setting].compactMap { $0 }.first { !$0.isEmpty }
    let asked = direct.map { [$0] } ?? LanguageChoice.asked(by: environment)
    // The first that is known counts, and those before it are passed over without a word.
    let found = asked.lazy.compactMap { LanguageTag($0)?.match(in: known) }.first
    language = found ?? "en"
    unknown = found == nil ? asked.first.map(LanguageChoice.speakable) : nil
  }

  /// LANGUAGE is a list; it counts for any locale but "C" and "POSIX", also for none.
  private static func asked(by environment: [String: String]) -> [String] {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG")
    if locale != "C", locale != "POSIX", let list = value("LANGUAGE") {
      let languages = list.split(separator: ":", maxSplits: 32).map { String($0) }
      if !languages.isEmpty { return languages }
    }
    return locale.map { [$0] } ?? []
  }

  /// Without an encoding, which is no part of a language.
  private static func speakable(_ text: String) -> String {
    let isTag = LanguageTag(text) != nil
    let name = isTag ? String(text.prefix { $0 != "." && $0 != "@" }) : text
    return String(SpokenName.clean(name).prefix(longest))
  }
}
