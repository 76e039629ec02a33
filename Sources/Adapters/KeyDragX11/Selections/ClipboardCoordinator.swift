import KeyDragCore
import KeyDragThreads

/// Has a program copy and restores the clipboard; restored content is served until another program
/// copies, even after this process ends. One borrower, lender or writer at a time; up to 16 more
/// wait. Safe from any thread; replies come on the display's thread.
final class ClipboardCoordinator: ClipboardLending {
  /// Opened on first use, and again when the display has ended it.
  let connection: ReconnectingConnection<SelectionCoordinator>

  /// Longest wait for a program to copy, in milliseconds.
  fileprivate static let copyPatience: Milliseconds = 2_000

  /// - Parameter holder: keeps holding restored content; `nil` when only this process does.
  init(
    display: String? = nil, timing: SelectionFetch.Timing = .init(),
    holder: ClipboardHolder? = nil
  ) {
    connection = ReconnectingConnection { () throws(Reason) in
      try WorkerThread(display, timing, holder)
    }
  }

  /// Has a program copy, and reads the result.
  ///
  /// - Parameters:
  ///   - forms: empty for all.
  ///   - most: bytes, all forms together.
  ///   - copy: makes the program copy; called on the display's thread.
  func borrow(
    forms: [String], most: Int, copy: @escaping @Sendable () -> Void
  ) async throws(Reason) -> [SelectedForm] {
    try await connection.ask { desk, reply in
      let end: (Result<[SelectedForm], Reason>) -> Void = { result in
        reply(result)
        // The next one must not mistake a keeper for a program that copies.
        desk.handOverContent { desk.endTurn() }
      }
      let isQueued = desk.takeTurn { isFollowing in
        // This process may exit before the content is restored.
        guard !desk.isExiting else { return end(.failure(.noDisplay)) }
        // Without owner notifications the copy can't be detected.
        guard isFollowing else { return end(.failure(.operationNotOffered)) }
        desk.copy(forms.isEmpty ? nil : forms, .init(most: most), by: copy, end)
      }
      if !isQueued { reply(.failure(.notResponding)) }
    }
  }
}

extension SelectionCoordinator {
  struct ClipboardQueue {
    var isTaken = false
    var waiting: [() -> Void] = []
    /// Whether XFIXES reports new owners; `nil` before it was asked.
    var isFollowing: Bool?
  }

  /// Further requests fail as not responding.
  private static let mostTurns = 16

  /// Calls `begin` once the clipboard is free, with whether owner changes are reported; one
  /// ``endTurn()`` must follow. `false` when too many wait.
  func takeTurn(_ begin: @escaping (_ isFollowing: Bool) -> Void) -> Bool {
    guard turns.waiting.count < Self.mostTurns else { return false }
    guard !turns.isTaken else {
      turns.waiting.append { [self] in start(begin) }
      return true
    }
    start(begin)
    return true
  }

  private func start(_ begin: (_ isFollowing: Bool) -> Void) {
    turns.isTaken = true
    let isFollowing = turns.isFollowing ?? followClipboard()
    turns.isFollowing = isFollowing
    begin(isFollowing)
  }

  /// Starts the next one at once, on the same stack.
  func endTurn() {
    turns.isTaken = false
    if !turns.waiting.isEmpty { turns.waiting.removeFirst()() }
  }

  /// Calls `next` when the current turn has ended.
  func afterThisTurn(_ next: @escaping () -> Void) {
    guard turns.isTaken else { return next() }
    turns.waiting.insert(
      { [self] in
        next()
        endTurn()
      }, at: 0)
  }

  /// One copy: saves the content before it is replaced, triggers the copy, reads it, and restores
  /// the saved content even when reading fails.
  fileprivate func copy(
    _ forms: [String]?, _ limits: SelectionFetch.Limits, by copy: @escaping () -> Void,
    _ end: @escaping (Result<[SelectedForm], Reason>) -> Void
  ) {
    save { [self] result in
      switch result {
      case .failure(let reason): return end(.failure(reason))
      case .success(let saved):
        guard !isExiting else { return end(.failure(.noDisplay)) }
        awaitOwner(within: ClipboardCoordinator.copyPatience, start: copy) { [self] owner in
          guard let owner else { return end(.failure(.nothingThere)) }
          read(forms: forms, limits: limits) { [self] result in
            putBack(saved, from: owner)
            end(result.map(names(of:)))
          }
        }
      }
    }
  }
}
