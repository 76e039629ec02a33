import KeyDragCore
import Synchronization

/// A drag whose target takes everything, and ends as a test says.
///
/// Safe from any thread.
final class ToldDrag: DragMaking, DragConversing {
  private struct Drop {
    /// The end of each drop; `nil` where nobody tells one.
    var end: DragOutcome? = .unknown
    var progress: (@Sendable (_ bytes: Int, _ total: Int) -> Void)?
  }

  private let state = Mutex(Drop())
  /// Called at each drop.
  private let onDrop: @Sendable () -> Void

  init(end: DragOutcome? = .unknown, onDrop: @escaping @Sendable () -> Void = {}) {
    self.onDrop = onDrop
    state.withLock { $0.end = end }
  }

  /// The target takes a part of what was dropped.
  func takePart() { state.withLock(\.progress)?(1, 100) }

  func begin(_ forms: [DragForm]) throws(Reason) -> any DragConversing { self }

  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation,
    _ reply: @escaping @Sendable (DragVerdict) -> Void
  ) { reply(.accepts(operation)) }

  func stay(_ reply: @escaping @Sendable (DragVerdict) -> Void) { reply(.accepts(.copy)) }

  func drop(
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void,
    _ reply: @escaping @Sendable (DragOutcome) -> Void
  ) {
    let end = state.withLock { state in
      state.progress = progress
      return state.end
    }
    onDrop()
    if let end { reply(end) }
  }

  func giveUp(_ reply: @escaping @Sendable (Bool) -> Void) { reply(false) }

  func onLateEnd(_ handler: @escaping @Sendable (DragOutcome) -> Void) {}

  var isSourceToBeDeleted: Bool { false }

  func leave() {}
  func end() {}
}
