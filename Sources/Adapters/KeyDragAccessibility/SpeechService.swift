import Glibc

/// The service by which screen readers speak, speech-dispatcher: asked to say no more of what it was
/// given until now, as a reader itself asks it at a key.
struct SpeechService: Hashable, Sendable {
  private let path: String

  /// A program that speaks is not kept waiting for longer, in milliseconds.
  private static let patience: Int32 = 50
  /// The lines of its protocol end in these two.
  private static let cancel = "CANCEL ALL\r\n"

  /// - Parameter environment: names the socket, as the environment of a process does; `nil` when it
  ///   does not.
  init?(environment: [String: String]) {
    let address = environment["SPEECHD_ADDRESS"] ?? ""
    let parts = address.split(separator: ":", maxSplits: 1)
    if parts.count == 2, parts[0] == "unix_socket" {
      path = String(parts[1])
    } else if address.isEmpty || address == "unix_socket",
      let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty
    {
      path = folder + "/speech-dispatcher/speechd.sock"
    } else {
      return nil
    }
  }

  /// Returns when nothing of what was said is heard any more, or when the service does not answer.
  func silence() {
    guard let descriptor = connected() else { return }
    defer { close(descriptor) }
    let bytes = Array(Self.cancel.utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { return }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&waiting, 1, Self.patience)
  }

  /// A service that does not run is not started; one that takes nobody in is not waited for.
  private func connected() -> Int32? {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    let isShort = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    guard isShort else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
