import CLinux
import Glibc
import KeyDragCore

/// The calls for sockets in a folder.
///
/// None of them waits. Each end is asked whose it is, since a folder alone proves nothing.
enum PeerSocket {
  /// Without the byte that ends it. In bytes, as the kernel takes it.
  static let longestPath = 107
  /// A stream whose descriptor no other program inherits.
  private static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

  /// The outcome of connecting.
  enum Connection: Hashable {
    /// Connected, with a descriptor that is the caller's.
    case made(Int32)
    /// Nobody listens there: its program is gone.
    case stale
    /// It can't be connected to now.
    case failed(Reason)
  }

  /// Listens in the folder; nobody sees the socket before it can be connected to, so that one that
  /// can't be is known to be left behind.
  ///
  /// - Returns: a descriptor that is the caller's.
  static func listen(in folder: PeerFolder, as name: PeerName) throws(PeerError) -> Int32 {
    let descriptor = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .failed(reason(errno)) }
    let unfinished = folder.path(of: name.unfinished)
    guard withAddress(unfinished, { bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, Int32(PeerLimits.programs)) == 0, folder.finish(name)
    else {
      let reason = reason(errno)
      // The unfinished socket is taken away again.
      close(descriptor)
      folder.remove(name.unfinished)
      throw .failed(reason)
    }
    return descriptor
  }

  /// Returns at once, also when the other program does not.
  ///
  /// A program of another user is left at once, and is not permitted.
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

  /// The next program that connects and is this user's; `nil` when there is none now. Others are
  /// turned away without a word.
  static func accept(_ listener: Int32, user: uid_t) -> Int32? {
    for _ in 0..<PeerLimits.programs {
      let descriptor = Glibc.accept(listener, nil, nil)
      // One that has gone again is none.
      if descriptor < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return nil
      }
      // Not in one step: the call that does both is not in the C library's module.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      if self.user(of: descriptor) == user { return descriptor }
      close(descriptor)
    }
    return nil
  }

  /// Why an open file that another program has handed over is not taken; `nil` for a plain file or a
  /// folder that it may read.
  static func refusal(of file: Int32) -> Reason? {
    let flags = fcntl(file, F_GETFL)
    var status = stat()
    guard flags >= 0, fstat(file, &status) == 0 else { return .unknown }
    // O_PATH opens without a right to read (open(2)).
    guard flags & O_ACCMODE != O_WRONLY, flags & clinux_open_path_only == 0 else {
      return .notPermitted
    }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) ? nil : .specialFile
  }

  /// The user at the other end, as the kernel knows it; `nil` where it does not say.
  static func user(of descriptor: Int32) -> uid_t? { credentials(of: descriptor)?.user }

  /// The process at the other end, and its user, as they were when it connected or began to listen.
  static func credentials(of descriptor: Int32) -> (process: pid_t, user: uid_t)? {
    // Process, user and group; the structure is not in the C library's module.
    var credentials: [UInt32] = [0, 0, 0]
    var length = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12
    else { return nil }
    return (pid_t(bitPattern: credentials[0]), credentials[1])
  }

  /// Calls something with the address of a path; fails for one that is too long.
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

  /// The reason that a person is told.
  static func reason(_ error: Int32) -> Reason {
    switch error {
    case EACCES, EPERM: .notPermitted
    case ENOENT: .gone
    case ENOSPC, EDQUOT: .noSpace
    case EROFS: .readOnly
    case EAGAIN: .notResponding
    case ENAMETOOLONG: .nameTooLong
    default: .unknown
    }
  }
}
