import Foundation

/// Makes of every catalogue the binary file that programs read.
struct Compiler {
  let localization: Localization
  /// Laid out as gettext's folders are, so that it can be installed as it is:
  /// `<language>/LC_MESSAGES/keydrag.mo`.
  let folder: String

  /// Compiles all languages, and tells of every mistake before it fails.
  func run(constant: String) throws {
    let top = URL(filePath: folder)
    try FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
    let languages = try localization.languages()
    // Asked for even when there is nothing to compile yet: whoever builds is told at once.
    let msgfmt = try GettextTool("msgfmt")
    var wrong: [String] = []
    for language in languages where try !compile(language, into: top, with: msgfmt) {
      wrong.append(language)
    }
    guard wrong.isEmpty else {
      throw ToolError("mistakes in the catalogues: \(wrong.joined(separator: ", "))")
    }
    try removeOthers(than: languages, in: top)
    try writeConstant(languages, to: constant)
  }

  /// The binary file takes its place whole: a program that starts meanwhile reads the old one.
  /// Mistakes are told of the catalogue itself; only then the readings come into it.
  private func compile(_ language: String, into top: URL, with msgfmt: GettextTool) throws -> Bool {
    let messages = top.appending(path: "\(language)/LC_MESSAGES")
    try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
    let file = messages.appending(path: "keydrag.mo")
    let unfinished = messages.appending(path: ".keydrag.mo")
    let source = Localization.catalogue(language)
    guard
      try msgfmt.run(
        ["--check", "--no-hash", "--output-file", unfinished.path, source], in: localization.package
      )
    else { return false }
    if let marked = try localization.marked(language) {
      let catalogue = messages.appending(path: ".keydrag.po")
      defer { try? FileManager.default.removeItem(at: catalogue) }
      try marked.write(to: catalogue, atomically: false, encoding: .utf8)
      let arguments = ["--no-hash", "--output-file", unfinished.path, catalogue.path]
      guard try msgfmt.run(arguments, in: localization.package) else { return false }
    }
    guard rename(unfinished.path, file.path) == 0 else {
      throw ToolError("\(file.path) can't be written")
    }
    return true
  }

  /// Languages that are gone from LINGUAS.
  private func removeOthers(than languages: [String], in top: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: top.path)
    where !languages.contains(name) {
      let folder = top.appending(path: name)
      let isCatalogue = FileManager.default.fileExists(
        atPath: folder.appending(path: "LC_MESSAGES").path)
      if isCatalogue { try FileManager.default.removeItem(at: folder) }
    }
  }

  /// By which a program that was not installed finds what was built with it: from the package
  /// manager's own folder on, so that no program holds a path of whoever built it.
  private var folderFromBuild: String {
    let parts = folder.split(separator: "/")
    let start = parts.indices.last { index in
      parts[index...].starts(with: ["plugins", "outputs"])
    }
    return parts[(start ?? parts.endIndex - 1)...].joined(separator: "/")
  }

  private func writeConstant(_ languages: [String], to path: String) throws {
    let text = """
      /// The catalogues that this program was built with.
      enum BuiltCatalogues {
        /// Below the package manager's folder.
        static let folder = \(String(reflecting: folderFromBuild))
        static let languages: [String] = \(String(reflecting: languages))
      }

      """
    let url = URL(filePath: path)
    // Left alone when it says the same, so that nothing is compiled anew for it.
    if let old = try? String(contentsOf: url, encoding: .utf8), old == text { return }
    try text.write(to: url, atomically: true, encoding: .utf8)
  }
}
