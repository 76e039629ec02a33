import Glibc

/// What a process tells of being Orca, which before version 49 tells nobody over a bus.
enum OrcaProcess {
  /// "Orca" and its version where that can be read; empty for another program.
  static func title(_ process: Int32) -> String {
    guard isOrca(process) else { return "" }
    return ["Orca", version(process)].compactMap(\.self).joined(separator: " ")
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
