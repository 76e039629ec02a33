import CLinux
import Foundation
import Testing

/// The real program, run in a home of its own.
final class Program {
  struct Result {
    var status: Int32
    var output: String
    var errors: String

    /// Lines of the output, without an empty one at the end.
    var lines: [String] {
      output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        .dropLast(output.hasSuffix("\n") ? 1 : 0)
    }

    /// The output without the lines that only a slow machine adds: a pick-up or a drop is under way.
    var said: String {
      output.replacing(/(?m)^(Dropping|Picking up|Copying|Moving|Linking)\b.*\n/, with: "")
    }
  }

  /// Where the home lies, and what it may be changed to hold.
  let folder: URL
  private(set) var environment: [String: String]

  init() throws {
    folder = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath()
      .appending(path: "keydrag-\(UUID().uuidString)")
    environment = [
      "HOME": folder.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin",
      "LANG": "C.UTF-8",
    ]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The program beside the tests.
  static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "keydrag").path

  func set(_ name: String, _ value: String?) { environment[name] = value }

  /// Writes a file in the home, with the folders around it.
  func write(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func run(_ words: String...) throws -> Result { try run(words) }

  func run(_ words: [String]) throws -> Result {
    try run(program: Self.path, words)
  }

  /// Runs any program in the home and waits for its end, at most a minute.
  func run(program: String, _ words: [String]) throws -> Result {
    let output = folder.appending(path: ".output").path
    let errors = folder.appending(path: ".errors").path
    let child = try spawn(
      ["/bin/sh", "-c", #"cd "$0" && exec timeout --foreground 60 "$@""#, folder.path, program]
        + words, output: output, errors: errors)
    // Not Foundation's Process: it waits until every heir of its descriptors has ended, and tests
    // start servers beside each other.
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    return Result(
      status: code, output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  private func spawn(_ words: [String], output: String, errors: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o600)
    // A file that another test is just writing would stay open for writing in here.
    clinux_spawn_closing_from(&actions, 3)
    // Threads of the tests block signals, and what they start would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, words[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    return child
  }
}

/// What is written for people: the README, and the guide in the documentation.
enum Readme {
  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// One after the other; nothing where one can't be read.
  static let text: String? = {
    let guide = top.appending(path: "Sources/KeyDrag/KeyDrag.docc/Guide")
    let names = try? FileManager.default.contentsOfDirectory(atPath: guide.path).sorted()
    let files = [top.appending(path: "README.md")] + (names ?? []).map { guide.appending(path: $0) }
    return try? files.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
  }()

  /// What stands in the code block that follows a marker line.
  static func block(after marker: String) throws -> String {
    let rest = try #require(text?.components(separatedBy: marker + "\n").last)
    let inside = rest.components(separatedBy: "```")
    let block = try #require(inside.count > 2 ? inside[1] : nil)
    // The language stands beside the opening fence.
    return String(block.drop { $0 != "\n" }.dropFirst())
  }

  /// The cells of each row of the tables below a heading, up to the next heading.
  static func rows(under heading: String) throws -> [[String]] {
    let rest = try #require(text?.components(separatedBy: "\n\(heading)\n").dropFirst().first)
    let section = rest.components(separatedBy: "\n#")[0]
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
  }
}
