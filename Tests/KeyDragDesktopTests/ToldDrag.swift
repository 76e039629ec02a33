import KeyDragCore
import Synchronization

/// A drag whose target takes everything, and ends as a test says.
///
/// Safe from any thread.
final class ToldDrag: OutgoingDrag {
  private struct Drop {
    /// The end of each drop; `nil` where nobody tells one.
    var end: DragAnswer? = .silent
    var progress: (@Sendable (_ bytes: Int, _ total: Int) -> Void)?
  }

  private let state = Mutex(Drop())
  /// Ends with the test.
  private let never: AsyncStream<DragAnswer>
  private let ending: AsyncStream<DragAnswer>.Continuation
  /// Called at each drop, when the target has accepted it and when it has it.
  private let onAccept: @Sendable () -> Void
  private let onDrop: @Sendable () -> Void

  init(
    end: DragAnswer? = .silent, onAccept: @escaping @Sendable () -> Void = {},
    onDrop: @escaping @Sendable () -> Void = {}
  ) {
    (self.onAccept, self.onDrop) = (onAccept, onDrop)
    (never, ending) = AsyncStream.makeStream()
    state.withLock { $0.end = end }
  }

  /// The target takes a part of what was dropped.
  func takePart() { state.withLock(\.progress)?(1, 100) }

  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation
  ) async -> DragAnswer { .accepts(operation) }

  func stay() async -> DragAnswer { .accepts(.copy) }

  func drop(
    on window: WindowID, at point: ScreenPoint, operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool,
    progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void,
    late: @escaping @Sendable (DragAnswer) -> Void
  ) async -> DragAnswer {
    let end = state.withLock { state in
      state.progress = progress
      return state.end
    }
    onAccept()
    guard await isThere() else { return .refuses(.placeMoves) }
    onDrop()
    if let end { return end }
    // Nobody tells one.
    return await never.first { _ in true } ?? .silent
  }

  /// At a place that stays where it is.
  func drop(
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> DragAnswer {
    await drop(
      on: WindowID(1), at: ScreenPoint(x: 0, y: 0), operation: .copy, isThere: { true },
      progress: progress, late: { _ in })
  }

  func giveUp() async -> Bool { false }

  var isLost: Bool { false }

  func leave() {}
  func end() {}
  func finish() async {}
}
