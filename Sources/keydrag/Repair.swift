import Glibc
import KeyDragCore
import KeyDragThreads

/// A command that fixes a finding of the doctor; shown exactly as it is run.
enum Repair: Hashable, Sendable {
  /// The words of a command that needs administrator rights.
  case administrator([String])
  /// Commands for the person's own files; each is run once the one before has succeeded.
  case person([[String]])
  /// This program, with arguments.
  case own([String])

  /// The command with the same words, quoted for a shell.
  ///
  /// - Parameters:
  ///   - environment: has the paths of programs.
  ///   - isAdministrator: whether no further rights are needed.
  func line(_ environment: [String: String], isAdministrator: Bool = geteuid() == 0) -> String {
    commands(environment, isAdministrator).map(Self.line).joined(separator: " && ")
  }

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

  func canRun(_ environment: [String: String]) -> Bool {
    guard case .administrator(let words) = self else { return true }
    return Self.path(of: words[0], environment) != nil
  }

  /// Runs it to its end in the person's terminal, with each word as an argument.
  ///
  /// - Returns: its exit status, or that of a shell if a signal ended it.
  func run(_ environment: [String: String]) -> Int32 {
    for words in commands(environment) {
      let own = if case .own = self { "/proc/self/exe" } else { nil as String? }
      let status = Self.run(own ?? Self.path(of: words[0], environment) ?? words[0], words)
      if status != 0 { return status }
    }
    return 0
  }

  private static func run(_ program: String, _ words: [String]) -> Int32 {
    // This program ignores SIGPIPE; a shell and its children must not.
    let process = ProcessStart.start(
      Array(program.utf8CString), words.map { Array($0.utf8CString) }, signals: [SIGPIPE])
    guard let process else { return notStarted }
    let status = ProcessStart.reap(process)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// A shell's status for a command that is not found.
  private static let notStarted: Int32 = 127

  /// A word for a shell, quoted if need be.
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
    // A terminal would interpret these; bash and zsh read them as octal numbers.
    let bytes = word.utf8.map { byte in
      let isShown = (0x20..<0x7F).contains(byte) && !"'\\".utf8.contains(byte)
      let octal = String(byte, radix: 8)
      return isShown
        ? String(UnicodeScalar(byte))
        : "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }
    return "$'" + bytes.joined() + "'"
  }

  /// The path of a program; not every PATH has the folders of administrators' programs.
  private static func path(of program: String, _ environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
    return (folders + ["/usr/sbin", "/sbin"]).map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }
}

extension DoctorPart {
  /// Sets an administrator's command as the repair, and names it in the remedy.
  mutating func mend(asAdministrator words: String...) {
    repair = .administrator(words)
    let command = Repair.line(words)
    // keydrag doctor: what to do. %1$@ is a command to type.
    remedy = .phrase("As administrator: %1$@", command)
  }

  /// The same if the person has to log in again.
  mutating func mendUntilLogin(asAdministrator words: String...) {
    repair = .administrator(words)
    let command = Repair.line(words)
    // keydrag doctor: what to do. %1$@ is a command to type.
    remedy = .phrase("As administrator: %1$@. Then log in again.", command)
  }
}
