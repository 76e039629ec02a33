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

  /// What is wrong, and what the person can do.
  package func words(in phrases: Phrasebook) -> String {
    switch self {
    case .noRuntimeFolder:
      phrases.phrase(
        // At the start or from keydrag doctor: things can't be carried from one keydrag program to
        // another. XDG_RUNTIME_DIR stays as it is.
        "Other keydrag programs can't be reached: XDG_RUNTIME_DIR is not set.")
    case .notPrivate(let folder):
      phrases.phrase(
        // At the start or from keydrag doctor: a folder must be one's own. %1$@ is its path.
        "Other keydrag programs can't be reached: %1$@ must be your own folder and closed to "
          + "others. Remove it.", folder)
    case .pathTooLong(let folder):
      phrases.phrase(
        // At the start or from keydrag doctor. %1$@ is a folder's path. XDG_RUNTIME_DIR stays as it
        // is.
        "Other keydrag programs can't be reached: the name of %1$@ is too long. Set "
          + "XDG_RUNTIME_DIR to a shorter one.", folder)
    case .failed(let reason):
      phrases.phrase(
        // At the start or from keydrag doctor. %1$@ is why, such as "not enough space".
        "Other keydrag programs can't be reached: %1$@.", phrases.short(reason))
    }
  }
}
