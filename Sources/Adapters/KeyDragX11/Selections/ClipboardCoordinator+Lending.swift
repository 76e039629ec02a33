import Dispatch
import KeyDragCore
import KeyDragThreads
import Synchronization

extension ClipboardCoordinator {
  /// Longest wait for lent content to be taken, in milliseconds.
  private static let patience: Milliseconds = 5_000

  /// Puts forms into the clipboard for a paste; the previous content returns when the loan ends.
  func lend(_ forms: [SelectedForm]) async throws(Reason) -> any ClipboardLoan {
    try await connection.ask { desk, reply in
      let refuse: (Reason) -> Void = { reason in
        desk.endTurn()
        reply(.failure(reason))
      }
      let isQueued = desk.takeTurn { _ in
        desk.save { result in
          switch result {
          case .failure(let reason): refuse(reason)
          case .success(let saved):
            guard desk.offer(forms, over: saved) else { return refuse(.noDisplay) }
            reply(.success(ReturnedLoan(desk)))
          }
        }
      }
      if !isQueued { reply(.failure(.notResponding)) }
    }
  }

  /// Longest delay of the process's exit, in milliseconds.
  private static let lastPatience = 6_000

  /// Has another process keep our content before exit. Blocks for at most 6 s.
  func settle() {
    let isDone = BlockingResult<Void>()
    // A lost connection has nothing left to give back, and one never opened took nothing.
    let isTaken = connection.current?.post { desk in
      desk.isExiting = true
      // A borrower may never end its loan.
      let isLent = desk.before != nil && desk.ending == nil
      desk.recall()
      if isLent || !desk.turns.isTaken {
        desk.handOverContent { isDone.give() }
      } else {
        desk.afterThisTurn { isDone.give() }
      }
    }
    if isTaken == true { isDone.wait(within: .milliseconds(Self.lastPatience)) }
  }

  /// Ends with ``giveBack()`` or its own release, whichever comes first.
  private final class ReturnedLoan: ClipboardLoan {
    private let desk: ThreadConfined<SelectionCoordinator>
    private let thread: EventLoop
    private let isOver = Atomic(false)

    init(_ desk: SelectionCoordinator) {
      (self.desk, thread) = (ThreadConfined(desk), desk.thread)
    }

    // Nobody else could have the clipboard otherwise.
    deinit { end { _ in } }

    /// `false`, too, when it was given back before.
    func giveBack() async -> Bool { await answer { end($0) } }

    private func end(_ reply: @escaping @Sendable (Bool) -> Void) {
      guard !isOver.exchange(true, ordering: .relaxed) else { return reply(false) }
      let isTaken = thread.post { [desk] in
        let desk = desk.value
        desk.endOffer(within: ClipboardCoordinator.patience) { wasTaken in
          reply(wasTaken)
          desk.handOverContent { desk.endTurn() }
        }
      }
      if !isTaken { reply(false) }
    }
  }
}

extension SelectionCoordinator {
  /// Reads the whole clipboard to restore it later, long texts included; an empty clipboard
  /// succeeds. `notResponding` while earlier content of the user's could not be restored yet.
  func save(_ answer: @escaping (Result<[SelectionFetch.Form], Reason>) -> Void) {
    // Until it is restored, the current content is not the user's.
    guard retryRestore() else { return answer(.failure(.notResponding)) }
    if let kept = keptForms { return answer(.success(kept)) }
    read(forms: nil, limits: .everything) { result in
      if case .failure(.nothingThere) = result { return answer(.success([])) }
      answer(result)
    }
  }
}
