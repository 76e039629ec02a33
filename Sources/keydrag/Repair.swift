import Glibc
import KeyDragCore

/// A command that mends what the doctor has found; it is shown exactly as it is run.
enum Repair: Hashable, Sendable {
  /// A command that needs the rights of the administrator, word by word.
  case administrator([String])
  /// Commands for the person's own files; each is run once the one before has succeeded.
  case person([[String]])
  /// This program, with words of its own.
  case own([String])

  /// The command as it is typed: the same words, for a shell.
  ///
  /// - Parameters:
  ///   - environment: says where programs are.
  ///   - isAdministrator: nobody has to be asked for more rights.
  func line(_ environment: [String: String], isAdministrator: Bool = geteuid() == 0) -> String {
    commands(environment, isAdministrator).map(Self.line).joined(separator: " && ")
  }

  /// The words of a command as a shell reads them.
  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private func commands(
    _ environment: [String: String], _ isAdministrator: Bool = geteuid() == 0
  ) -> [[String]] {
    switch self {
    case .person(let commands): return commands
    case .own(let words): return [["keydrag"] + words]
    case .administrator(let words):
      if isAdministrator { return [words] }
      for program in ["sudo", "pkexec"] where Self.path(of: program, environment) != nil {
        return [[program] + words]
      }
      return [["su", "-c", Self.line(words)]]
    }
  }

  /// Whether the program that it begins with is there.
  func canRun(_ environment: [String: String]) -> Bool {
    guard case .administrator(let words) = self else { return true }
    return Self.path(of: words[0], environment) != nil
  }

  /// Runs it to its end in the person's terminal, each word an argument of its own.
  ///
  /// - Returns: its status, or that of a shell where it was ended by a signal.
  func run(_ environment: [String: String]) -> Int32 {
    for words in commands(environment) {
      let own = if case .own = self { "/proc/self/exe" } else { nil as String? }
      let status = Self.run(own ?? Self.path(of: words[0], environment) ?? words[0], words)
      if status != 0 { return status }
    }
    return 0
  }

  private static func run(_ program: String, _ words: [String]) -> Int32 {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return notStarted }
    defer { posix_spawnattr_destroy(&attributes) }
    // This program ignores a closed pipe; a shell and its children must not.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    guard posix_spawnp(&process, program, nil, &attributes, &arguments, environ) == 0 else {
      return notStarted
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// The status that a shell gives for what it does not find.
  private static let notStarted: Int32 = 127

  /// A word as a shell reads it: as it is, or in quotes.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      Character(UnicodeScalar(byte)).isASCII
        && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
          || "@%+=:,./_-".utf8.contains(byte))
    }
    if isPlain, !word.isEmpty { return word }
    guard word.unicodeScalars.contains(where: SpokenName.isUnsafe) else {
      return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
    // A terminal would take these for commands; bash and zsh read them by their numbers.
    let bytes = word.utf8.map { byte in
      let isShown = (0x20..<0x7F).contains(byte) && !"'\\".utf8.contains(byte)
      let octal = String(byte, radix: 8)
      return isShown
        ? String(UnicodeScalar(byte))
        : "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }
    return "$'" + bytes.joined() + "'"
  }

  /// The path of a program; folders of programs for administrators are not in everybody's PATH.
  private static func path(of program: String, _ environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
    return (folders + ["/usr/sbin", "/sbin"]).map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }
}

extension DoctorPart {
  /// Is mended by a command of the administrator, which the remedy names.
  mutating func mend(asAdministrator words: String...) {
    repair = .administrator(words)
    let command = Repair.line(words)
    remedy = { phrases in
      // keydrag doctor: what to do. %1$@ is a command to type.
      phrases.phrase("As administrator: %1$@", command)
    }
  }

  /// The same where the person has to log in again to notice.
  mutating func mendUntilLogin(asAdministrator words: String...) {
    repair = .administrator(words)
    let command = Repair.line(words)
    remedy = { phrases in
      // keydrag doctor: what to do. %1$@ is a command to type.
      phrases.phrase("As administrator: %1$@. Then log in again.", command)
    }
  }
}
