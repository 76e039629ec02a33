import Glibc
import KeyDragCore

/// The name of a program's socket: its process, and a number at random.
///
/// A new program never finds its name taken by an old one.
struct PeerName: Hashable, Sendable {
  /// The number of its process.
  let process: Int32
  /// As it stands in the folder.
  let text: String
  /// The same without its end.
  private let digits: Substring

  /// The name of a socket to be made.
  init(process: Int32, random: UInt64) {
    let digits = String(random, radix: 16)
    let name = "\(process)-" + String(repeating: "0", count: 16 - digits.count) + digits
    text = name + ".sock"
    self.digits = Substring(name)
    self.process = process
  }

  /// `nil` for every name that no program would give its socket.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix(".sock"), let process = Int32(parts[0]),
      process > 0, let random = UInt64(parts[1].dropLast(5), radix: 16)
    else { return nil }
    self.init(process: process, random: random)
    // Read and written again: only one spelling is a name.
    guard self.text == text else { return nil }
  }

  /// The name of the socket until it can be connected to.
  ///
  /// It is renamed in one step when it listens.
  var unfinished: String { digits + ".new" }
}

/// The folder in which the programs of one user find each other.
///
/// Safe from any thread: it keeps no state but an open folder. What lies in it is trusted only
/// where it belongs to the same user.
package final class PeerFolder: Sendable {
  /// Its absolute path.
  let path: String
  /// The user that these programs belong to.
  let user: uid_t
  /// The name of this program's own socket, with which it does not talk.
  let own = PeerName(process: getpid(), random: UInt64.random(in: 0 ... .max))
  /// The open folder: what is done in it is done there, whatever its path becomes.
  private let descriptor: Int32

  /// The folder in the runtime folder of the person's session, made when it is not there.
  package convenience init(environment: [String: String]) throws(PeerError) {
    guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else {
      throw .noRuntimeFolder
    }
    // A folder that root makes in another person's session shuts that person out (sudo -E).
    var status = stat()
    if geteuid() == 0, stat(runtime, &status) == 0, status.st_uid != 0 { throw .noRuntimeFolder }
    try self.init(path: runtime + "/keydrag")
  }

  /// A folder at any path, made when it is not there.
  ///
  /// - Throws: ``PeerError/notPrivate(folder:)`` where others may look into it or it belongs to
  ///   somebody else.
  package init(path: String) throws(PeerError) {
    let user = geteuid()
    let longest = PeerName(process: .max, random: .max).text
    guard path.utf8.count + 1 + longest.utf8.count <= PeerSocket.longestPath else {
      throw .pathTooLong(folder: SpokenName.clean(path))
    }
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .failed(PeerSocket.reason(errno)) }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw [ELOOP, ENOTDIR].contains(errno)
        ? .notPrivate(folder: SpokenName.clean(path)) : .failed(PeerSocket.reason(errno))
    }
    // Looked at after it was opened, so that nobody can put another in its place.
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

  /// The path of a socket in it.
  func path(of name: String) -> String { path + "/" + name }

  /// The sockets in it, and names left behind by a program that ended before its socket was ready.
  ///
  /// At most 256 of each; sockets in the order of their names.
  func names() -> (sockets: [PeerName], unfinished: [String]) {
    guard let folder = opendir(path) else { return ([], []) }
    defer { closedir(folder) }
    var sockets: [PeerName] = []
    var unfinished: [String] = []
    while let entry = readdir(folder), sockets.count < Self.mostNames {
      let text = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let name = PeerName(text) {
        sockets.append(name)
      } else if text.hasSuffix(".new"), unfinished.count < Self.mostNames {
        unfinished.append(text)
      }
    }
    return (sockets.sorted { $0.text < $1.text }, unfinished)
  }

  /// Whether this is a socket of ours: no link, nobody else's.
  func isOwnSocket(_ name: String) -> Bool {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == user
  }

  /// Removes a socket of ours, and nothing else.
  func remove(_ name: String) {
    if isOwnSocket(name) { unlinkat(descriptor, name, 0) }
  }

  /// Removes what a program left that ended before its socket was ready.
  func removeUnfinished(_ name: String) {
    // With its process gone nobody will finish it.
    guard let socket = PeerName(String(name.dropLast(4)) + ".sock"),
      kill(socket.process, 0) != 0, errno == ESRCH
    else { return }
    remove(name)
  }

  /// Gives a socket its name; from here on others see it.
  func finish(_ name: PeerName) -> Bool {
    renameat(descriptor, name.unfinished, descriptor, name.text) == 0
  }

  /// More in one folder nobody needs.
  private static let mostNames = 256
}
