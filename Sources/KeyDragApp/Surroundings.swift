import Glibc
import KeyDragCore
import KeyDragLocale

/// The environment that a process was started with.
package enum ProcessEnvironment {
  /// Read without Foundation, which would slow down the start.
  package static func read() -> [String: String] {
    var result: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return result
  }
}

/// A wording, and the problems to report once: a language that is unavailable.
package struct WordChoice: Sendable {
  package var phrases: Phrasebook
  package var problems: [Problem]

  package init(phrases: Phrasebook, problems: [Problem]) {
    self.phrases = phrases
    self.problems = problems
  }

  /// Chooses the requested language, or English.
  ///
  /// - Parameters:
  ///   - option: the language requested on the command line.
  ///   - setting: the one in the configuration.
  ///   - environment: consulted last.
  ///   - domain: the file name of the catalogues.
  package init(
    option: String? = nil, setting: String? = nil, environment: [String: String],
    domain: String = CataloguePath.domain
  ) {
    let path = CataloguePath(environment: environment, domain: domain)
    let language = LanguageChoice(
      option: option, setting: setting, environment: environment, known: path.languages)
    let (catalogue, problem) = path.open(language.language)
    self.init(
      phrases: Phrasebook(catalogue: catalogue),
      problems: [language.problem, problem].compactMap { $0 })
  }
}
