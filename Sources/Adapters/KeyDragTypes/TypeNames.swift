import Glibc
import KeyDragCore
import KeyDragThreads

/// Folders of the shared MIME database, the user's own first.
enum MimeFolders {
  static func ofEnvironment() -> [String] {
    folders(
      dataHome: value("XDG_DATA_HOME"), home: value("HOME"), dataFolders: value("XDG_DATA_DIRS"))
  }

  /// In the order of the base directory specification; skips relative paths.
  static func folders(dataHome: String?, home: String?, dataFolders: String?) -> [String] {
    let own = dataHome ?? home.map { "\($0)/.local/share" }
    let shared = (dataFolders ?? "/usr/local/share:/usr/share").split(separator: ":").map {
      String($0)
    }
    return ((own.map { [$0] } ?? []) + shared).filter { $0.hasPrefix("/") }.map { "\($0)/mime" }
  }

  private static func value(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}

struct TypeNames: Sendable {
  let phrases: Phrasebook
  let folders: [String]

  /// Never empty, and safe to speak.
  func name(of type: String) -> String {
    if let short = shortName(of: type) { return short }
    for folder in folders {
      guard let comment = comment(of: type, in: folder) else { continue }
      return SpokenName.clean(comment)
    }
    return file
  }

  /// File extensions without the dot, in database order.
  func endings(of type: String) -> [String] {
    folders.flatMap { text(of: type, in: $0).map(TypeGlobs.endings(in:)) ?? [] }
  }

  private func comment(of type: String, in folder: String) -> String? {
    text(of: type, in: folder).flatMap {
      TypeComments.comment(in: $0, language: phrases.catalogue.language)
    }
  }

  /// The type's XML file in the database.
  private func text(of type: String, in folder: String) -> String? {
    guard Self.isPlain(type) else { return nil }
    return SystemFiles.text("\(folder)/\(type).xml", most: Self.longestFile)
  }

  /// Whether a type is safe as part of a path: two names of RFC 6838's restricted alphabet.
  static func isPlain(_ type: String) -> Bool {
    let parts = type.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        part.first.map(isLetterOrDigit) == true && part.count <= 127 && part.allSatisfy(isAllowed)
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "!#$&-^_.+".utf8.contains(byte)
  }

  /// In bytes; no type's file is longer.
  private static let longestFile = 1 << 16

  /// Shorter, plainer names than the database has, for the most common types.
  private func shortName(of type: String) -> String? {
    switch type {
    // Kind of a file, said after its name or after a count: plain text.
    case "text/plain": phrases.term(in: "type of file", "text document")
    // Kind of a file, said after its name.
    case "inode/directory": phrases.term(in: "type of file", "folder")
    // Kind of a file, said after its name: a symbolic link.
    case "inode/symlink": phrases.term(in: "type of file", "link")
    case "application/octet-stream": file
    // Kind of a file, said after its name: one without contents.
    case "application/x-zerosize": phrases.term(in: "type of file", "empty file")
    // Kind of a file, said after its name: somebody's name, address and so on.
    case "text/vcard": phrases.term(in: "type of file", "contact")
    // Kind of a file, said after its name: appointments.
    case "text/calendar": phrases.term(in: "type of file", "calendar")
    // Kind of a file, said after its name.
    case "application/pdf": phrases.term(in: "type of file", "PDF document")
    // Kind of a file, said after its name: a small program.
    case "application/x-shellscript": phrases.term(in: "type of file", "shell script")
    default: nil
    }
  }

  // Kind of a file of which nothing more is known, said after its name.
  private var file: String { phrases.term(in: "type of file", "file") }
}

/// Names in a type's XML file in the shared MIME database (`comment` elements).
enum TypeComments {
  /// The name in this language, its base language, or the untranslated one.
  static func comment(in text: String, language: String) -> String? {
    let base = String(language.prefix { $0 != "_" && $0 != "-" && $0 != "@" && $0 != "." })
    let exact = language.replacing("-", with: "_")
    for wanted in [
      "<comment xml:lang=\"\(exact)\">", "<comment xml:lang=\"\(base)\">", "<comment>",
    ] {
      guard let start = text.firstRange(of: wanted)?.upperBound,
        let end = text[start...].firstRange(of: "</comment>")?.lowerBound, start < end
      else { continue }
      return unescape(text[start..<end])
    }
    return nil
  }

  private static func unescape(_ text: Substring) -> String {
    var text = String(text)
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ] {
      text = text.replacing(entity, with: character)
    }
    return text
  }
}

/// File name patterns in a type's XML file (`glob` elements).
enum TypeGlobs {
  /// Extensions from patterns of the form "*.ending"; ignores other patterns.
  static func endings(in text: String) -> [String] {
    let elements = text.split(separator: "<glob ", omittingEmptySubsequences: false).dropFirst()
    return elements.compactMap { element in
      guard let start = element.firstRange(of: "pattern=\"*.")?.upperBound,
        let end = element[start...].firstIndex(of: "\"")
      else { return nil }
      let ending = element[start..<end]
      return isSafe(ending) ? String(ending) : nil
    }
  }

  /// Letters, digits and a few marks that are safe in a file name.
  private static func isSafe(_ ending: Substring) -> Bool {
    (1...32).contains(ending.utf8.count)
      && ending.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_+.".utf8.contains(byte)
        }
      }
      && ending.first != "." && ending.last != "."
  }
}
