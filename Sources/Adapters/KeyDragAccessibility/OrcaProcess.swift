import Glibc
import KeyDragCore
import KeyDragThreads

/// Detects whether a process is Orca, which before version 49 does not say so on a bus.
enum OrcaProcess {
  /// "Orca" and its version where that is known; empty for another program.
  ///
  /// - Parameters:
  ///   - way: the route of its messages, which hints at the version.
  ///   - range: its possible versions, by its subscriptions.
  ///   - told: the version that it reports, with more behind it.
  static func title(
    _ process: Int32, takes way: ReaderRoute?, among range: Range<Double>, told: String?
  ) -> String {
    guard isOrca(process) else { return "" }
    let own = told.flatMap { $0.split(separator: " ").first.map(String.init) }
    return ["Orca", own ?? version(process, takes: way, among: range)].compactMap(\.self)
      .joined(separator: " ")
  }

  static func version(
    _ process: Int32, takes way: ReaderRoute?, among range: Range<Double>
  ) -> String? {
    if let version = version(process) { return version }
    // The process has renamed itself, and of its script's command line only the length is left:
    // python3-setproctitle fills the rest with blanks.
    let length = SystemFiles.text("/proc/\(process)/cmdline", most: 8192)?.utf8.count ?? 0
    let scripts = places(
      paths: [environment(process, "PATH"), ownEnvironment("PATH")].compactMap(\.self),
      home: ownEnvironment("HOME"))
    let versions = scripts.filter { script in
      let line = SystemFiles.text(script, most: 256)?.split(whereSeparator: \.isNewline).first
      return isOfLength(length, script: script, firstLine: line ?? "")
    }.compactMap { version(script: $0) }
    return only(of: versions, takes: way, among: range)
  }

  /// The one version that behaves so; `nil` when several do.
  static func only(
    of versions: [String], takes way: ReaderRoute?, among range: Range<Double>
  ) -> String? {
    let possible = Set(
      versions.filter { fits($0, way) && number($0).map(range.contains) == true })
    return possible.count == 1 ? possible.first : nil
  }

  /// Possible paths of Orca's script: in a search path, or where local builds are installed.
  ///
  /// - Parameter packages: the folder with one folder for each package from outside the
  ///   distribution.
  static func places(paths: [String], home: String?, packages: String = "/opt") -> Set<String> {
    let built = (SystemFiles.names(in: packages) ?? []).filter { !$0.hasPrefix(".") }.map {
      "\(packages)/\($0)/bin"
    }
    let own = home.map { [$0 + "/.local/bin", $0 + "/bin"] } ?? []
    let all = paths.flatMap { $0.split(separator: ":").map(String.init) } + built + own
    return Set((all + ["/usr/local/bin", "/usr/bin"]).map { $0 + "/orca" })
  }

  /// Whether a command line of so many bytes can be a script's, alone or with the option to replace
  /// another Orca.
  ///
  /// - Parameter firstLine: of the script; names its interpreter.
  static func isOfLength(_ length: Int, script: String, firstLine: Substring) -> Bool {
    guard firstLine.hasPrefix("#!") else { return false }
    let words = [firstLine.dropFirst(2).trimmedWhole, script].map { $0.utf8.count + 1 }
    let options = ["", "-r", "--replace"].map { $0.isEmpty ? 0 : $0.utf8.count + 1 }
    return options.contains(length - words.reduce(0, +))
  }

  /// Major and minor version, as a number.
  static func number(_ version: String) -> Double? {
    Double(version.split(separator: ".").prefix(2).joined(separator: "."))
  }

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
    SystemFiles.text("/proc/\(process)/environ", most: 65_536)?.split(separator: "\0")
      .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  private static func ownEnvironment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The minimum of characters per second, by the slowest rate in its settings file; `nil` without
  /// that file, as from version 50 on, whose service is asked instead.
  static func pace(_ process: Int32) -> Double? {
    guard isOrca(process) else { return nil }
    // A process that has renamed itself may have overwritten its environment; the user is the same.
    let isKnown = environment(process, "HOME") != nil
    let variable = { isKnown ? environment(process, $0) : ownEnvironment($0) }
    let data = variable("XDG_DATA_HOME") ?? variable("HOME").map { $0 + "/.local/share" }
    return data.flatMap { SystemFiles.text($0 + "/orca/user-settings.conf", most: 1 << 18) }
      .flatMap(pace(settings:))
  }

  static func pace(settings: String) -> Double? {
    let rates = settings.split(whereSeparator: \.isNewline).compactMap { line -> Double? in
      let parts = line.split(separator: ":")
      guard parts.count == 2, parts[0].trimmedWhole == "\"rate\"" else { return nil }
      return Double(parts[1].trimmedWhole.filter { $0 != "," })
    }
    return rates.min().flatMap(pace(rate:))
  }

  /// A rate goes up to 100; speech-dispatcher turns it into 80 to 450 words a minute with eSpeak,
  /// and other voices are not much slower.
  static func pace(rate: Double) -> Double? {
    guard (0...100).contains(rate) else { return nil }
    let words = rate < 50 ? 80 + 90 * rate / 50 : 170 + 280 * (rate - 50) / 50
    return words / charactersOfMinute
  }

  /// Converts words a minute to characters a second: six characters a word, less a quarter as a
  /// margin.
  private static let charactersOfMinute = 14.0

  /// By the process name, which Orca sets itself.
  static func isOrca(_ process: Int32) -> Bool {
    SystemFiles.text("/proc/\(process)/comm", most: 32) == "orca\n"
  }

  /// By the package that the process was started from.
  private static func version(_ process: Int32) -> String? {
    let words = (SystemFiles.text("/proc/\(process)/cmdline", most: 8192) ?? "").split(
      separator: "\0")
    guard let script = words.prefix(2).last(where: { $0.hasSuffix("/bin/orca") }) else {
      return nil
    }
    return version(script: String(script))
  }

  private static func version(script: String) -> String? {
    guard script.hasSuffix("/bin/orca"), access(script, F_OK) == 0 else { return nil }
    let library = script.dropLast("/bin/orca".count) + "/lib"
    for folder in SystemFiles.names(in: String(library)) ?? [] where folder.hasPrefix("python3") {
      for packages in ["dist-packages", "site-packages"] {
        let path = "\(library)/\(folder)/\(packages)/orca/orca_platform.py"
        if let text = SystemFiles.text(path, most: 16_384), let version = version(in: text) {
          return version
        }
      }
    }
    return nil
  }

  /// From a line such as `version = "43.1"` in Orca's own file about itself.
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
}

extension Substring {
  fileprivate var trimmedWhole: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start.prefix { $0 != " " && $0 != "\t" }
  }
}
