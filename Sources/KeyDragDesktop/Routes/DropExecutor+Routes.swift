import KeyDragCore

/// Deliveries by other routes than XDND, with evidence of their effect.
extension DropExecutor {
  /// By the program's Paste command. Returns once an effect is seen, or on timeout.
  func byMenu(
    _ order: DeliveryOrder, _ spot: Desktop.PlaceRecord, _ before: inout Baseline,
    _ after: DropFollowUp
  ) async -> DropResult {
    defer { after.unfollow() }
    var answer: DropResult
    let first = before
    do throws(Reason) {
      let (loan, start) = try await routes.menu.paste(order, at: spot) {
        () async throws(Reason) -> Baseline in
        let start = try await self.atTurn(first, order)
        await self.begin(after, order, start)
        return start
      }
      before = start
      var evidence = await evidence(.unknown, order, start, after)
      if await loan.giveBack(), start.expected?.isDecisive != true {
        evidence.said = .delivered(nil)
      }
      answer = await end(evidence, order, start)
    } catch {
      answer = (.failure(order, .refused, error), nil)
    }
    answer.result.route = .menu
    return answer
  }

  /// By the pointer. The order of the window's rows shows the effect.
  func dragWithPointer(
    _ order: DeliveryOrder, _ spot: Desktop.PlaceRecord, _ before: inout Baseline
  ) async -> DeliveryResult {
    var answer: DeliveryResult
    let first = before
    do throws(Reason) {
      let (sign, start) = try await asking.alone {
        () async throws(Reason) -> (PointerVerdict, Baseline) in
        let start = try await self.atTurn(first, order)
        return (try await self.routes.pointer.drag(order, to: spot), start)
      }
      before = start
      let said: DragOutcome = sign == .accepts ? .delivered(order.operation) : .unknown
      let hasMoved = await hasMoved(order.items.map(\.name), start.view.order, in: spot.window)
      answer = Evidence(said, [hasMoved ? .order : .sameView]).result(of: order)
    } catch {
      answer = .failure(order, error == .interrupted ? .cancelled : .refused, error)
    }
    answer.route = .pointer
    return answer
  }

  private static let looks = 20
  private static let pause = Duration.milliseconds(100)

  /// Whether rows of these names have moved, while all others kept their order. Gives up after two
  /// seconds.
  private func hasMoved(
    _ names: [String], _ before: [String]?, in window: ContainerID
  ) async -> Bool {
    guard let before else { return false }
    let moved = Set(names)
    for _ in 0..<Self.looks {
      if let now = await desktop.order(in: window), now != before,
        now.filter({ !moved.contains($0) }) == before.filter({ !moved.contains($0) }),
        names.allSatisfy(now.contains)
      {
        return true
      }
      try? await desktop.clock.sleep(for: Self.pause)
    }
    return false
  }
}

extension DeliveryResult {
  /// Whether the window that it names may still ask. After an answered question a plain window
  /// shows the outcome, and its end says nothing. A dialog asks as long as it is open, whatever was
  /// seen before: a look at a busy program may miss a question.
  ///
  /// - Parameter wasAnswered: whether a question was seen and answered before.
  func mayStillAsk(wasAnswered: Bool) -> Bool {
    switch question {
    case .dialog: true
    case .window: !wasAnswered
    case .menu, .answered, .tells, nil: false
    }
  }

  /// Whether the program refused before it requested any data, so that nothing can have come of it,
  /// and another route may be tried.
  var isRefusalBeforeTransfer: Bool {
    switch outcome {
    case .refused, .failed: failures.contains { [.notTaken, .programFailed].contains($0.reason) }
    case .delivered, .partly, .cancelled, .unconfirmed: false
    }
  }

  /// Whether no effect of a drop is seen; `false` as soon as there may be one.
  var hasLeftNothing: Bool {
    isRefusalBeforeTransfer || outcome == .unconfirmed && question == nil
  }
}
