/// The person's knowledge of the way back from a drop.
///
/// Most programs without Undo have many places, so that it is said once in a drag, and again only
/// where a place with a way back has come between.
package enum LastingWord: Hashable, Sendable {
  /// Nothing was said, or the last place that takes what is held has a way back.
  case unsaid
  case said(UndoPromise)
  /// It was said, and may not have been heard.
  case cutOff

  /// A place that takes what is held was said.
  mutating func hear(_ undo: UndoPromise) {
    // Whoever knows more than a doubt need not hear of it.
    if undo == .doubtful, case .said = self { return }
    self = undo == .certain ? .unsaid : .said(undo)
  }

  /// Whether a place's way back is no news.
  func covers(_ undo: UndoPromise) -> Bool {
    switch self {
    case .said(let known): known == undo || undo == .doubtful || undo == .certain
    case .unsaid, .cutOff: false
    }
  }
}
