import FoundationEssentials
import FoundationInternationalization
import Glibc
import KeyDragCore

/// The folders that catalogues are looked for in, each laid out as gettext's:
/// `de/LC_MESSAGES/keydrag.mo`.
package struct CataloguePath: Hashable, Sendable {
  /// The name of the files with this project's messages.
  package static let domain = "keydrag"
  /// More are not looked at.
  private static let most = 64

  /// The languages that the program was built with, as a person writes them: "pt-BR".
  package static let known =
    (["en"] + BuiltCatalogues.languages.map { $0.replacing("_", with: "-") }).sorted()

  let folders: [String]
  /// The names of the files, without their ending; the first one of a language is taken.
  let domains: [String]
  /// The names of all languages that there should be: those that the program was built with, and
  /// what else is in the folders.
  package let languages: [String]

  /// Looks in the folders installed with the program, built with it, and of the person and the
  /// system (XDG Base Directory Specification 0.8); before all of them in `KEYDRAG_LOCALEDIR`.
  ///
  /// - Parameter domain: an app that brings the messages under a name of its own gives it here. Those
  ///   of the name "keydrag" are used where it has none.
  package init(environment: [String: String], domain: String = Self.domain) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let own = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
    let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share")
      .split(separator: ":", maxSplits: Self.most).map { String($0) }
    let program = Self.program
    // Beside any other folder of the program's anyone may have put one, as beside one of /tmp.
    let beside = program.flatMap { $0.hasSuffix("/bin") ? "\(Self.parent(of: $0))/share" : nil }
    let data = ([own] + shared)
      // By the specification a relative one is passed over.
      .compactMap { $0 }.filter { $0.hasPrefix("/") }.map { "\($0)/locale" }
    let built = program.map(Self.built(beside:)) ?? []
    self.init(
      folders: [value("KEYDRAG_LOCALEDIR"), beside.map { "\($0)/locale" }].compactMap { $0 } + built
        + data,
      built: BuiltCatalogues.languages, domain: domain)
  }

  init(folders: [String], built: [String], domain: String = Self.domain) {
    self.folders = folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    domains = domain == Self.domain ? [domain] : [domain, Self.domain]
    let known = Set(built)
    var others: Set<String> = []
    for folder in self.folders {
      others.formUnion(Self.names(in: folder, of: domains, besides: known))
    }
    languages = built + others.sorted()
  }

  /// The words of a language; English, and what to say of it, when they can't be used.
  ///
  /// - Parameter language: as ``LanguageChoice/language`` names it.
  package func open(_ language: String) -> (catalogue: GettextCatalogue, problem: Problem?) {
    if language == "en" { return (GettextCatalogue(), nil) }
    // Only names of languages get here; a path is never made of anything else.
    guard languages.contains(language) else {
      return (GettextCatalogue(), .catalogue(language: Self.spokenName(of: language)))
    }
    for domain in domains {
      for folder in folders {
        if let messages = MessageFile(path: Self.file(language, of: domain, in: folder)) {
          return (GettextCatalogue(name: language, messages: messages), nil)
        }
      }
    }
    return (GettextCatalogue(), .catalogue(language: Self.spokenName(of: language)))
  }

  private static func file(_ language: String, of domain: String, in folder: String) -> String {
    "\(folder)/\(language)/LC_MESSAGES/\(domain).mo"
  }

  /// Languages beside those that are known; names that are none of a language are passed over.
  ///
  /// A system's folder has hundreds of names, and this is done at each start: what costs little comes
  /// first.
  private static func names(
    in folder: String, of domains: [String], besides known: Set<String>
  ) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let bytes = bytes.prefix { $0 != 0 }
        return bytes.count <= longestName ? String(decoding: bytes, as: UTF8.self) : ""
      }
      guard !name.isEmpty, !known.contains(name),
        domains.contains(where: { access(file(name, of: $0, in: folder), F_OK) == 0 }),
        isName(name)
      else { continue }
      result.append(name)
    }
    return result
  }

  /// "mai_IN", "es_419".
  private static let longestName = 6

  /// "de" or "pt_BR".
  private static func isName(_ name: String) -> Bool {
    guard let tag = LanguageTag(name) else { return false }
    return name == tag.language || name == "\(tag.language)_\(tag.region ?? "")"
  }

  // MARK: The program

  /// The folder of the running program.
  private static var program: String? {
    let size = Int(PATH_MAX)
    let path = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        guard let start = buffer.baseAddress else { return }
        count = max(readlink("/proc/self/exe", start, size), 0)
      }
    }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(validating: path[..<slash], as: UTF8.self)
  }

  /// The folders into which the package manager puts the catalogues of a program that still lies in
  /// its build folder. No path of the machine that built it is in the program.
  static func built(beside program: String) -> [String] {
    guard ["debug", "release"].contains(program.split(separator: "/").last) else { return [] }
    // With the folder of the machine's kind between them, and without it.
    return [parent(of: parent(of: program)), parent(of: program)]
      .map { "\($0)/\(BuiltCatalogues.folder)" }
  }

  private static func parent(of folder: String) -> String {
    folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
  }

  /// In English, which is what follows.
  private static func spokenName(of language: String) -> String {
    let name = Locale(identifier: "en").localizedString(forIdentifier: language)
    return SpokenName.clean(name ?? language)
  }
}
