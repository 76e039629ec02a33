import KeyDragCore
import Synchronization

/// Begins drags on a display of the X window system.
///
/// A value without a connection: each drag opens its own.
package final class XDragMaker: DragMaking {
  private let display: String?
  private let timing: Handshake.Timing

  /// - Parameter display: `nil` for the one that DISPLAY names.
  package init(display: String? = nil, timing: Handshake.Timing = .init()) {
    (self.display, self.timing) = (display, timing)
  }

  /// Blocks for connecting, within ``XGreeting/patience`` and some answers. A person is told less
  /// than an ``XError`` says.
  package func begin(_ forms: [DragForm]) throws(Reason) -> any DragConversing {
    do throws(XError) {
      return try XDrag(display: display, forms: forms, timing: timing)
    } catch {
      throw error.reason
    }
  }
}

extension XError {
  /// For a person, who need not know what a connection is.
  var reason: Reason {
    switch self {
    case .unreachable, .connectionLost: .noDisplay
    case .noAnswer: .notResponding
    }
  }
}

/// One drag: a source of XDND whose answers go to those who asked.
///
/// Safe from any thread. Every question and every drop is answered exactly
/// once, by ``DragDialogue``.
final class XDrag: DragConversing {
  private typealias Question = @Sendable (DragVerdict) -> Void
  private typealias Drop = @Sendable (DragOutcome) -> Void
  private typealias Dialogue = DragDialogue<Question, Drop>

  /// State shared by the drag's thread and its callers.
  ///
  /// Answers are decided under one lock and given outside of it.
  private final class Desk: Sendable {
    private struct Exchange {
      var dialogue = Dialogue()
      /// Set by whoever wants to hear of a drop's late end.
      var lateHandler: Drop?
      /// Came before anyone wanted to hear of it.
      var early: DragOutcome?
      /// Called with bytes and the sum of them, from the source's thread.
      var progress: (@Sendable (Int, Int) -> Void)?
      /// No more drags over this connection.
      var isLost = false
    }

    private let state = Mutex(Exchange())

    /// Whether the question goes out.
    func ask(_ question: @escaping Question) -> Bool {
      change { $0.ask(question) }
    }

    /// Whether the drop is tried.
    func drop(
      _ progress: @escaping @Sendable (Int, Int) -> Void, _ drop: @escaping Drop
    ) -> Bool {
      state.withLock { $0.progress = progress }
      return change { $0.drop(drop) }
    }

    /// An open question is answered as silent.
    func leave() { _ = change { Dialogue.Step(answers: $0.leave(), goesOut: true) } }

    /// In the order of the source's thread.
    func take(_ event: XdndSource.Event) {
      switch event {
      case .connectionLost, .superseded: state.withLock { $0.isLost = true }
      case .taken(let bytes, let total): state.withLock { $0.progress }?(bytes, total)
      case .verdict, .ended, .deleteSource, .closed: break
      }
      _ = change { Dialogue.Step(answers: $0.take(event), goesOut: true) }
    }

    var isSourceToBeDeleted: Bool { state.withLock { $0.dialogue.isSourceToBeDeleted } }

    var isLost: Bool { state.withLock { $0.isLost } }

    /// Answers are given outside of the lock: who is answered may ask again at once.
    private func change(_ body: (inout Dialogue) -> Dialogue.Step) -> Bool {
      let step = state.withLock { body(&$0.dialogue) }
      for answer in step.answers {
        switch answer {
        case .verdict(let verdict, let reply): reply(verdict)
        case .outcome(let outcome, let reply): reply(outcome)
        case .lateEnd(let outcome): tellLate(outcome)
        }
      }
      return step.goesOut
    }

    private func tellLate(_ outcome: DragOutcome) {
      let handler = state.withLock { state in
        if state.lateHandler == nil { state.early = outcome }
        return state.lateHandler
      }
      handler?(outcome)
    }

    /// A late end that was told before comes at once.
    func set(_ handler: @escaping Drop) {
      let early = state.withLock { state in
        defer { state.early = nil }
        state.lateHandler = handler
        return state.early
      }
      if let early { handler(early) }
    }
  }

  private let source: XdndSource
  private let desk: Desk

  init(display: String?, forms: [DragForm], timing: Handshake.Timing) throws(XError) {
    let desk = Desk()
    self.desk = desk
    source = try XdndSource(display: display, forms: forms, timing: timing) { event in
      desk.take(event)
    }
  }

  /// Answered with `over` where the drag has ended.
  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation
  ) async -> DragVerdict {
    await answer { reply in
      let isTaken = source.hover(
        .window(XWindow(rawValue: window.rawValue)), at: RootPoint(x: point.x, y: point.y),
        operation: operation
      ) { [desk] in desk.ask(reply) }
      if !isTaken { reply(.over) }
    }
  }

  func stay() async -> DragVerdict {
    await answer { reply in
      if !source.stay(first: { [desk] in desk.ask(reply) }) { reply(.over) }
    }
  }

  /// Nothing is answered but the open question.
  func leave() {
    let desk = desk
    source.leave { desk.leave() }
  }

  /// - Parameter progress: bytes and the sum of them, for data that goes in portions.
  func drop(
    on window: WindowID, at point: ScreenPoint, operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool,
    _ progress: @escaping @Sendable (Int, Int) -> Void
  ) async -> DragOutcome {
    await answer { reply in
      let isTaken = source.drop(
        .window(XWindow(rawValue: window.rawValue)), at: RootPoint(x: point.x, y: point.y),
        operation: operation, isThere: isThere
      ) { [desk] in desk.drop(progress, reply) }
      if !isTaken { reply(.failed) }
    }
  }

  /// See ``XdndSource/giveUp(_:)``.
  func giveUp() async -> Bool {
    await answer { reply in
      if !source.giveUp(reply) { reply(false) }
    }
  }

  /// Called after a drop that was told as unknown, once for each.
  func onLateEnd(_ handler: @escaping @Sendable (DragOutcome) -> Void) { desk.set(handler) }

  var isSourceToBeDeleted: Bool { desk.isSourceToBeDeleted }

  var isLost: Bool { desk.isLost }

  /// Serves on what a target still takes.
  func end() { source.end() }

  func finish() async {
    await answer { (reply: @escaping @Sendable (()) -> Void) in
      if !source.end({ reply(()) }) { reply(()) }
    }
  }
}
