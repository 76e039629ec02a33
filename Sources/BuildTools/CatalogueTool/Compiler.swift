import Foundation

/// Makes of every catalogue the binary file that libintl reads.
struct Compiler {
  let localization: Localization
  /// Where `C.UTF-8/LC_MESSAGES/keydrag-<language>.mo` come to lie.
  let folder: String

  /// Compiles all languages, and tells of every mistake before it fails.
  func run(constant: String) throws {
    let messages = URL(filePath: folder).appending(path: "C.UTF-8/LC_MESSAGES")
    try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
    let languages = try localization.languages()
    // Asked for even when there is nothing to compile yet: whoever builds is told at once.
    let msgfmt = try GettextTool("msgfmt")
    var wrong: [String] = []
    for language in languages where try !compile(language, into: messages, with: msgfmt) {
      wrong.append(language)
    }
    guard wrong.isEmpty else {
      throw ToolError("mistakes in the catalogues: \(wrong.joined(separator: ", "))")
    }
    try removeOthers(than: languages, in: messages)
    try writeConstant(languages, to: constant)
  }

  /// The binary file takes its place whole: a running program may have the old one mapped.
  private func compile(_ language: String, into messages: URL, with msgfmt: GettextTool) throws
    -> Bool
  {
    let file = messages.appending(path: "keydrag-\(language).mo")
    let unfinished = messages.appending(path: ".keydrag-\(language).mo")
    let source = Localization.catalogue(language)
    guard
      try msgfmt.run(
        ["--check", "--output-file", unfinished.path, source], in: localization.package)
    else { return false }
    guard rename(unfinished.path, file.path) == 0 else {
      throw ToolError("\(file.path) can't be written")
    }
    return true
  }

  /// Languages that are gone from LINGUAS.
  private func removeOthers(than languages: [String], in messages: URL) throws {
    let kept = Set(languages.map { "keydrag-\($0).mo" })
    for name in try FileManager.default.contentsOfDirectory(atPath: messages.path)
    where !kept.contains(name) {
      try FileManager.default.removeItem(at: messages.appending(path: name))
    }
  }

  /// Where a program that was not installed finds what was built with it.
  private func writeConstant(_ languages: [String], to path: String) throws {
    let text = """
      /// The catalogues that this program was built with.
      enum BuiltCatalogues {
        static let folder = \(String(reflecting: folder))
        static let languages: [String] = \(String(reflecting: languages))
      }

      """
    let url = URL(filePath: path)
    // Left alone when it says the same, so that nothing is compiled anew for it.
    if let old = try? String(contentsOf: url, encoding: .utf8), old == text { return }
    try text.write(to: url, atomically: true, encoding: .utf8)
  }
}
