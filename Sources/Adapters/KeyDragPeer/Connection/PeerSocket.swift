import CLinux
import Glibc
import KeyDragCore
import KeyDragThreads

/// Nonblocking system calls for sockets in a folder. Each end verifies the other's user, since a
/// folder alone proves nothing.
enum PeerSocket {
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
    let descriptor = LocalSocket.make()
    guard descriptor >= 0 else { throw .failed(reason(errno)) }
    let unfinished = folder.path(of: name.unfinished)
    guard LocalSocket.withAddress(unfinished, { bind(descriptor, $0, $1) }) == 0,
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
    guard let descriptor = LocalSocket.connect(to: folder.path(of: name.text)) else {
      return errno == ECONNREFUSED ? .stale : .failed(reason(errno))
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
  static func user(of descriptor: Int32) -> uid_t? {
    LocalSocket.credentials(of: descriptor)?.user
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
