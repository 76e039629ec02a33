import Foundation

/// One of gettext's programs, found in PATH.
struct GettextTool {
  let name: String
  private let program: URL

  init(_ name: String) throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let programs = folders.map { URL(filePath: String($0)).appending(path: name) }
    guard
      let program = programs.first(where: {
        FileManager.default.isExecutableFile(atPath: $0.path)
      })
    else {
      throw ToolError("\(name) was not found. Install gettext: apt install gettext")
    }
    self.name = name
    self.program = program
  }

  /// Runs it in a folder; its messages go to standard error unchanged.
  ///
  /// - Returns: whether it succeeded.
  func run(_ arguments: [String], in folder: URL) throws -> Bool {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // The same output on every machine; LANGUAGE would override LC_ALL.
    var environment = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    environment["LANGUAGE"] = nil
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.standardError
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }
}
