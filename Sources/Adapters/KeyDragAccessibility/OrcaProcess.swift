import Glibc
import KeyDragCore

/// The signs by which a process is Orca, which before version 49 tells nobody so over a bus.
enum OrcaProcess {
  /// "Orca" and its version where that is known; empty for another program.
  ///
  /// - Parameters:
  ///   - way: the way that its messages take, which tells of its age.
  ///   - told: the version that it tells itself, with more behind it.
  static func title(_ process: Int32, takes way: ReaderRung?, told: String?) -> String {
    guard isOrca(process) else { return "" }
    let own = told.flatMap { $0.split(separator: " ").first.map(String.init) }
    return ["Orca", own ?? version(process, takes: way)].compactMap(\.self).joined(separator: " ")
  }

  /// The version of a process, where it can be found out.
  static func version(_ process: Int32, takes way: ReaderRung?) -> String? {
    if let version = version(process) { return version }
    // The process has named itself, and no word of its script is left: with python3-setproctitle.
    let places = (environment(process, "PATH") ?? "/usr/local/bin:/usr/bin").split(separator: ":")
    let versions = Set(places.compactMap { version(script: "\($0)/orca") })
    guard versions.count == 1, let only = versions.first, fits(only, way) else { return nil }
    return only
  }

  /// The first two parts of a version, as a number.
  static func number(_ version: String) -> Double? {
    Double(version.split(separator: ".").prefix(2).joined(separator: "."))
  }

  /// Whether a version takes messages by this way.
  private static func fits(_ version: String, _ way: ReaderRung?) -> Bool {
    guard let number = number(version) else { return false }
    return switch way {
    case .orca: number >= 49
    case .atspi: number >= 45 && number < 49
    case .notification: number < 46
    case nil: true
    }
  }

  private static func environment(_ process: Int32, _ name: String) -> String? {
    contents("/proc/\(process)/environ", limit: 65_536)?.split(separator: "\0")
      .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// Whether a process goes by Orca's name, which it gives itself.
  static func isOrca(_ process: Int32) -> Bool {
    contents("/proc/\(process)/comm", limit: 32) == "orca\n"
  }

  /// The version of the package that the process was started from.
  private static func version(_ process: Int32) -> String? {
    let words = (contents("/proc/\(process)/cmdline", limit: 8192) ?? "").split(separator: "\0")
    guard let script = words.prefix(2).last(where: { $0.hasSuffix("/bin/orca") }) else {
      return nil
    }
    return version(script: String(script))
  }

  /// The version of the package that a script belongs to.
  private static func version(script: String) -> String? {
    guard script.hasSuffix("/bin/orca"), access(script, F_OK) == 0 else { return nil }
    let library = script.dropLast("/bin/orca".count) + "/lib"
    for folder in folders(String(library)) where folder.hasPrefix("python3") {
      for packages in ["dist-packages", "site-packages"] {
        let path = "\(library)/\(folder)/\(packages)/orca/orca_platform.py"
        if let text = contents(path, limit: 16_384), let version = version(in: text) {
          return version
        }
      }
    }
    return nil
  }

  /// The version in Orca's own file about itself: a line such as `version = "43.1"`.
  static func version(in text: String) -> String? {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimmed == "version" else { continue }
      let value = parts[1].trimmed.filter { $0 != "\"" && $0 != "'" }
      let isPlain = value.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLetter || $0 == ".") }
      return isPlain && (1...20).contains(value.count) ? value : nil
    }
    return nil
  }

  private static func folders(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.sorted()
  }

  private static func contents(_ path: String, limit: Int) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = fread(&bytes, 1, limit, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start.prefix { $0 != " " && $0 != "\t" }
  }
}
