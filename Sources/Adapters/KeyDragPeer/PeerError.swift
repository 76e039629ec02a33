import KeyDragCore

/// Why this program can neither reach other KeyDrag programs nor be reached.
package enum PeerError: Error, Hashable, Sendable {
  /// There is no folder for the things of one user's session.
  case noRuntimeFolder
  /// The folder belongs to somebody else, is open to others, or is a link.
  case notPrivate(folder: String)
  /// A socket's path may have 107 bytes.
  case pathTooLong(folder: String)
  case failed(Reason)

  /// The problem that the person is told of; `nil` where there is no session to meet others in, as
  /// on a bare console, which nobody can mend.
  package var problem: Problem? {
    switch self {
    case .noRuntimeFolder: nil
    case .notPrivate(let folder): .noPeers(.notPrivate(folder: folder))
    case .pathTooLong(let folder): .noPeers(.pathTooLong(folder: folder))
    case .failed(let reason): .noPeers(.failed(reason))
    }
  }
}
