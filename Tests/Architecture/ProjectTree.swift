import Foundation

/// Reads the project that this file belongs to.
enum ProjectTree {
  /// The top of the project, three levels above this file.
  static var top: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// Where the project lies and the home of who runs this, where they are folders of somebody.
  static var here: [String] {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    return [top.path, home].filter { $0.hasPrefix("/") && $0.count > 3 }
      .map { $0.hasSuffix("/") ? $0 : $0 + "/" }
  }

  /// Names at the top, in order.
  static func topLevel() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: top.path).sorted()
  }

  /// Every text file below Sources, Tests, Localization and Packaging, and those at the top.
  static func files() throws -> [ProjectFile] { try read.get() }

  /// Read once for all rules.
  private static let read: Result<[ProjectFile], any Error> = Result {
    var paths = ["Package.swift", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
    for folder in ["Sources", "Tests", "Localization", "Packaging", ".ci", ".github"] {
      let names = try? FileManager.default.subpathsOfDirectory(atPath: top.path + "/" + folder)
      paths += (names ?? []).map { "\(folder)/\($0)" }
    }
    return paths.sorted().compactMap { path in
      guard let data = FileManager.default.contents(atPath: top.path + "/" + path),
        let text = String(validating: data, as: UTF8.self)
      else { return nil }
      return ProjectFile(path, text)
    }
  }
}
