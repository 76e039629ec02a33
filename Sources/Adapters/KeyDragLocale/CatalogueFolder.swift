import FoundationEssentials
import FoundationInternationalization
import Glibc
import KeyDragCore

/// The folder that the catalogues lie in.
package struct CatalogueFolder: Hashable, Sendable {
  /// Absolute; nothing when there are no catalogues.
  let path: String?
  /// The names of all languages that there should be: those that the program was built with, and
  /// what else is in the folder.
  package let languages: [String]

  /// The first that holds a catalogue: `KEYDRAG_LOCALEDIR`, what was installed with the program,
  /// what was built with it.
  package init(environment: [String: String]) {
    let program = CatalogueFolder.executable.map { "\($0)/../share/locale" }
    self.init(
      candidates: [environment["KEYDRAG_LOCALEDIR"], program, BuiltCatalogues.folder]
        .compactMap { $0 }, built: BuiltCatalogues.languages)
  }

  init(candidates: [String], built: [String]) {
    let found = candidates.lazy.filter { !$0.isEmpty }.map { folder in
      (folder: folder, names: CatalogueFolder.names(in: folder))
    }.first { !$0.names.isEmpty }
    path = found.flatMap { CatalogueFolder.absolute($0.folder) }
    languages = built + (found?.names.filter { !built.contains($0) }.sorted() ?? [])
  }

  /// The words of a language; English, and what to say of it, when they can't be used.
  ///
  /// The first call is made before there are other threads.
  ///
  /// - Parameter language: as ``LanguageChoice/language`` names it.
  package func open(_ language: String) -> (catalogue: GettextCatalogue, problem: Problem?) {
    if language == "en" { return (GettextCatalogue(), nil) }
    // Only names of catalogues get here; a path is never made of anything else.
    if let path, languages.contains(language),
      MessageFile(path: CatalogueFolder.file(language, in: path)) != nil,
      let domain = MessageDomain(language: language, folder: path)
    {
      return (GettextCatalogue(name: language, domain: domain), nil)
    }
    return (GettextCatalogue(), .catalogue(language: CatalogueFolder.spokenName(of: language)))
  }

  private static func messages(in folder: String) -> String {
    "\(folder)/\(MessageDomain.locale)/LC_MESSAGES"
  }

  private static func file(_ language: String, in folder: String) -> String {
    "\(messages(in: folder))/keydrag-\(language).mo"
  }

  /// Names that are none of a language are passed over.
  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(messages(in: folder)) else { return [] }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
      let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard file.hasPrefix("keydrag-"), file.hasSuffix(".mo") else { continue }
      let name = String(file.dropFirst("keydrag-".count).dropLast(".mo".count))
      if isName(name) { result.append(name) }
    }
    return result
  }

  /// "de" or "pt_BR".
  private static func isName(_ name: String) -> Bool {
    guard let tag = LanguageTag(name) else { return false }
    return name == tag.language || name == "\(tag.language)_\(tag.region ?? "")"
  }

  /// libintl would ask for the current folder at every look-up.
  private static func absolute(_ path: String) -> String? {
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return nil }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }

  /// The folder of the running program.
  private static var executable: String? {
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

  /// In English, which is what follows.
  private static func spokenName(of language: String) -> String {
    let name = Locale(identifier: "en").localizedString(forIdentifier: language)
    return SpokenName.clean(name ?? language)
  }
}
