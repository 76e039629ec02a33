import Foundation

/// Compiles every catalogue to the binary file that programs read.
struct Compiler {
  let localization: Localization
  /// Laid out as gettext's folders are, so that it can be installed as it is:
  /// `<language>/LC_MESSAGES/keydrag.mo`.
  let folder: String

  /// Compiles all languages, and reports every mistake before it fails.
  func run(constant: String) throws {
    let top = URL(filePath: folder)
    try FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
    let languages = try localization.languages()
    // Required even if there is nothing to compile yet, so that its absence is reported at once.
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

  /// Replaces the binary file atomically: a program that starts meanwhile reads the old one.
  /// Mistakes are reported for the catalogue itself; only then the readings are inserted.
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

  private func removeOthers(than languages: [String], in top: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: top.path)
    where !languages.contains(name) {
      let folder = top.appending(path: name)
      let isCatalogue = FileManager.default.fileExists(
        atPath: folder.appending(path: "LC_MESSAGES").path)
      if isCatalogue { try FileManager.default.removeItem(at: folder) }
    }
  }

  /// The path by which a program that was not installed finds what was built with it: relative to
  /// the package manager's own folder, so that no program contains a path of its builder.
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
    // Left alone if it is the same, so that nothing is compiled again.
    if let old = try? String(contentsOf: url, encoding: .utf8), old == text { return }
    try text.write(to: url, atomically: true, encoding: .utf8)
  }
}
