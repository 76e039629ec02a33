import Glibc
import KeyDragCore

/// The signs by which a process is Orca, which before version 49 tells nobody so over a bus.
enum OrcaProcess {
  /// "Orca" and its version where that is known; empty for another program.
  ///
  /// - Parameters:
  ///   - way: the way that its messages take, which tells of its age.
  ///   - range: the versions that it can be, by what it listens for.
  ///   - told: the version that it tells itself, with more behind it.
  static func title(
    _ process: Int32, takes way: ReaderRoute?, among range: Range<Double>, told: String?
  ) -> String {
    guard isOrca(process) else { return "" }
    let own = told.flatMap { $0.split(separator: " ").first.map(String.init) }
    return ["Orca", own ?? version(process, takes: way, among: range)].compactMap(\.self)
      .joined(separator: " ")
  }

  /// The version of a process, where it can be found out.
  static func version(
    _ process: Int32, takes way: ReaderRoute?, among range: Range<Double>
  ) -> String? {
    if let version = version(process) { return version }
    // The process has named itself, and of the words of its script only their length is left: with
    // python3-setproctitle, which fills the rest with blanks.
    let length = contents("/proc/\(process)/cmdline", limit: 8192)?.utf8.count ?? 0
    let scripts = places(
      paths: [environment(process, "PATH"), ownEnvironment("PATH")].compactMap(\.self),
      home: ownEnvironment("HOME"))
    let versions = scripts.filter { script in
      let line = contents(script, limit: 256)?.split(whereSeparator: \.isNewline).first
      return isOfLength(length, script: script, firstLine: line ?? "")
    }.compactMap { version(script: $0) }
    return only(of: versions, takes: way, among: range)
  }

  /// The one version that behaves so; nothing where several do.
  static func only(
    of versions: [String], takes way: ReaderRoute?, among range: Range<Double>
  ) -> String? {
    let possible = Set(
      versions.filter { fits($0, way) && number($0).map(range.contains) == true })
    return possible.count == 1 ? possible.first : nil
  }

  /// Where Orca's script may stand: in a search path, or where people put what they have built.
  ///
  /// - Parameter packages: the folder that has one for each package that is not the distribution's.
  static func places(paths: [String], home: String?, packages: String = "/opt") -> Set<String> {
    let built = folders(packages).filter { !$0.hasPrefix(".") }.map { "\(packages)/\($0)/bin" }
    let own = home.map { [$0 + "/.local/bin", $0 + "/bin"] } ?? []
    let all = paths.flatMap { $0.split(separator: ":").map(String.init) } + built + own
    return Set((all + ["/usr/local/bin", "/usr/bin"]).map { $0 + "/orca" })
  }

  /// Whether a command line of so many bytes can be that of a script, alone or with the option to take
  /// the place of another Orca.
  ///
  /// - Parameter firstLine: of the script, which names what runs it.
  static func isOfLength(_ length: Int, script: String, firstLine: Substring) -> Bool {
    guard firstLine.hasPrefix("#!") else { return false }
    let words = [firstLine.dropFirst(2).trimmedWhole, script].map { $0.utf8.count + 1 }
    let options = ["", "-r", "--replace"].map { $0.isEmpty ? 0 : $0.utf8.count + 1 }
    return options.contains(length - words.reduce(0, +))
  }

  /// The first two parts of a version, as a number.
  static func number(_ version: String) -> Double? {
    Double(version.split(separator: ".").prefix(2).joined(separator: "."))
  }

  /// Whether a version takes messages by this way.
  private static func fits(_ version: String, _ way: ReaderRoute?) -> Bool {
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

  private static func ownEnvironment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// How many characters a second it says at least, by the slowest rate in the file of its settings; nothing
  /// where that is not there, as from version 50 on: its service is asked then.
  static func pace(_ process: Int32) -> Double? {
    guard isOrca(process) else { return nil }
    // One that has named itself may have written over its environment; it is the same person's.
    let isKnown = environment(process, "HOME") != nil
    let variable = { isKnown ? environment(process, $0) : ownEnvironment($0) }
    let data = variable("XDG_DATA_HOME") ?? variable("HOME").map { $0 + "/.local/share" }
    return data.flatMap { contents($0 + "/orca/user-settings.conf", limit: 1 << 18) }
      .flatMap(pace(settings:))
  }

  /// The same by the slowest of the rates that are written there.
  static func pace(settings: String) -> Double? {
    let rates = settings.split(whereSeparator: \.isNewline).compactMap { line -> Double? in
      let parts = line.split(separator: ":")
      guard parts.count == 2, parts[0].trimmedWhole == "\"rate\"" else { return nil }
      return Double(parts[1].trimmedWhole.filter { $0 != "," })
    }
    return rates.min().flatMap(pace(rate:))
  }

  /// A rate is a number to 100, of which speech-dispatcher makes 80 to 450 words a minute with eSpeak; other
  /// voices are not much slower.
  static func pace(rate: Double) -> Double? {
    guard (0...100).contains(rate) else { return nil }
    let words = rate < 50 ? 80 + 90 * rate / 50 : 170 + 280 * (rate - 50) / 50
    return words / charactersOfMinute
  }

  /// Of five letters and a space in a word, less a quarter for air, in a second.
  private static let charactersOfMinute = 14.0

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
  /// Without blanks at either end.
  fileprivate var trimmedWhole: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start.prefix { $0 != " " && $0 != "\t" }
  }
}
