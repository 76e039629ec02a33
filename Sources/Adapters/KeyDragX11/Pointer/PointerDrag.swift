import KeyDragCore
import KeyDragThreads

/// Drags with the real pointer of a display, on a thread of its own.
package final class PointerDrag: PointerDragging {
  private let lines: Renewal<Line>

  /// - Parameter display: `nil` for the one that DISPLAY names.
  package init(
    display: String? = nil, timing: PointerPlan.Timing = .init()
  ) throws(XError) {
    lines = try Renewal { () throws(XError) in try Line(display, timing) }
  }

  package func drag(
    from start: ScreenPoint, to end: ScreenPoint,
    _ reply: @escaping @Sendable (Result<PointerSign, Reason>) -> Void
  ) {
    lines.use {
      $0.post { $0.drag(from: start, to: end, reply) }
    } else: {
      reply(.failure($0))
    }
  }

  package func reaches(
    _ window: WindowID, at points: [ScreenPoint], _ reply: @escaping @Sendable (Bool) -> Void
  ) {
    lines.use {
      $0.post { reply($0.reaches(XWindow(rawValue: window.rawValue), points)) }
    } else: { _ in
      reply(false)
    }
  }

  /// One connection with its thread.
  private final class Line: Sendable {
    private let thread: XThread
    private let box: Handover<Hand>

    init(_ display: String?, _ timing: PointerPlan.Timing) throws(XError) {
      guard let thread = XThread() else { throw .unreachable(display: display) }
      let box = Handover(Hand(try XServer(display: display), timing, thread))
      guard BackgroundThread.start({ box.value.run() }) else {
        throw .unreachable(display: display)
      }
      (self.thread, self.box) = (thread, box)
    }

    deinit { thread.end() }

    /// `false` when it has ended.
    func post(_ job: @escaping @Sendable (Hand) -> Void) -> Bool {
      let box = box
      return thread.post { job(box.value) }
    }
  }

  /// State that belongs to the thread.
  private final class Hand {
    private typealias Reply = (Result<PointerSign, Reason>) -> Void

    private let server: XServer
    private let thread: XThread
    private let timing: PointerPlan.Timing
    private let canPress: Bool
    private var drag: (plan: PointerPlan, reply: Reply)?
    private var isClosed = false
    private var isDown = false

    init(_ server: XServer, _ timing: PointerPlan.Timing, _ thread: XThread) {
      (self.server, self.timing, self.thread) = (server, timing, thread)
      canPress = server.canPress()
    }

    func run() {
      thread.run(
        reading: server.descriptor, deadline: { drag?.plan.deadline }, hasMore: server.hasReadAhead,
        handle: step)
      isClosed = true
      // No button stays down.
      if isDown { server.press(false) }
      answer(.failure(.noDisplay))
    }

    func drag(
      from start: ScreenPoint, to end: ScreenPoint,
      _ reply: @escaping (Result<PointerSign, Reason>) -> Void
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
        timing: timing, now: XThread.now())
      drag = (plan, reply)
    }

    func reaches(_ window: XWindow, _ points: [ScreenPoint]) -> Bool {
      !isClosed && !server.isLost
        && points.allSatisfy { server.isOnTop(window, at: (x: $0.x, y: $0.y)) }
    }

    private func step() -> Bool {
      while server.nextEvent() != nil {}
      guard !server.isLost else { return false }
      guard var plan = drag?.plan, let pointer = server.pointer() else { return true }
      let now = XThread.now()
      var actions = plan.tick(pointer.point, held: pointer.held, now: now)
      while let action = actions.first {
        actions.removeFirst()
        switch action {
        case .move(let point): server.drag(to: point)
        case .press: press(true)
        case .release: press(false)
        case .look:
          let name = server.pictureName() ?? ""
          actions += plan.saw(PointerSign(picture: name), now: now)
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

    private func putBack(_ home: RootPoint?, isMoved: Bool) {
      guard let home, !isMoved else { return }
      server.movePointer(to: home)
      // A round trip: the caller that gets the answer finds the pointer at its old place.
      _ = server.pointer()
    }

    private func answer(_ result: Result<PointerSign, Reason>) {
      guard let reply = drag?.reply else { return }
      drag = nil
      reply(result)
    }
  }
}
