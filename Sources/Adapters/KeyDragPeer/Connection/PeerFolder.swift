import Glibc
import KeyDragCore
import KeyDragThreads

/// A socket's name: process id and random number, so that it is never taken by an old socket.
struct PeerName: Hashable, Sendable {
  let process: Int32
  let text: String
  /// Without the extension.
  private let digits: Substring

  init(process: Int32, random: UInt64) {
    let digits = String(random, radix: 16)
    let name = "\(process)-" + String(repeating: "0", count: 16 - digits.count) + digits
    text = name + ".sock"
    self.digits = Substring(name)
    self.process = process
  }

  /// `nil` for any other file name.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix(".sock"), let process = Int32(parts[0]),
      process > 0, let random = UInt64(parts[1].dropLast(5), radix: 16)
    else { return nil }
    self.init(process: process, random: random)
    // Only the canonical spelling is valid.
    guard self.text == text else { return nil }
  }

  /// Temporary name until the socket accepts connections; then it is renamed atomically.
  var unfinished: String { digits + ".new" }
}

/// The folder in which one user's programs find each other. Thread-safe: its only state is an open
/// descriptor. Trusts only entries of the same user.
package final class PeerFolder: Sendable {
  /// Absolute.
  let path: String
  /// The user whose programs these are.
  let user: uid_t
  /// This program's own socket, to which it does not connect.
  let own = PeerName(process: getpid(), random: UInt64.random(in: 0 ... .max))
  /// Keeps operations in this folder even if its path changes.
  private let descriptor: Int32

  /// The folder in the session's runtime folder, created if necessary.
  package convenience init(environment: [String: String]) throws(PeerError) {
    guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else {
      throw .noRuntimeFolder
    }
    // A folder that root creates in another user's session would lock that user out (sudo -E).
    var status = stat()
    if geteuid() == 0, stat(runtime, &status) == 0, status.st_uid != 0 { throw .noRuntimeFolder }
    try self.init(path: runtime + "/keydrag")
  }

  /// A folder at any path, created if necessary.
  ///
  /// - Throws: ``PeerError/notPrivate(folder:)`` if it is accessible to others or another user's.
  package init(path: String) throws(PeerError) {
    let user = geteuid()
    let longest = PeerName(process: .max, random: .max).text
    guard path.utf8.count + 1 + longest.utf8.count <= LocalSocket.longestPath else {
      throw .pathTooLong(folder: SpokenName.clean(path))
    }
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .failed(PeerSocket.reason(errno)) }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw [ELOOP, ENOTDIR].contains(errno)
        ? .notPrivate(folder: SpokenName.clean(path)) : .failed(PeerSocket.reason(errno))
    }
    // Checked after opening, so that it can't be replaced in between.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == user, status.st_mode & 0o077 == 0
    else {
      close(descriptor)
      throw .notPrivate(folder: SpokenName.clean(path))
    }
    self.path = path
    self.user = user
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func path(of name: String) -> String { path + "/" + name }

  /// Sockets in name order, and leftovers of programs that ended before their sockets were ready.
  /// At most 256 of each.
  func names() -> (sockets: [PeerName], unfinished: [String]) {
    var sockets: [PeerName] = []
    var unfinished: [String] = []
    for text in SystemFiles.names(in: path) ?? [] where sockets.count < Self.mostNames {
      if let name = PeerName(text) {
        sockets.append(name)
      } else if text.hasSuffix(".new"), unfinished.count < Self.mostNames {
        unfinished.append(text)
      }
    }
    return (sockets, unfinished)
  }

  /// Whether this is a socket of this user, not a link.
  func isOwnSocket(_ name: String) -> Bool {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == user
  }

  /// Removes a socket of this user; no-op for anything else.
  func remove(_ name: String) {
    if isOwnSocket(name) { unlinkat(descriptor, name, 0) }
  }

  /// Removes the leftover of a program that ended before its socket was ready.
  func removeUnfinished(_ name: String) {
    // Only if its process is gone.
    guard let socket = PeerName(String(name.dropLast(4)) + ".sock"),
      kill(socket.process, 0) != 0, errno == ESRCH
    else { return }
    remove(name)
  }

  /// Gives a socket its final name, which makes it visible to others.
  func finish(_ name: PeerName) -> Bool {
    renameat(descriptor, name.unfinished, descriptor, name.text) == 0
  }

  /// Limit on names read.
  private static let mostNames = 256
}
