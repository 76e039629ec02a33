import Glibc
import KeyDragCore
import SystemPackage

/// A .desktop file's localized name, which file managers show instead of its file name (Desktop
/// Entry Specification 1.5, "Basic format of the file" and "Localized values for keys").
///
/// Parsing is pure; only ``shown(_:)`` reads the disk.
struct DesktopEntryName {
  /// Preferred languages, best first, as in "de_AT@euro".
  var languages = DesktopEntryName.languages(of: { getenv($0).map { String(cString: $0) } })

  /// In bytes; larger files are ignored.
  private static let most = 256 << 10
  /// Bytes read of each file: the group with the name comes first.
  private static let head = 16 << 10
  private static let suffix = Array(".desktop".utf8)

  /// By the extension, case-sensitive.
  static func isStarter(_ file: FileName) -> Bool {
    file.bytes.reversed().starts(with: suffix.reversed())
  }

  /// `nil` if the file has no name of its own. May block.
  func shown(_ file: FilePath) -> String? {
    guard let bytes = Self.contents(file) else { return nil }
    return name(in: bytes)
  }

  /// `nil` if the file is not a regular file or is too large.
  private static func contents(_ file: FilePath) -> [UInt8]? {
    guard let (bytes, isWhole) = FileCalls.head(of: file, most: most, head: head) else {
      return nil
    }
    // Drops an incomplete last line.
    return isWhole ? bytes : Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)])
  }

  // MARK: The format

  /// The name in a file's contents; `nil` if it has none or does not parse. The first language with
  /// an entry decides, even if its name is empty, which counts as none.
  func name(in bytes: [UInt8]) -> String? {
    guard let names = Self.names(in: bytes) else { return nil }
    for variant in languages.flatMap(Self.variants) {
      if let name = names[variant] { return name.isEmpty ? nil : name }
    }
    return names[""].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Names by language, "" for the untranslated one; `nil` if the file does not parse. Only keys of
  /// the group "Desktop Entry" count. A later key wins.
  private static func names(in bytes: [UInt8]) -> [String: String]? {
    var names: [String: String] = [:]
    var group: String?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = trimmed(line)
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      if first == UInt8(ascii: "[") {
        guard line.last == UInt8(ascii: "]") else { return nil }
        group = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
        continue
      }
      guard let group, let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      guard group == "Desktop Entry" else { continue }
      let key = String(decoding: trimmed(line[..<equals]), as: UTF8.self)
      guard let language = language(of: key) else { continue }
      names[language] = value(trimmed(line[(equals + 1)...]))
    }
    return names
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }),
      let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return bytes[start...end]
  }

  /// The language of "Name" or "Name[de]"; `nil` for any other key.
  private static func language(of key: String) -> String? {
    if key == "Name" { return "" }
    guard key.hasPrefix("Name["), key.hasSuffix("]") else { return nil }
    return String(key.dropFirst(5).dropLast())
  }

  /// Unescapes a value as in "Possible value types"; `nil` for an unknown escape or invalid UTF-8.
  private static func value(_ bytes: ArraySlice<UInt8>) -> String? {
    var plain: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        plain.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "s"): plain.append(32)
      case UInt8(ascii: "n"): plain.append(10)
      case UInt8(ascii: "t"): plain.append(9)
      case UInt8(ascii: "r"): plain.append(13)
      case UInt8(ascii: "\\"): plain.append(92)
      default: return nil
      }
    }
    return String(validating: plain, as: UTF8.self)
  }

  // MARK: Languages

  /// Languages from the environment, as gettext and GLib read it: the first nonempty variable
  /// counts. LANGUAGE is a colon-separated list; at most 16 are used.
  static func languages(of variable: (String) -> String?) -> [String] {
    let value = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable)
      .first { !$0.isEmpty }
    return (value ?? "").split(separator: ":").prefix(16).map(String.init)
  }

  /// The lookup order of "Localized values for keys": lang_COUNTRY@MODIFIER, lang_COUNTRY,
  /// lang@MODIFIER, lang. None for "C" and "POSIX".
  private static func variants(of language: String) -> [String] {
    let parts = language.split(separator: "@", maxSplits: 1).map(String.init)
    // Drops the encoding after the dot.
    guard let whole = parts.first.map({ String($0.prefix { $0 != "." }) }),
      !["C", "POSIX"].contains(whole)
    else { return [] }
    let plain = String(whole.prefix { $0 != "_" })
    let modifier = parts.dropFirst().first.map { "@" + $0 }
    var variants: [String] = []
    for name in whole == plain ? [plain] : [whole, plain] {
      if let modifier { variants.append(name + modifier) }
      variants.append(name)
    }
    return variants
  }
}
