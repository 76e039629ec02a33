import KeyDragCore

/// Deliveries by other ways than a drag without a pointer, with what is seen of their effect.
extension Delivering {
  /// By the program's Paste command.
  func byMenu(
    _ order: DeliveryOrder, _ spot: Desktop.Spot, _ before: inout Before
  ) async -> End {
    var answer: End
    let first = before
    do throws(Reason) {
      let (loan, start) = try await routes.menu.paste(order, at: spot) {
        () async throws(Reason) -> Before in
        try await self.atTurn(first, order)
      }
      before = start
      if let expected = start.expected {
        answer = await result(of: .unknown, order, expected)
        _ = await loan.giveBack()
      } else {
        let effect = await effect(
          on: spot, order.stop.point, of: order, since: start.view.sight)
        let wasTaken = await loan.giveBack()
        answer = (Self.result(effect, wasTaken ? .delivered(nil) : .unknown, order), nil)
      }
    } catch {
      answer = (Self.failure(order, .refused, error), nil)
    }
    answer.result.route = .menu
    return answer
  }

  /// By the pointer. What the program does with it is seen in the order of what it shows.
  func byPointer(
    _ order: DeliveryOrder, _ spot: Desktop.Spot, _ before: inout Before
  ) async -> DeliveryResult {
    var answer: DeliveryResult
    let first = before
    do throws(Reason) {
      let (sign, start) = try await asking.alone {
        () async throws(Reason) -> (PointerSign, Before) in
        let start = try await self.atTurn(first, order)
        return (try await self.routes.pointer.drag(order, to: spot), start)
      }
      before = start
      let rows = start.view.order
      let said: DragOutcome = sign == .accepts ? .delivered(order.operation) : .unknown
      let effect =
        await hasMoved(rows, in: spot.window)
        ? DropEffect.landed
        : await effect(on: spot, order.stop.point, of: order, since: start.view.sight)
      answer = Self.result(effect == .unseen && rows != nil ? .missing : effect, said, order)
    } catch {
      answer = Self.failure(order, error == .interrupted ? .cancelled : .refused, error)
    }
    answer.route = .pointer
    return answer
  }

  private static let looks = 20
  private static let pause = Duration.milliseconds(100)

  /// Whether the rows stand in another order than before, or others have come.
  private func hasMoved(_ before: [String]?, in window: ContainerID) async -> Bool {
    guard let before else { return false }
    for _ in 0..<Self.looks {
      if let now = await desktop.order(in: window), now != before { return true }
      try? await Task.sleep(for: Self.pause)
    }
    return false
  }
}

extension DeliveryResult {
  /// Whether nothing has shown yet what became of it.
  var isOpen: Bool { outcome == .unconfirmed || outcome == .delivered && !verified }

  /// Whether the window that it names may still ask what to do. Where that was asked and answered
  /// before, a window shows what came of it: when it is closed says nothing. A dialog asks as long as
  /// it is there, whatever was seen of it before: a look at a busy program may miss it.
  func mayAskYet(wasAnswered: Bool) -> Bool {
    switch question {
    case .dialog: true
    case .window: !wasAnswered
    case .menu, .answered, nil: false
    }
  }

  /// Whether the program said no, or took it and shows nothing of it where that would be seen. What
  /// may still land is not given once more.
  var hasLeftNothing: Bool {
    switch outcome {
    case .refused, .failed: failures.contains { [.notTaken, .programFailed].contains($0.reason) }
    // Who asks in a window of its own has taken it.
    case .unconfirmed: question == nil && failures.contains { $0.reason == .unknown }
    case .delivered, .partly, .cancelled: false
    }
  }
}
