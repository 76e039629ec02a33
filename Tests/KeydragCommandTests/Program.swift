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

  /// Runs any program in the home and waits for its end.
  func run(program: String, _ words: [String]) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = words
    process.environment = environment
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    let output = folder.appending(path: ".output")
    let errors = folder.appending(path: ".errors")
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }
}

/// The README of this project.
enum Readme {
  static let text: String? = {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try? String(contentsOf: top.appending(path: "README.md"), encoding: .utf8)
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
