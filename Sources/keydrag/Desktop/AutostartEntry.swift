import Glibc
import KeyDragConfiguration
import KeyDragCore

/// Starts the agent at login, by a file in the autostart folder of desktops (Desktop Application
/// Autostart Specification 0.5).
struct AutostartEntry {
  /// `nil` without a home folder.
  let path: String?
  private static let name = "keydrag-desktop.desktop"

  init(_ environment: [String: String]) {
    path = ConfigurationFile.home(environment).map { "\($0)/autostart/\(Self.name)" }
  }

  /// Writes the file, replacing whatever is there.
  func turnOn(comment: String) throws(Reason) {
    guard let path else { throw .gone }
    let text = try Self.entry(program: Self.ownPath(), comment: comment)
    try Self.makeFolder(of: path)
    // Atomically: a desktop that starts meanwhile reads all of it or none.
    let part = path + ".part"
    do throws(Reason) {
      try Self.write(Array(text.utf8), to: part)
      guard rename(part, path) == 0 else { throw Reason(errno: errno) }
    } catch {
      unlink(part)
      throw error
    }
  }

  func turnOff() throws(Reason) {
    guard let path else { return }
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw Reason(errno: errno)
    }
  }

  /// The text of such a file (Desktop Entry Specification 1.5).
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - comment: one line for lists of autostarted programs.
  static func entry(program: String, comment: String) throws(Reason) -> String {
    // The format has no escapes for control characters.
    guard program.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
      throw .malformed
    }
    let quoted = program.reduce(into: "") { text, character in
      if "\"`$\\".contains(character) { text += "\\" }
      text += character == "%" ? "%%" : String(character)
    }
    let words = ["desktop", "--captured"].joined(separator: " ")
    return """
      [Desktop Entry]
      Type=Application
      Name=KeyDrag
      Comment=\(escaped(comment))
      Exec="\(escaped(quoted))" \(words)
      TryExec=\(escaped(program))
      Terminal=false

      """
  }

  /// An escaped value (Desktop Entry Specification 1.5, Possible value types).
  private static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\") }

  static func ownPath() throws(Reason) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw Reason(errno: errno) }
    let bytes = buffer[..<count].map(UInt8.init(bitPattern:))
    guard let path = String(validating: bytes, as: UTF8.self) else {
      throw .malformed
    }
    guard access(path, X_OK) == 0 else { throw Reason(errno: errno) }
    return path
  }

  static func makeFolder(of path: String) throws(Reason) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw Reason(errno: errno)
      }
    }
  }

  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(Reason) {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Reason(errno: errno) }
    defer { close(descriptor) }
    guard Descriptor.write(bytes, to: descriptor), fsync(descriptor) == 0 else {
      throw Reason(errno: errno)
    }
  }
}
