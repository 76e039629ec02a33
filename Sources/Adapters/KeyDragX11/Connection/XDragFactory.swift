import KeyDragCore
import Synchronization

/// Starts drags on an X display; each opens its own connection.
package final class XDragFactory: DragFactory {
  private let display: String?
  private let timing: XdndHandshake.Timing

  package init(display: String? = nil, timing: XdndHandshake.Timing = .init()) {
    (self.display, self.timing) = (display, timing)
  }

  /// Blocks while connecting, within ``XConnector/patience``, and for a few replies.
  package func begin(_ forms: [DragForm]) throws(Reason) -> any OutgoingDrag {
    do throws(XError) {
      return try XDrag(display: display, forms: forms, timing: timing)
    } catch {
      throw error.reason
    }
  }
}

extension XError {
  /// User-facing, without connection details.
  var reason: Reason {
    switch self {
    case .unreachable, .connectionLost: .noDisplay
    case .noAnswer: .notResponding
    }
  }
}

/// One drag: an XDND source whose events are matched to requests. Safe from any thread.
/// ``DragRequestMatcher`` answers every question and every drop exactly once.
final class XDrag: OutgoingDrag {
  private typealias Question = @Sendable (DragVerdict) -> Void
  private typealias Drop = @Sendable (DragOutcome) -> Void
  private typealias Dialogue = DragRequestMatcher<Question, Drop>

  /// State shared by the drag's thread and its callers. Answers are decided under the lock and
  /// delivered outside it.
  private final class Desk: Sendable {
    private struct Exchange {
      var dialogue = Dialogue()
      var lateHandler: Drop?
      /// A late outcome that arrived before the handler was set.
      var early: DragOutcome?
      /// Receives the bytes transferred and their total, on the source's thread.
      var progress: (@Sendable (Int, Int) -> Void)?
      /// No more drags are possible over this connection.
      var isLost = false
    }

    private let state = Mutex(Exchange())

    /// Returns whether to send the question.
    func ask(_ question: @escaping Question) -> Bool {
      change { $0.ask(question) }
    }

    /// Returns whether to attempt the drop.
    func drop(
      _ progress: @escaping @Sendable (Int, Int) -> Void, _ drop: @escaping Drop
    ) -> Bool {
      state.withLock { $0.progress = progress }
      return change { $0.drop(drop) }
    }

    /// Answers an open question with `silent`.
    func leave() { _ = change { Dialogue.Step(answers: $0.leave(), goesOut: true) } }

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

    /// Delivers answers outside the lock: the receiver may ask again at once.
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

    /// A late outcome that has already arrived is delivered at once.
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

  init(display: String?, forms: [DragForm], timing: XdndHandshake.Timing) throws(XError) {
    let desk = Desk()
    self.desk = desk
    source = try XdndSource(display: display, forms: forms, timing: timing) { event in
      desk.take(event)
    }
  }

  /// `over` when the drag has ended.
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

  func leave() {
    let desk = desk
    source.leave { desk.leave() }
  }

  /// - Parameter progress: bytes transferred and their total, for incremental data.
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

  /// Called once for each drop whose outcome was first reported as unknown.
  func onLateEnd(_ handler: @escaping @Sendable (DragOutcome) -> Void) { desk.set(handler) }

  var isSourceToBeDeleted: Bool { desk.isSourceToBeDeleted }

  var isLost: Bool { desk.isLost }

  func end() { source.end() }

  func finish() async {
    await answer { (reply: @escaping @Sendable (()) -> Void) in
      if !source.end({ reply(()) }) { reply(()) }
    }
  }
}
