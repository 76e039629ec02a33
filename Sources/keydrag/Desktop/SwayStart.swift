import Glibc
import KeyDragConfiguration
import KeyDragCore
import KeyDragThreads
import KeyDragWayland

/// Starts the agent from sway's configuration: sway reads no autostart folder, so ``AutostartEntry``
/// alone has no effect there.
struct SwayStart {
  /// The configuration that sway reads, or would read if it existed.
  let path: String
  /// The system's configuration, which a person's replaces.
  private let system: String
  /// The person's folder of configuration fragments.
  private let parts: String

  /// `nil` in any other session, and without a home folder.
  init?(_ environment: [String: String]) {
    guard WaylandSession.find(environment)?.compositor == "sway",
      let home = environment["HOME"], home.hasPrefix("/"),
      let settings = ConfigurationFile.home(environment)
    else { return nil }
    self.init(home: home, settings: settings)
  }

  init(home: String, settings: String, system: String = "/etc/sway/config") {
    // The order is sway's (sway(1), CONFIGURATION).
    let files = [
      "\(home)/.sway/config", "\(settings)/sway/config", "\(home)/.i3/config",
      "\(settings)/i3/config",
    ]
    path = files.first { access($0, F_OK) == 0 } ?? files[1]
    parts = "\(settings)/sway/config.d"
    self.system = system
  }

  /// Whether a line starts the agent, or all autostarted programs.
  var isOn: Bool {
    let own = access(path, F_OK) == 0 ? path : system
    return ([own] + Self.names(in: parts).map { "\(parts)/\($0)" }).contains { file in
      let lines = (try? Self.lines(of: file)) ?? []
      return lines.contains { line in
        let line = String(decoding: line, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
        guard line.hasPrefix("exec") else { return false }
        return line.contains("keydrag") && line.contains("desktop") || line.contains("autostart")
      }
    }
  }

  /// Appends the line; the file may be a symbolic link.
  func turnOn(program: String) throws(Reason) {
    guard !isOn else { return }
    let line = try Self.line(program: program)
    let lines = try Self.lines(of: path)
    var text = line + "\n"
    if access(path, F_OK) != 0 {
      try AutostartEntry.makeFolder(of: path)
      if access(system, F_OK) == 0 { text = "include \(system)\n" + text }
    } else if lines.last?.isEmpty == false {
      text = "\n" + text
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Reason(errno: errno) }
    defer { close(descriptor) }
    guard Descriptor.write(Array(text.utf8), to: descriptor), fsync(descriptor) == 0 else {
      throw Reason(errno: errno)
    }
  }

  /// Removes what ``turnOn(program:)`` added, and no byte of the person's own.
  func turnOff() throws(Reason) {
    let lines = try Self.lines(of: path)
    let kept = lines.filter { line in
      !(line.starts(with: "exec '".utf8)
        && line.suffix(Self.end.utf8.count).elementsEqual(Self.end.utf8))
    }
    guard kept.count < lines.count else { return }
    guard let real = realpath(path, nil) else { throw Reason(errno: errno) }
    defer { free(real) }
    let target = String(cString: real)
    let part = target + ".keydrag-part"
    var status = stat()
    guard stat(target, &status) == 0 else { throw Reason(errno: errno) }
    do throws(Reason) {
      try AutostartEntry.write(
        Array(kept.joined(separator: [Self.newline])), to: part, mode: status.st_mode & 0o777)
      guard rename(part, target) == 0 else { throw Reason(errno: errno) }
    } catch {
      unlink(part)
      throw error
    }
  }

  private static let end = "' " + ["desktop", "--captured"].joined(separator: " ")

  /// The line that starts a program, by its path.
  static func line(program: String) throws(Reason) -> String {
    // Sway expands variables, and hands the rest to a shell.
    let isPlain = program.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 32 && !["'", "$", "\\", "\u{7F}"].contains(scalar)
    }
    guard isPlain else { throw .malformed }
    return "exec '\(program)\(end)"
  }

  private static let newline = UInt8(ascii: "\n")

  /// The lines of a configuration file, byte for byte; empty if it does not exist.
  private static func lines(of path: String) throws(Reason) -> [ArraySlice<UInt8>] {
    do throws(ConfigurationProblem) {
      return try ConfigurationFile.bytes(of: path)
        .split(separator: newline, omittingEmptySubsequences: false)
    } catch {
      switch error.kind {
      case .missing: return []
      case .unreadable(let reason): throw reason
      default: throw .tooBig
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    (SystemFiles.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }
  }
}
