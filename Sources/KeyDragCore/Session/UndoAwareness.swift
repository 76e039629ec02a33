/// The person's knowledge about undo after a drop.
///
/// Most programs without Undo have many places, so it is announced once per drag, and again only
/// after a place with undo.
package enum UndoAwareness: Hashable, Sendable {
  /// Nothing was announced, or the last accepting place can undo.
  case unsaid
  case said(UndoPromise)
  /// It was announced, but possibly not heard.
  case cutOff

  mutating func hear(_ undo: UndoPromise) {
    // A doubt adds nothing to what has been announced.
    if undo == .doubtful, case .said = self { return }
    self = undo == .certain ? .unsaid : .said(undo)
  }

  /// Whether the undo of a place is no news.
  func covers(_ undo: UndoPromise) -> Bool {
    switch self {
    case .said(let known): known == undo || undo == .doubtful || undo == .certain
    case .unsaid, .cutOff: false
    }
  }
}
