import KeyDragCore
import KeyDragThreads

/// Has a program copy, and gives the clipboard back as it was: what it held is served until another
/// program copies, also after the end of this one.
///
/// One borrower, lender or writer has the clipboard at a time; up to 16 more wait. Safe from any
/// thread; replies come from the thread of the display.
package final class ClipboardKeeper: ClipboardBorrowing {
  private typealias Reply = @Sendable (Result<[SelectedForm], Reason>) -> Void

  /// Opened anew when the display has ended a connection.
  let lines: ReconnectingConnection<Line>

  /// One connection with those who wait for it.
  final class Line: Sendable {
    let worker: SelectionWorker
    let turns = ThreadConfined(Turns())

    init(_ worker: SelectionWorker) { self.worker = worker }
  }

  /// How long a program may take to copy; milliseconds.
  private static let patience: Milliseconds = 2_000
  /// More are refused as not responding.
  static let mostWaiting = 16

  /// The queue for the clipboard; belongs to the worker's thread.
  final class Turns {
    /// Somebody has the clipboard.
    var isTaken = false
    /// In the order in which they came.
    var waiting: [() -> Void] = []
    /// Whether XFIXES tells of new owners; `nil` until it was asked.
    var isFollowing: Bool?

    /// Begins when nobody else has the clipboard, with whether new owners of it are told.
    ///
    /// ``end()`` has to follow, once.
    func take(_ desk: SelectionDesk, _ begin: @escaping (_ isFollowing: Bool) -> Void) {
      guard !isTaken else {
        waiting.append { self.take(desk, begin) }
        return
      }
      isTaken = true
      let isFollowing = self.isFollowing ?? desk.followClipboard()
      self.isFollowing = isFollowing
      begin(isFollowing)
    }

    /// The next one begins at once, on the same stack.
    func end() {
      isTaken = false
      if !waiting.isEmpty { waiting.removeFirst()() }
    }

    /// Calls `next` when the one whose turn it is has ended.
    func afterThis(_ next: @escaping () -> Void) {
      guard isTaken else { return next() }
      waiting.insert(
        {
          next()
          self.end()
        }, at: 0)
    }
  }

  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - holder: goes on holding what was put back; `nil` where it is held by this process alone.
  package init(
    display: String? = nil, timing: SelectionFetch.Timing = .init(),
    holder: ClipboardHolder? = nil
  ) throws(XError) {
    lines = try ReconnectingConnection { () throws(XError) in
      Line(try SelectionWorker(display: display, timing: timing, holder: holder))
    }
  }

  /// Has a program copy, and reads what it has copied.
  ///
  /// - Parameters:
  ///   - forms: empty for all.
  ///   - most: bytes, all forms together.
  ///   - copy: has the program copy, called on the thread of the display.
  package func borrow(
    forms: [String], most: Int, copy: @escaping @Sendable () -> Void
  ) async throws(Reason) -> [SelectedForm] {
    try await lines.ask { Self.borrow(forms, most: most, copy: copy, over: $0, $1) }
  }

  /// `false` where the connection has ended; nothing is called then.
  private static func borrow(
    _ forms: [String], most: Int, copy: @escaping @Sendable () -> Void, over line: Line,
    _ reply: @escaping Reply
  ) -> Bool {
    let turns = line.turns
    return line.worker.post { desk in
      guard turns.value.waiting.count < ClipboardKeeper.mostWaiting else {
        return reply(.failure(.notResponding))
      }
      let loan = Loan(
        desk: desk, forms: forms.isEmpty ? nil : forms, limits: .init(most: most), copy: copy,
        end: { result in
          reply(result)
          // The next one must not take who keeps it for a program that copies.
          desk.keepSafe { turns.value.end() }
        })
      turns.value.take(desk) { isFollowing in
        // This process may end before what was there is put back.
        guard !desk.isSettling else { return loan.end(.failure(.noDisplay)) }
        // Without word of a new owner nobody knows when the program has copied.
        guard isFollowing else { return loan.end(.failure(.operationNotOffered)) }
        loan.save()
      }
    }
  }

  /// One copy: save, have it done, read, put back.
  ///
  /// Held by the closures of its steps; ``end`` is called once.
  private final class Loan {
    let desk: SelectionDesk
    let end: (Result<[SelectedForm], Reason>) -> Void
    private let forms: [String]?
    private let limits: SelectionFetch.Limits
    private let copy: @Sendable () -> Void

    init(
      desk: SelectionDesk, forms: [String]?, limits: SelectionFetch.Limits,
      copy: @escaping @Sendable () -> Void,
      end: @escaping (Result<[SelectedForm], Reason>) -> Void
    ) {
      (self.desk, self.forms, self.limits, self.copy, self.end) = (desk, forms, limits, copy, end)
    }

    /// The first step: what is there has to be known before it is replaced.
    func save() {
      desk.save { [self] result in
        switch result {
        case .success(let forms): take(over: forms)
        case .failure(let reason): end(.failure(reason))
        }
      }
    }

    /// The program copies; its contents are read and the saved ones put back, also when reading has
    /// failed.
    private func take(over saved: [SelectionFetch.Form]) {
      guard !desk.isSettling else { return end(.failure(.noDisplay)) }
      desk.awaitOwner(within: ClipboardKeeper.patience, start: copy) { [self] owner in
        guard let owner else { return end(.failure(.nothingThere)) }
        desk.read(.clipboard, forms: forms, limits: limits) { [self] result in
          desk.putBack(saved, from: owner)
          end(result.map(desk.names(of:)))
        }
      }
    }
  }
}
