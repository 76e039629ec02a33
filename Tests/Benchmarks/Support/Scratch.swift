import Glibc
import SystemPackage

/// A folder of the run's own, removed with everything in it at the end.
final class Scratch: Sendable {
  let path: FilePath

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/keydrag-benchmarks-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw BenchmarkError("no folder in \(parent): errno \(errno)")
    }
    path = FilePath(String(cString: made))
  }

  /// Journal, trash and settings of all that is measured lie in the scratch folder.
  func takeEnvironment() {
    setenv("XDG_STATE_HOME", path.appending("state").string, 1)
    setenv("XDG_DATA_HOME", path.appending("data").string, 1)
    setenv("XDG_CONFIG_HOME", path.appending("config").string, 1)
  }

  func remove() { _ = try? Child.run(["rm", "-rf", path.string]) }

  /// A new empty folder.
  func folder(_ name: String) throws -> FilePath {
    let folder = path.appending(name)
    try Child.run(["rm", "-rf", folder.string])
    guard mkdir(folder.string, 0o755) == 0 else {
      throw BenchmarkError("no folder \(name): errno \(errno)")
    }
    return folder
  }

  /// A new folder of `count` files of `size` bytes.
  func folder(_ name: String, files count: Int, size: Int) throws -> FilePath {
    let folder = try folder(name)
    let contents = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for number in 0..<count {
      try Scratch.write(contents, to: folder.appending(Scratch.name(number)), times: 1)
    }
    sync()
    return folder
  }

  /// A new file of `size` bytes.
  func file(_ name: String, size: Int64) throws -> FilePath {
    let block = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 3) }
    let file = path.appending(name)
    try Scratch.write(block, to: file, times: Int(size / Int64(block.count)))
    sync()
    return file
  }

  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "file-" + String(repeating: "0", count: max(6 - digits.count, 0)) + digits + ".txt"
  }

  static func write(_ bytes: [UInt8], to path: FilePath, times: Int) throws {
    let descriptor = open(path.string, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchmarkError("no file \(path): errno \(errno)") }
    defer { close(descriptor) }
    for _ in 0..<times {
      guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
        throw BenchmarkError("can't write \(path): errno \(errno)")
      }
    }
  }
}
