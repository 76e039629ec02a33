import KeyDragCore

/// Chooses the language from everything that requests one.
package struct LanguageChoice: Hashable, Sendable {
  /// The name of a catalogue ("pt_BR"), or "en".
  package let language: String
  /// The requested language that is unavailable, safe to speak.
  package let unknown: String?

  /// The problem to report about it, once.
  package var problem: Problem? { unknown.map { .unknownLanguage($0) } }

  /// The longest name that is repeated to the person; no tag is longer (RFC 5646, 4.4.1).
  private static let longest = 35

  /// - Parameters:
  ///   - option: the value of `--lang`.
  ///   - setting: the language in the configuration.
  ///   - environment: consulted last, in gettext's order.
  ///   - known: the names of the available catalogues.
  package init(
    option: String?, setting: String?, environment: [String: String], known: [String]
  ) {
    let direct = [option, setting].compactMap { $0 }.first { !$0.isEmpty }
    let asked = direct.map { [$0] } ?? LanguageChoice.asked(by: environment)
    // The first known one counts; those before it are skipped silently.
    let found = asked.lazy.compactMap { LanguageTag($0)?.match(in: known) }.first
    language = found ?? "en"
    unknown = found == nil ? asked.first.map(LanguageChoice.speakable) : nil
  }

  /// LANGUAGE is a list; it applies in any locale but "C" and "POSIX", and also without one.
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
