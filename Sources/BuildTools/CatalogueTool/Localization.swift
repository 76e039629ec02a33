import Foundation

struct Localization {
  let package: URL

  init(package: String) { self.package = URL(filePath: package, directoryHint: .isDirectory) }

  /// Relative to the package, as in messages of the tools.
  static let template = "Localization/keydrag.pot"

  static func catalogue(_ language: String) -> String { "Localization/\(language).po" }

  static func lexicon(_ language: String) -> String { "Localization/\(language).lexicon" }

  func url(_ path: String) -> URL { package.appending(path: path) }

  /// The languages in LINGUAS, in its order.
  func languages() throws -> [String] {
    let list = try String(contentsOf: url("Localization/LINGUAS"), encoding: .utf8)
    let names = list.split(separator: "\n").flatMap { line in
      line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.map { String($0) }
    }
    for name in names {
      guard name.wholeMatch(of: /[a-z]{2,3}(_[A-Z]{2})?/) != nil else {
        throw ToolError("Localization/LINGUAS: \"\(name)\" is not a language such as de or pt_BR")
      }
      guard FileManager.default.fileExists(atPath: url(Self.catalogue(name)).path) else {
        throw ToolError("Localization/LINGUAS names \(name), but there is no \(name).po")
      }
    }
    return names
  }

  /// A language's catalogue with the readings of its lexicon; `nil` if it has none.
  func marked(_ language: String) throws -> String? {
    let lexicon = url(Self.lexicon(language))
    guard FileManager.default.fileExists(atPath: lexicon.path) else { return nil }
    let words = try String(contentsOf: lexicon, encoding: .utf8)
    let catalogue = try String(contentsOf: url(Self.catalogue(language)), encoding: .utf8)
    return try Lexicon(words, name: Self.lexicon(language)).marked(catalogue: catalogue)
  }
}
