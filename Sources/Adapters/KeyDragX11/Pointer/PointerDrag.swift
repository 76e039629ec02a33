import KeyDragCore
import KeyDragThreads

/// Drags with a display's real pointer, on its own thread. Needs the XTEST extension. The
/// connection is opened with the first drag, and again after it was lost. Safe from any thread.
final class PointerDrag: PointerDragging {
  private let connection: ReconnectingConnection<PointerWorker>

  init(display: String? = nil, timing: PointerPlan.Timing = .init()) {
    connection = ReconnectingConnection { () throws(Reason) in
      try WorkerThread { loop throws(Reason) in
        PointerWorker(try XServer(display: display), timing, loop)
      } run: { worker, _ in
        worker.run()
      }
    }
  }

  /// Points are in root coordinates. Takes about half a second once keys and buttons are released,
  /// for which it waits up to 2 s. One drag at a time: another one is `interrupted`.
  func drag(
    from start: ScreenPoint, to end: ScreenPoint
  ) async throws(Reason) -> DragAnswer {
    try await connection.ask { $0.drag(from: start, to: end, $1) }
  }

  /// Whether a press at each of these points would reach the window.
  func reaches(_ window: WindowID, at points: [ScreenPoint]) async -> Bool {
    let reaches: Bool? = try? await connection.ask {
      $1(.success($0.reaches(XWindow(rawValue: window.rawValue), points)))
    }
    return reaches ?? false
  }

  private final class PointerWorker {
    private typealias Reply = (Result<DragAnswer, Reason>) -> Void

    private let server: XServer
    private let thread: EventLoop
    private let timing: PointerPlan.Timing
    private let canPress: Bool
    private var drag: (plan: PointerPlan, reply: Reply)?
    private var isClosed = false
    private var isDown = false

    init(_ server: XServer, _ timing: PointerPlan.Timing, _ thread: EventLoop) {
      (self.server, self.timing, self.thread) = (server, timing, thread)
      canPress = server.has("XTEST")
    }

    func run() {
      thread.run(
        reading: server.descriptor, deadline: { drag?.plan.deadline },
        hasMore: server.hasQueuedEvent,
        handle: step)
      isClosed = true
      // No button may stay down.
      if isDown { server.press(false) }
      answer(.failure(.noDisplay))
    }

    /// Starts a drag, continued by ``step()``. Refused at once when the server lacks XTEST, or a
    /// point is off screen.
    func drag(
      from start: ScreenPoint, to end: ScreenPoint,
      _ reply: @escaping (Result<DragAnswer, Reason>) -> Void
    ) {
      guard !isClosed, !server.isLost else { return reply(.failure(.noDisplay)) }
      guard canPress else { return reply(.failure(.operationNotOffered)) }
      guard drag == nil else { return reply(.failure(.interrupted)) }
      let screen = server.shapes(of: [server.root]).first.flatMap { $0 }
      let area = ScreenRectangle(
        x: 0, y: 0, width: screen?.width ?? 0, height: screen?.height ?? 0)
      guard area.contains(start), area.contains(end) else { return reply(.failure(.notShown)) }
      let plan = PointerPlan(
        from: RootPoint(x: start.x, y: start.y), to: RootPoint(x: end.x, y: end.y),
        timing: timing, now: MonotonicClock.now)
      drag = (plan, reply)
    }

    func reaches(_ window: XWindow, _ points: [ScreenPoint]) -> Bool {
      !isClosed && !server.isLost
        && points.allSatisfy { server.isOnTop(window, at: (x: $0.x, y: $0.y)) }
    }

    /// Takes one step of the plan; `false` when the display is lost.
    private func step() -> Bool {
      // Events are not needed here, only drained so that they do not pile up.
      while server.nextEvent() != nil {}
      guard !server.isLost else { return false }
      guard var plan = drag?.plan, let pointer = server.pointer() else { return true }
      let now = MonotonicClock.now
      var actions = plan.tick(pointer.point, held: pointer.held, now: now)
      while let action = actions.first {
        actions.removeFirst()
        switch action {
        case .move(let point): server.drag(to: point)
        case .press: press(true)
        case .release: press(false)
        case .look:
          let name = server.pictureName() ?? ""
          actions += plan.saw(DragAnswer(picture: name), now: now)
        case .end(let result, let home):
          putBack(home, isMoved: plan.isMoved(from: pointer.point))
          answer(result)
          return true
        }
      }
      drag?.plan = plan
      return true
    }

    private func press(_ isDown: Bool) {
      self.isDown = isDown
      server.press(isDown)
    }

    /// By a warp, unless the user has moved the pointer.
    private func putBack(_ home: RootPoint?, isMoved: Bool) {
      guard let home, !isMoved else { return }
      server.movePointer(to: home)
      // A round trip, so that the caller finds the pointer at its old place.
      _ = server.pointer()
    }

    private func answer(_ result: Result<DragAnswer, Reason>) {
      guard let reply = drag?.reply else { return }
      drag = nil
      reply(result)
    }
  }
}
