import KeyDragCore
import Synchronization

/// A drag that knows what was asked last, and drops there.
final class AskedDrag: OutgoingDrag {
  private let drag: any OutgoingDrag
  private let asked = Mutex<(window: WindowID, point: ScreenPoint, operation: DragOperation)?>(nil)

  init(_ drag: any OutgoingDrag) { self.drag = drag }

  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation
  ) async -> DragAnswer {
    asked.withLock { $0 = (window, point, operation) }
    return await drag.ask(window, at: point, operation: operation)
  }

  func drop(
    on window: WindowID, at point: ScreenPoint, operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool,
    progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void,
    late: @escaping @Sendable (DragAnswer) -> Void
  ) async -> DragAnswer {
    await drag.drop(
      on: window, at: point, operation: operation, isThere: isThere, progress: progress, late: late)
  }

  /// - Parameter isThere: whether the place is still there when it has been asked once more.
  func drop(
    isThere: @escaping @Sendable () async -> Bool = { true },
    progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void = { _, _ in },
    late: @escaping @Sendable (DragAnswer) -> Void = { _ in }
  ) async -> DragAnswer {
    guard let asked = asked.withLock(\.self) else { return .failed(.programFailed) }
    return await drop(
      on: asked.window, at: asked.point, operation: asked.operation, isThere: isThere,
      progress: progress, late: late)
  }

  func stay() async -> DragAnswer { await drag.stay() }
  func leave() { drag.leave() }
  func giveUp() async -> Bool { await drag.giveUp() }
  var isLost: Bool { drag.isLost }
  func end() { drag.end() }
  func finish() async { await drag.finish() }
}
