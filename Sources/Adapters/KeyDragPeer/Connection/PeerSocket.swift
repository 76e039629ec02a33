import CLinux
import Glibc
import KeyDragCore

/// Nonblocking system calls for sockets in a folder. Each end verifies the other's user, since a
/// folder alone proves nothing.
enum PeerSocket {
  /// In bytes, without the NUL.
  static let longestPath = 107
  private static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

  enum Connection: Hashable {
    /// A connected descriptor that the caller owns.
    case made(Int32)
    /// Nobody listens: its program is gone.
    case stale
    case failed(Reason)
  }

  /// Listens in the folder. The socket becomes visible only once it accepts connections, so that
  /// one that does not is known to be stale.
  ///
  /// - Returns: a descriptor that the caller owns.
  static func listen(in folder: PeerFolder, as name: PeerName) throws(PeerError) -> Int32 {
    let descriptor = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .failed(reason(errno)) }
    let unfinished = folder.path(of: name.unfinished)
    guard withAddress(unfinished, { bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, Int32(PeerLimits.programs)) == 0, folder.finish(name)
    else {
      let reason = reason(errno)
      close(descriptor)
      folder.remove(name.unfinished)
      throw .failed(reason)
    }
    return descriptor
  }

  /// Connects without blocking. Another user's program is disconnected and reported as
  /// `notPermitted`.
  static func connect(to name: PeerName, in folder: PeerFolder) -> Connection {
    guard folder.isOwnSocket(name.text) else { return .failed(.notPermitted) }
    let descriptor = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return .failed(reason(errno)) }
    guard withAddress(folder.path(of: name.text), { Glibc.connect(descriptor, $0, $1) }) == 0
    else {
      let error = errno
      close(descriptor)
      return error == ECONNREFUSED ? .stale : .failed(reason(error))
    }
    guard user(of: descriptor) == folder.user else {
      close(descriptor)
      return .failed(.notPermitted)
    }
    return .made(descriptor)
  }

  /// The next pending connection of this user; `nil` if there is none. Others are closed.
  static func accept(_ listener: Int32, user: uid_t) -> Int32? {
    for _ in 0..<PeerLimits.programs {
      let descriptor = Glibc.accept(listener, nil, nil)
      // It has already disconnected.
      if descriptor < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return nil
      }
      // accept4(2), which would do this atomically, is missing from Swift's Glibc module.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      if self.user(of: descriptor) == user { return descriptor }
      close(descriptor)
    }
    return nil
  }

  /// Why a received descriptor is rejected; `nil` for a readable regular file or folder.
  static func refusal(of file: Int32) -> Reason? {
    let flags = fcntl(file, F_GETFL)
    var status = stat()
    guard flags >= 0, fstat(file, &status) == 0 else { return .unknown }
    // O_PATH needs no read permission (open(2)).
    guard flags & O_ACCMODE != O_WRONLY, flags & clinux_open_path_only == 0 else {
      return .notPermitted
    }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) ? nil : .specialFile
  }

  /// The other end's user according to the kernel; `nil` if unknown.
  static func user(of descriptor: Int32) -> uid_t? { credentials(of: descriptor)?.user }

  /// The other end's process and user at the time it connected or started listening.
  static func credentials(of descriptor: Int32) -> (process: pid_t, user: uid_t)? {
    // Process, user and group; Swift's Glibc module lacks the structure.
    var credentials: [UInt32] = [0, 0, 0]
    var length = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12
    else { return nil }
    return (pid_t(bitPattern: credentials[0]), credentials[1])
  }

  /// Calls `body` with a path's address; fails if it is too long.
  private static func withAddress(
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

  /// The reason to report.
  static func reason(_ error: Int32) -> Reason {
    switch error {
    case EACCES, EPERM: .notPermitted
    case ENOENT: .gone
    case ENOSPC, EDQUOT: .noSpace
    case EROFS: .readOnly
    case EAGAIN, ENOTCONN, ETIMEDOUT, EHOSTDOWN: .notResponding
    case ENAMETOOLONG: .nameTooLong
    case EIO, ENXIO, ENODEV, EREMOTEIO, EUCLEAN: .deviceError
    case ELOOP: .linkLoop
    case ENOTDIR: .notAFolder
    default: .unknown
    }
  }
}
