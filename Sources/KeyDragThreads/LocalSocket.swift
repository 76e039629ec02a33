import Glibc

/// Stream sockets in the file system (unix(7)).
package enum LocalSocket {
  /// In bytes, without the NUL.
  package static let longestPath = 107

  /// A socket that does not block; negative on failure.
  package static func make() -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    return socket(AF_UNIX, Int32(kind), 0)
  }

  /// Connects without waiting for one that accepts no client; `nil` with the error in `errno`.
  package static func connect(to path: String) -> Int32? {
    let descriptor = make()
    guard descriptor >= 0 else { return nil }
    guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) != 0 else { return descriptor }
    let error = errno
    close(descriptor)
    errno = error
    return nil
  }

  /// Calls `body` with a path's address; fails if it is too long.
  package static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard bytes.count <= longestPath else {
      errno = ENAMETOOLONG
      return -1
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// The other end's process and user at the time it connected or started listening; the process is
  /// 0 in another namespace.
  package static func credentials(of descriptor: Int32) -> (process: pid_t, user: uid_t)? {
    // Process, user and group; Swift's Glibc module lacks the structure.
    var credentials: [UInt32] = [0, 0, 0]
    var length = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12
    else { return nil }
    return (pid_t(bitPattern: credentials[0]), credentials[1])
  }
}
