import FoundationEssentials
import FoundationInternationalization
import Glibc
import KeyDragCore

/// The folders to search for catalogues, each laid out like gettext's: `de/LC_MESSAGES/keydrag.mo`.
package struct CataloguePath: Hashable, Sendable {
  /// The file name of this project's catalogues.
  package static let domain = "keydrag"
  /// The most folders of `XDG_DATA_DIRS`.
  private static let most = 64

  /// The languages built into the program, as a person writes them: "pt-BR".
  package static let known =
    (["en"] + BuiltCatalogues.languages.map { $0.replacing("_", with: "-") }).sorted()

  let folders: [String]
  /// File names without their extension; the first one that has a language is used.
  let domains: [String]
  /// All languages that should be available: the built-in ones, and others in the folders.
  package let languages: [String]

  /// Searches the folders installed with the program, built with it, and of the person and the
  /// system (XDG Base Directory Specification 0.8); `KEYDRAG_LOCALEDIR` comes first.
  ///
  /// - Parameter domain: an app's own name for its copies of the catalogues. Those named "keydrag"
  ///   supply languages that it lacks.
  package init(environment: [String: String], domain: String = Self.domain) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let own = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
    let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share")
      .split(separator: ":", maxSplits: Self.most).map { String($0) }
    let program = Self.program
    // A folder beside any other program folder may be anyone's, such as one beside /tmp.
    let beside = program.flatMap { $0.hasSuffix("/bin") ? "\(Self.parent(of: $0))/share" : nil }
    let data = ([own] + shared)
      // The specification ignores relative paths.
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

  /// The catalogue of a language; English and a problem if it can't be used.
  ///
  /// - Parameter language: as ``LanguageChoice/language`` names it.
  package func open(_ language: String) -> (catalogue: GettextCatalogue, problem: Problem?) {
    if language == "en" { return (GettextCatalogue(), nil) }
    // Only language names get here; a path is never made of anything else.
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

  /// Languages beside the known ones; names that are no language are skipped.
  ///
  /// A system's folder has hundreds of names, and this runs at each start: cheap checks come first.
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

  /// In bytes: "mai_IN", "es_419".
  private static let longestName = 6

  /// "de" or "pt_BR".
  private static func isName(_ name: String) -> Bool {
    guard let tag = LanguageTag(name) else { return false }
    return name == tag.language || name == "\(tag.language)_\(tag.region ?? "")"
  }

  // MARK: The program

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

  /// The package manager's folders for the catalogues of a program that is still in its build
  /// folder. The program contains no path of the machine that built it.
  static func built(beside program: String) -> [String] {
    guard ["debug", "release"].contains(program.split(separator: "/").last) else { return [] }
    // With the folder of the target triple in between, and without it.
    return [parent(of: parent(of: program)), parent(of: program)]
      .map { "\($0)/\(BuiltCatalogues.folder)" }
  }

  private static func parent(of folder: String) -> String {
    folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
  }

  /// In English, the language of what follows.
  private static func spokenName(of language: String) -> String {
    let name = Locale(identifier: "en").localizedString(forIdentifier: language)
    return SpokenName.clean(name ?? language)
  }
}
