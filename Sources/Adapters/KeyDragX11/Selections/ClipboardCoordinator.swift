import KeyDragCore
import KeyDragThreads

/// Has a program copy and restores the clipboard; restored content is served until another program
/// copies, even after this process ends. One borrower, lender or writer at a time; up to 16 more
/// wait. Safe from any thread; replies come on the display's thread.
package final class ClipboardCoordinator: CopyCapturing {
  private typealias Reply = @Sendable (Result<[SelectedForm], Reason>) -> Void

  /// Reopened when the display has ended a connection.
  let lines: ReconnectingConnection<WorkerSession>

  final class WorkerSession: Sendable {
    let worker: SelectionWorker
    let turns = ThreadConfined(SerialQueue())

    init(_ worker: SelectionWorker) { self.worker = worker }
  }

  /// Longest wait for a program to copy, in milliseconds.
  private static let patience: Milliseconds = 2_000
  /// Further requests fail as not responding.
  static let mostWaiting = 16

  /// The queue for the clipboard, confined to the worker's thread.
  final class SerialQueue {
    var isTaken = false
    var waiting: [() -> Void] = []
    /// Whether XFIXES reports new owners; `nil` before it was asked.
    var isFollowing: Bool?

    /// Calls `begin` once the clipboard is free, with whether owner changes are reported. One
    /// ``end()`` must follow.
    func take(_ desk: SelectionCoordinator, _ begin: @escaping (_ isFollowing: Bool) -> Void) {
      guard !isTaken else {
        waiting.append { self.take(desk, begin) }
        return
      }
      isTaken = true
      let isFollowing = self.isFollowing ?? desk.followClipboard()
      self.isFollowing = isFollowing
      begin(isFollowing)
    }

    /// Starts the next one at once, on the same stack.
    func end() {
      isTaken = false
      if !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Calls `next` when the current one has ended.
    func afterThis(_ next: @escaping () -> Void) {
      guard isTaken else { return next() }
      waiting.insert(
        {
          next()
          self.end()
        }, at: 0)
    }
  }

  /// - Parameter holder: keeps holding restored content; `nil` when only this process does.
  package init(
    display: String? = nil, timing: SelectionFetch.Timing = .init(),
    holder: ClipboardHolder? = nil
  ) throws(XError) {
    lines = try ReconnectingConnection { () throws(XError) in
      WorkerSession(try SelectionWorker(display: display, timing: timing, holder: holder))
    }
  }

  /// Has a program copy, and reads the result.
  ///
  /// - Parameters:
  ///   - forms: empty for all.
  ///   - most: bytes, all forms together.
  ///   - copy: makes the program copy; called on the display's thread.
  package func borrow(
    forms: [String], most: Int, copy: @escaping @Sendable () -> Void
  ) async throws(Reason) -> [SelectedForm] {
    try await lines.ask { Self.borrow(forms, most: most, copy: copy, over: $0, $1) }
  }

  /// `false`, without calling back, when the connection is lost.
  private static func borrow(
    _ forms: [String], most: Int, copy: @escaping @Sendable () -> Void, over line: WorkerSession,
    _ reply: @escaping Reply
  ) -> Bool {
    let turns = line.turns
    return line.worker.post { desk in
      guard turns.value.waiting.count < ClipboardCoordinator.mostWaiting else {
        return reply(.failure(.notResponding))
      }
      let loan = ClipboardLoan(
        desk: desk, forms: forms.isEmpty ? nil : forms, limits: .init(most: most), copy: copy,
        end: { result in
          reply(result)
          // The next one must not mistake a keeper for a program that copies.
          desk.handOverContent { turns.value.end() }
        })
      turns.value.take(desk) { isFollowing in
        // This process may exit before the content is restored.
        guard !desk.isExiting else { return loan.end(.failure(.noDisplay)) }
        // Without owner notifications the copy can't be detected.
        guard isFollowing else { return loan.end(.failure(.operationNotOffered)) }
        loan.save()
      }
    }
  }

  /// One copy: save, trigger, read, restore. Kept alive by the closures of its steps; ``end`` is
  /// called once.
  private final class ClipboardLoan {
    let desk: SelectionCoordinator
    let end: (Result<[SelectedForm], Reason>) -> Void
    private let forms: [String]?
    private let limits: SelectionFetch.Limits
    private let copy: @Sendable () -> Void

    init(
      desk: SelectionCoordinator, forms: [String]?, limits: SelectionFetch.Limits,
      copy: @escaping @Sendable () -> Void,
      end: @escaping (Result<[SelectedForm], Reason>) -> Void
    ) {
      (self.desk, self.forms, self.limits, self.copy, self.end) = (desk, forms, limits, copy, end)
    }

    /// First step: the content must be known before it is replaced.
    func save() {
      desk.save { [self] result in
        switch result {
        case .success(let forms): take(over: forms)
        case .failure(let reason): end(.failure(reason))
        }
      }
    }

    /// Triggers the copy, reads it, and restores the saved content even when reading fails.
    private func take(over saved: [SelectionFetch.Form]) {
      guard !desk.isExiting else { return end(.failure(.noDisplay)) }
      desk.awaitOwner(within: ClipboardCoordinator.patience, start: copy) { [self] owner in
        guard let owner else { return end(.failure(.nothingThere)) }
        desk.read(.clipboard, forms: forms, limits: limits) { [self] result in
          desk.putBack(saved, from: owner)
          end(result.map(desk.names(of:)))
        }
      }
    }
  }
}
