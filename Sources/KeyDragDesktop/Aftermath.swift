import KeyDragCore
import Synchronization

/// What may still come after a drop: questions of the program to the person, and the end of one that
/// was given up as unknown.
final class Aftermath: Sendable {
  private struct State {
    var outcome: DragOutcome?
    var handler: (@Sendable (DragOutcome) -> Void)?
    /// The window or menu in which the program asks now, if it does.
    var asking: WindowID?
    var wasAsked = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let ask: @Sendable (ProgramQuestion) -> Void
  private static let pause = Duration.milliseconds(100)
  /// A person may think for as long as they like.
  private static let longPause = Duration.milliseconds(500)

  /// So often a window that has no title of its own yet is looked at again.
  private static let mostUnnamed = 10

  /// - Parameter ask: called for each question of the program, once.
  init(_ ask: @escaping @Sendable (ProgramQuestion) -> Void) { self.ask = ask }

  // MARK: Questions

  /// Whether the program waits for the person now.
  var isAsking: Bool { state.withLock { $0.asking != nil } }

  var wasAsked: Bool { state.withLock(\.wasAsked) }

  /// Looks for questions until the task is cancelled.
  func follow(_ desktop: Desktop, _ window: ContainerID, since before: Set<WindowID>) async {
    var (told, looks): (WindowID?, Int) = (nil, 0)
    while true {
      let found = await desktop.question(of: window, since: before, known: told)
      guard !Task.isCancelled else { return }
      state.withLock { state in
        state.asking = found?.id
        state.wasAsked = state.wasAsked || found != nil
      }
      if let found, found.id != told {
        looks += 1
        if found.isNamed || looks > Self.mostUnnamed {
          (told, looks) = (found.id, 0)
          ask(found.question)
        }
      }
      try? await Task.sleep(for: told != nil && found?.id == told ? Self.longPause : Self.pause)
    }
  }

  // MARK: The late end

  func take(_ outcome: DragOutcome) {
    let handler = state.withLock { state in
      state.outcome = outcome
      return state.handler
    }
    handler?(outcome)
  }

  /// Tells of a late end from now on; at once where it has come already.
  func open(_ handler: @escaping @Sendable (DragOutcome) -> Void) {
    let outcome = state.withLock { state in
      state.handler = handler
      return state.outcome
    }
    if let outcome { handler(outcome) }
  }

  /// `false` when its end has been told already.
  func end() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }
}
