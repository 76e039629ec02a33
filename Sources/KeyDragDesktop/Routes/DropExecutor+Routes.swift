import KeyDragCore

/// Deliveries by other routes than XDND, with evidence of their effect.
extension DropExecutor {
  /// By the program's Paste command. Returns once an effect is seen, or on timeout.
  func byMenu(_ drop: Drop, _ spot: Desktop.PlaceRecord) async -> DeliveryResult {
    defer { drop.unfollow() }
    var answer: DeliveryResult
    do throws(Reason) {
      let loan = try await routes.menu.paste(drop.order, at: spot) { () async throws(Reason) in
        try await self.takeTurn(drop)
        await drop.begin(self.desktop)
      }
      var evidence = await evidence(.silent, of: drop)
      if await loan.giveBack(), drop.before.expected?.isDecisive != true {
        evidence.said = .accepts(nil)
      }
      await noteUnchanged(&evidence, drop, at: spot)
      answer = await end(evidence, of: drop)
    } catch {
      answer = .failure(drop.order, .refused, error)
    }
    answer.route = .menu
    return answer
  }

  /// By the pointer. The order of the window's rows shows the effect.
  func dragWithPointer(_ drop: Drop, _ spot: Desktop.PlaceRecord) async -> DeliveryResult {
    let order = drop.order
    var answer: DeliveryResult
    do throws(Reason) {
      let (rows, said) = try await asking.alone { () async throws(Reason) in
        try await self.takeTurn(drop)
        let rows = await self.desktop.order(in: spot.window)
        return (rows, try await self.routes.pointer.drag(order, to: spot))
      }
      let hasMoved = await hasMoved(order.items.map(\.name), rows, in: spot.window)
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
    case .menu, .answered, .unchanged, .tells, nil: false
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
