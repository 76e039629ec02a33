import Glibc
import KeyDragCore
import Testing

@testable import KeyDragConfiguration

/// A folder of the test's own, removed with all that is in it.
final class TemporaryFolder {
  let path: String
  private var made: [String] = []

  init() throws {
    var template = Array("/tmp/keydrag-configuration-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit {
    for path in made.reversed() where unlink(path) != 0 { rmdir(path) }
    rmdir(path)
  }

  func folder(_ name: String) -> String {
    let path = "\(self.path)/\(name)"
    mkdir(path, 0o755)
    made.append(path)
    return path
  }

  func file(_ name: String, _ bytes: some Sequence<UInt8>, mode: mode_t = 0o644) -> String {
    let path = "\(self.path)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    defer { close(descriptor) }
    let bytes = Array(bytes)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    made.append(path)
    return path
  }

  func fifo(_ name: String) -> String {
    let path = "\(self.path)/\(name)"
    mkfifo(path, 0o600)
    made.append(path)
    return path
  }
}

@Suite struct ConfigurationFileTests {
  @Test(
    "the usual file is in the configuration folder of the desktop",
    arguments: [
      (["XDG_CONFIG_HOME": "/c", "HOME": "/h"], "/c/keydrag/config.yaml"),
      (["HOME": "/h"], "/h/.config/keydrag/config.yaml"),
      (["XDG_CONFIG_HOME": "c", "HOME": "/h"], "/h/.config/keydrag/config.yaml"),
      (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/keydrag/config.yaml"),
      ([:], nil),
    ] as [([String: String], String?)])
  func defaultPath(_ environment: [String: String], _ path: String?) {
    #expect(ConfigurationFile.defaultPath(environment) == path)
  }

  @Test("no usual file means the usual settings, and no problem")
  func missingUsual() throws {
    let folder = try TemporaryFolder()
    for environment in [["XDG_CONFIG_HOME": folder.path], [:]] {
      #expect(try ConfigurationFile.load(environment: environment) == LoadedConfiguration())
    }
  }

  @Test("the usual file is read")
  func usual() throws {
    let folder = try TemporaryFolder()
    _ = folder.folder("keydrag")
    _ = folder.file("keydrag/config.yaml", "rate: 222".utf8)
    let loaded = try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(loaded.configuration.rate == 222)
    #expect(loaded.problems.isEmpty)
  }

  @Test("a named file that cannot be read is an error with its reason")
  func namedErrors() throws {
    let folder = try TemporaryFolder()
    let cases: [(String, ConfigurationProblem.Kind)] = [
      ("\(folder.path)/none.yaml", .missing),
      (folder.folder("sub"), .unreadable(.isAFolder)),
      (folder.fifo("fifo"), .unreadable(.specialFile)),
      ("/dev/null", .unreadable(.specialFile)),
    ]
    for (path, kind) in cases {
      #expect {
        try ConfigurationFile.load(named: path, environment: [:])
      } throws: {
        ($0 as? ConfigurationProblem)?.kind == kind
      }
    }
    #expect {
      try ConfigurationFile.load(named: "/none/a\u{1B}b.yaml", environment: [:])
    } throws: {
      ($0 as? ConfigurationProblem)?.problem(in: Phrasebook())
        == .configuration(
          file: "a\u{FFFD}b.yaml", line: 1, column: 1,
          detail: "There is no such file. Check the name after --config.")
    }
  }

  @Test("a usual file that cannot be read is told, and the usual settings are used")
  func usualUnreadable() throws {
    let folder = try TemporaryFolder()
    _ = folder.folder("keydrag")
    _ = folder.folder("keydrag/config.yaml")
    let loaded = try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(loaded.problems.map(\.kind) == [.unreadable(.isAFolder)])
    #expect(loaded.configuration == Configuration())
  }

  @Test("a file without permission is told as such", .enabled(if: geteuid() != 0))
  func notPermitted() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("config.yaml", "rate: 1".utf8, mode: 0)
    #expect {
      try ConfigurationFile.load(named: path, environment: [:])
    } throws: {
      ($0 as? ConfigurationProblem)?.kind == .unreadable(.notPermitted)
    }
  }

  @Test("more than 1 MiB is refused, exactly 1 MiB is read")
  func size() throws {
    let folder = try TemporaryFolder()
    let comment = [UInt8(ascii: "#")] + [UInt8](repeating: UInt8(ascii: "a"), count: 1_048_575)
    let largest = folder.file("largest.yaml", comment)
    let larger = folder.file("larger.yaml", comment + [10])
    #expect(try ConfigurationFile.load(named: largest, environment: [:]) == LoadedConfiguration())
    let refused = try ConfigurationFile.load(named: larger, environment: [:])
    #expect(refused.problems.map(\.kind) == [.tooLarge])
  }

  @Test("bytes that are not UTF-8 are told with their place")
  func notUTF8() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("config.yaml", Array("rate: 200\nlé: ".utf8) + [0xFF, 10])
    let loaded = try ConfigurationFile.load(named: path, environment: [:])
    #expect(loaded.problems.map(\.kind) == [.notUTF8])
    #expect(loaded.problems.first?.place == ConfigurationPlace(line: 2, column: 5))
    #expect(loaded.configuration == Configuration())
  }
}
