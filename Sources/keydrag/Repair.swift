import Glibc
import KeyDragCore

/// A command that mends what the doctor has found; it is shown exactly as it is run.
enum Repair: Hashable, Sendable {
  /// A command line that needs the rights of the administrator.
  case administrator(String)
  /// A command line for the person's own files.
  case person(String)
  /// This program, with words of its own.
  case own([String])

  /// The command as it is typed.
  ///
  /// - Parameters:
  ///   - environment: says where programs are.
  ///   - isAdministrator: nobody has to be asked for more rights.
  func line(_ environment: [String: String], isAdministrator: Bool = geteuid() == 0) -> String {
    switch self {
    case .person(let line): return line
    case .own(let words): return (["keydrag"] + words).joined(separator: " ")
    case .administrator(let line):
      if isAdministrator { return line }
      for program in ["sudo", "pkexec"] where Self.isInstalled(program, environment) {
        return "\(program) \(line)"
      }
      return ["su", "-c", Self.quoted(line)].joined(separator: " ")
    }
  }

  /// Whether the program that it begins with is there.
  func canRun(_ environment: [String: String]) -> Bool {
    guard case .administrator(let line) = self else { return true }
    return line.split(separator: " ").first.map { Self.isInstalled(String($0), environment) }
      ?? false
  }

  /// Runs it to its end in the person's terminal.
  ///
  /// - Returns: its status, or that of a shell where it was ended by a signal.
  func run(_ environment: [String: String]) -> Int32 {
    let words: [String] =
      if case .own(let words) = self {
        ["/proc/self/exe"] + words
      } else {
        ["/bin/sh", "-c", line(environment)]
      }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return Self.notStarted }
    defer { posix_spawnattr_destroy(&attributes) }
    // This program ignores a closed pipe; a shell and its children must not.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], nil, &attributes, &arguments, environ) == 0 else {
      return Self.notStarted
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// The status that a shell gives for what it does not find.
  private static let notStarted: Int32 = 127

  /// A word as a shell reads it.
  static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: #"'\''"#) + "'"
  }

  /// Folders of programs for administrators are not in everybody's PATH.
  private static func isInstalled(_ program: String, _ environment: [String: String]) -> Bool {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
    return (folders + ["/usr/sbin", "/sbin"]).contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}

extension DoctorPart {
  /// Is mended by a command of the administrator, which the remedy names.
  mutating func mend(asAdministrator command: String) {
    repair = .administrator(command)
    remedy = { phrases in
      // keydrag doctor: what to do. %1$@ is a command to type.
      phrases.phrase("As administrator: %1$@", command)
    }
  }

  /// The same where the person has to log in again to notice.
  mutating func mendUntilLogin(asAdministrator command: String) {
    repair = .administrator(command)
    remedy = { phrases in
      // keydrag doctor: what to do. %1$@ is a command to type.
      phrases.phrase("As administrator: %1$@. Then log in again.", command)
    }
  }
}
