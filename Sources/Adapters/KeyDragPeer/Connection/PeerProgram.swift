import Glibc
import KeyDragCore
import KeyDragThreads

/// The program at the other end of a socket: its claimed name, and whether it is genuine.
package struct PeerProgram: Sendable {
  /// Describes a program that falsely uses our name, given that name.
  package typealias Impostor = @Sendable (String) -> String

  /// As claimed, safe to speak.
  let name: String
  /// Whether it runs our own executable, or a `keydrag` that its user can't have changed, so that
  /// its reports can be trusted.
  let isOurs: Bool

  init(_ name: String, _ descriptor: Int32) {
    self.name = name
    let process = LocalSocket.credentials(of: descriptor)?.process ?? 0
    let path = "/proc/\(process)/exe"
    let (one, other) = (Self.status(path), Self.status("/proc/self/exe"))
    guard let one, let other else {
      isOurs = false
      return
    }
    var buffer = [CChar](repeating: 0, count: 4097)
    let count = max(readlink(path, &buffer, buffer.count - 1), 0)
    let link = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    isOurs =
      one.st_dev == other.st_dev && one.st_ino == other.st_ino
      || link.hasSuffix("/keydrag") && one.st_uid == 0 && one.st_mode & 0o022 == 0
  }

  /// The name to speak.
  func told(_ impostor: Impostor) -> String {
    isOurs || !SpokenName.letters(of: name).contains("keydrag") ? name : impostor(name)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
