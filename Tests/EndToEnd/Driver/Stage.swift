import FoundationEssentials
import Glibc

/// Real folders of a test's own, and a home around them that no other test and no person shares.
///
/// A file holds its own first path, so that what lies where shows where it came from.
final class Stage {
  /// Where the folders of the test are; runs start here.
  let work: String
  let base: String
  /// Runs belong to a user who is bound by permissions.
  let isOrdinary: Bool
  var variables: [String: String] = [:]
  /// What runs the program under test; nothing for the program itself.
  var runner: [String] = []

  struct Unusable: Error {
    var reason: String
  }

  /// - Parameter paths: files, or folders with a slash at the end.
  init(_ paths: String..., isOrdinary: Bool = false, in parent: String = "/tmp") throws {
    var template = Array((parent + "/keydrag-e2e-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw Unusable(reason: "errno \(errno)") }
    base = String(cString: made)
    work = base + "/work"
    self.isOrdinary = isOrdinary && getuid() == 0
    for folder in ["work", "home", "state", "config/keydrag", "data", "system", "run", "bin"] {
      try FileManager.default.createDirectory(
        atPath: base + "/" + folder, withIntermediateDirectories: true)
    }
    // Names of types are the system's; programs are the test's own.
    symlink("/usr/share/mime", base + "/system/mime")
    for path in paths { try make(path) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: base)
  }

  // MARK: Before a run

  func make(_ path: String, _ contents: String? = nil) throws {
    let full = self.path(path)
    let folder =
      path.hasSuffix("/")
      ? full : full.prefix(upTo: full.lastIndex(of: "/") ?? full.endIndex).description
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if !path.hasSuffix("/") { try write(contents ?? path, to: full) }
  }

  func link(_ path: String, to target: String) { symlink(target, self.path(path)) }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: self.path(path))
  }

  func configure(_ text: String) throws {
    try write(text, to: base + "/config/keydrag/config.yaml")
  }

  /// Puts a program of the test's own into the path.
  func program(_ name: String, _ script: String) throws {
    let path = base + "/bin/" + name
    try write("#!/bin/sh\n" + script, to: path)
    chmod(path, 0o755)
  }

  func permit(_ mode: mode_t, _ path: String) { chmod(self.path(path), mode) }

  func path(_ path: String) -> String { path.hasPrefix("/") ? path : work + "/" + path }

  private func write(_ text: String, to path: String) throws {
    // Closed in children from the start: a script that another child holds open can't be run.
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Unusable(reason: "\(path): errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  var environment: [String: String] {
    [
      "HOME": base + "/home", "XDG_STATE_HOME": base + "/state",
      "XDG_CONFIG_HOME": base + "/config", "XDG_DATA_HOME": base + "/data",
      "XDG_DATA_DIRS": base + "/system", "XDG_CONFIG_DIRS": base + "/system",
      "XDG_RUNTIME_DIR": base + "/run", "PATH": base + "/bin", "LANG": "C.UTF-8",
      "SWIFT_BACKTRACE": "enable=no",
    ].merging(variables) { $1 }
  }

  // MARK: After a run

  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(self.path(path), &status) == 0
  }

  func read(_ path: String) -> String? {
    FileManager.default.contents(atPath: self.path(path)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names in a folder, hidden ones too.
  func list(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: self.path(path))) ?? []).sorted()
  }

  /// Every file in the folders of the test with what it holds; a link with "-> " and its target.
  var tree: [String: String] {
    var found: [String: String] = [:]
    for name in FileManager.default.subpathsOrEmpty(atPath: work) {
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path(name)) {
        found[name] = "-> " + target.replacing(work + "/", with: "")
      } else if let contents = read(name), !list(name).isEmpty || !isFolder(name) {
        found[name] = isFolder(name) ? nil : contents
      }
    }
    return found
  }

  func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(self.path(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Names in the trash of the person.
  var trashed: [String] { list(base + "/data/Trash/files") }
}

extension FileManager {
  fileprivate func subpathsOrEmpty(atPath path: String) -> [String] {
    ((try? subpathsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

extension Stage {
  /// Which disk it is on.
  var device: UInt {
    var status = stat()
    return stat(work, &status) == 0 ? status.st_dev : 0
  }
}
