import KeyDragCore

/// Why other KeyDrag programs can't be reached and can't reach this one.
package enum PeerError: Error, Hashable, Sendable {
  /// `XDG_RUNTIME_DIR` is unset or unusable.
  case noRuntimeFolder
  /// The folder is another user's, accessible to others, or a link.
  case notPrivate(folder: String)
  /// A socket's path is limited to 107 bytes.
  case pathTooLong(folder: String)
  case failed(Reason)

  /// The problem to report; `nil` without a user session, as on a bare console, where nothing can
  /// be done about it.
  package var problem: Problem? {
    switch self {
    case .noRuntimeFolder: nil
    case .notPrivate(let folder): .noPeers(.notPrivate(folder: folder))
    case .pathTooLong(let folder): .noPeers(.pathTooLong(folder: folder))
    case .failed(let reason): .noPeers(.failed(reason))
    }
  }
}
