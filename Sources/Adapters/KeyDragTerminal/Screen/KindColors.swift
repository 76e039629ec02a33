import KeyDragCore

/// The colours and signs of file kinds, as `ls` shows them.
package struct KindColors: Hashable, Sendable {
  /// In bytes; longer values are no colours.
  private static let longest = 32

  private var kinds: [String: String] = [:]
  private var endings: [String: String] = [:]

  package init() {}

  /// The colours of `LS_COLORS` (dircolors(1)), as in "di=01;34:*.tar=01;31"; unknown parts are
  /// ignored.
  package init(_ variable: String) {
    for part in variable.split(separator: ":") {
      let pair = part.split(separator: "=", maxSplits: 1)
      // Only numbers ever reach the terminal.
      guard pair.count == 2, pair[1].utf8.count <= Self.longest,
        pair[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ";") })
      else { continue }
      if pair[0].hasPrefix("*") {
        endings[pair[0].dropFirst().lowercased()] = String(pair[1])
      } else {
        kinds[String(pair[0])] = String(pair[1])
      }
    }
  }

  /// The SGR parameters of a row's colour; empty for none.
  func color(of row: ScreenRow) -> String {
    switch row.kind {
    case .folder: kinds["di"] ?? ""
    case .brokenLink: kinds["or"] ?? kinds["ln"] ?? ""
    case .link, .folderLink: kinds["ln"] ?? ""
    case .special: kinds["pi"] ?? ""
    case .file where row.isExecutable: kinds["ex"] ?? ""
    case .file: ending(of: row.name) ?? kinds["fi"] ?? ""
    case .object, .placeholder, nil: ""
    }
  }

  /// The sign that `ls -F` appends to a name; empty for a plain file.
  static func sign(of row: ScreenRow) -> String {
    switch row.kind {
    case .folder: "/"
    case .link, .folderLink, .brokenLink: "@"
    case .special: "|"
    case .file: row.isExecutable ? "*" : ""
    case .object, .placeholder, nil: ""
    }
  }

  /// The colour of a place's answer: green, yellow or red (ECMA-48).
  static func color(of verdict: Verdict.Word?) -> String {
    switch verdict {
    case .accept: "32"
    case .partial, .maybe, .asking: "33"
    case .refuse, .forbidden: "31"
    case .cancel, nil: ""
    }
  }

  /// The sign in front of a place's answer, for eyes that do not tell colours apart.
  static func mark(of verdict: Verdict.Word?) -> String {
    switch verdict {
    case .accept, .partial: "+ "
    case .maybe, .asking: "? "
    case .refuse, .forbidden: "- "
    case .cancel: "  "
    case nil: ""
    }
  }

  /// By the longest ending that has a colour.
  private func ending(of name: String) -> String? {
    guard !endings.isEmpty else { return nil }
    let name = name.lowercased()
    return name.indices.lazy.filter { name[$0] == "." || name[$0] == "~" }
      .compactMap { endings[String(name[$0...])] }.first
  }
}
