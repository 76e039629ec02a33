import Foundation

/// Collects the messages in the sources into the template.
struct Extraction {
  let localization: Localization

  /// The keywords are the functions of the phrasebook. With Java's rules xgettext reads Swift's
  /// literals and comments; C's fail at long strings.
  private static let options = [
    "--language=Java", "--from-code=UTF-8", "--add-comments", "--keyword=",
    "--keyword=phrase:1", "--keyword=term:1c,2", "--keyword=plural:1,2",
    "--add-location=file", "--no-wrap", "--force-po",
  ]

  private static let command = "swift package --allow-writing-to-package-directory messages"

  /// Writes the template, and merges it into every catalogue.
  func write() throws {
    let languages = try localization.languages()
    let template = try extracted()
    let url = localization.url(Localization.template)
    try template.write(to: url, atomically: true, encoding: .utf8)
    let msgmerge = try GettextTool("msgmerge")
    for language in languages {
      let catalogue = Localization.catalogue(language)
      let arguments = [
        "--update", "--no-fuzzy-matching", "--backup=none", "--no-wrap", "--quiet", catalogue,
        Localization.template,
      ]
      guard try msgmerge.run(arguments, in: localization.package) else {
        throw ToolError("\(catalogue) could not be merged")
      }
    }
  }

  /// Writes nothing; fails when ``write()`` would change the template.
  func check() throws {
    let url = localization.url(Localization.template)
    let old = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    let new = try extracted()
    guard old != new else { return }
    let (before, after) = (Set(Template.entries(old)), Set(Template.entries(new)))
    let changes =
      after.subtracting(before).sorted().map { "+ \($0)" }
      + before.subtracting(after).sorted().map { "- \($0)" }
    throw ToolError(
      (["\(Localization.template) is not what the code says. Run: \(Self.command)"]
        + changes.prefix(20)).joined(separator: "\n"))
  }

  func extracted() throws -> String {
    let output = FileManager.default.temporaryDirectory
      .appending(path: "keydrag-\(UUID().uuidString).pot")
    defer { try? FileManager.default.removeItem(at: output) }
    let xgettext = try GettextTool("xgettext")
    let arguments = Self.options + ["--output=\(output.path)"] + (try sources())
    guard try xgettext.run(arguments, in: localization.package) else {
      throw ToolError("the messages could not be extracted")
    }
    return Template.tidied(try String(contentsOf: output, encoding: .utf8))
  }

  /// Every Swift file below Sources, in the same order everywhere.
  private func sources() throws -> [String] {
    let folder = localization.url("Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
