import CLinux
import Foundation
import Testing

/// A folder of the test's own, removed with all that is in it.
final class Scratch {
  let folder: URL

  init() throws {
    folder = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath()
      .appending(path: "keydrag-locale-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func url(_ path: String) -> URL { folder.appending(path: path) }

  /// Writes a file, with the folders around it.
  func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
    try Data(bytes).write(to: url(path))
  }

  func write(_ text: String, to path: String) throws { try write(text.utf8, to: path) }

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(at: url(path), withIntermediateDirectories: true)
  }

  func text(_ path: String) throws -> String {
    try String(contentsOf: url(path), encoding: .utf8)
  }

  func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(path))) }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }
}

/// A program run to its end.
struct Finished {
  var status: Int32
  var output: String
  var errors: String

  /// - Parameter environment: added to what the tests themselves have.
  init(
    _ program: String, _ words: [String], environment: [String: String] = [:], input: String = ""
  ) throws {
    let scratch = try Scratch()
    try scratch.write(input, to: "in")
    for name in ["out", "err"] { try scratch.write("", to: name) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, name, flags) in [
      (0, "in", O_RDONLY), (1, "out", O_WRONLY), (2, "err", O_WRONLY),
    ] as [(Int32, String, Int32)] {
      posix_spawn_file_actions_addopen(&actions, descriptor, scratch.url(name).path, flags, 0)
    }
    // A file that another test is just writing would stay open for writing in here.
    clinux_spawn_closing_from(&actions, 3)
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var arguments = ([program] + words).map { strdup($0) } + [nil]
    var variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, program, &actions, nil, &arguments, &variables)
    try #require(code == 0, "\(program) does not start")
    var ended: Int32 = 0
    while waitpid(child, &ended, 0) < 0, errno == EINTR {}
    status = ended & 0x7F == 0 ? ended >> 8 & 0xFF : ended & 0x7F
    output = try scratch.text("out")
    errors = try scratch.text("err")
  }
}

/// What the build and the `messages` command run.
enum Tool {
  private static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "CatalogueTool").path

  static func run(_ words: String..., environment: [String: String] = [:]) throws -> Finished {
    try Finished(path, words, environment: environment)
  }

  /// Compiles the catalogues of a package to its folder "built".
  static func compile(_ package: Scratch, environment: [String: String] = [:]) throws -> Finished {
    try run(
      "compile", package.folder.path, package.url("built").path,
      package.url("Built.swift").path, environment: environment)
  }
}

/// This project.
enum Project {
  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: top.appending(path: path), encoding: .utf8)
  }

  /// The languages in LINGUAS.
  static var languages: [String] {
    let lines = ((try? text("Localization/LINGUAS")) ?? "").split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.map { String($0) }
  }
}
