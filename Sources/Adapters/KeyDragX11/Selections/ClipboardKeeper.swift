import KeyDragCore

/// Has a program copy, and gives the clipboard back as it was: what it held is served until another
/// program copies.
package final class ClipboardKeeper: ClipboardBorrowing {
  private typealias Reply = @Sendable (Result<[SelectedForm], Reason>) -> Void

  private let worker: SelectionWorker
  private let turns: Handover<Turns>

  /// How long a program may take to copy; milliseconds.
  private static let patience: Milliseconds = 2_000
  private static let mostWaiting = 16

  /// Who waits; belongs to the worker's thread.
  private final class Turns {
    var isTaken = false
    var waiting: [() -> Void] = []
    var isFollowing: Bool?

    func end() {
      isTaken = false
      if !waiting.isEmpty { waiting.removeFirst()() }
    }
  }

  /// - Parameter display: `nil` for the one that DISPLAY names.
  package init(
    display: String? = nil, timing: SelectionFetch.Timing = .init()
  ) throws(XError) {
    worker = try SelectionWorker(display: display, timing: timing)
    turns = Handover(Turns())
  }

  package func borrow(
    forms: [String], most: Int, copy: @escaping @Sendable () -> Void,
    _ reply: @escaping @Sendable (Result<[SelectedForm], Reason>) -> Void
  ) {
    let turns = turns
    let isTaken = worker.post { desk in
      guard turns.value.waiting.count < ClipboardKeeper.mostWaiting else {
        return reply(.failure(.notResponding))
      }
      let loan = Loan(
        desk: desk, forms: forms.isEmpty ? nil : forms, limits: .init(most: most), copy: copy,
        end: { result in
          reply(result)
          turns.value.end()
        })
      ClipboardKeeper.begin(loan, turns.value)
    }
    if !isTaken { reply(.failure(.noDisplay)) }
  }

  private static func begin(_ loan: Loan, _ turns: Turns) {
    guard !turns.isTaken else {
      turns.waiting.append { begin(loan, turns) }
      return
    }
    turns.isTaken = true
    if turns.isFollowing == nil { turns.isFollowing = loan.desk.followClipboard() }
    // Without word of a new owner nobody knows when the program has copied.
    guard turns.isFollowing == true else { return loan.end(.failure(.operationNotOffered)) }
    loan.save()
  }

  /// One copy: save, have it done, read, put back.
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

    func save() {
      if let kept = desk.keptForms { return take(over: kept) }
      // Everything, also long texts: it is given back, not read out.
      var all = SelectionFetch.Limits()
      all.text = all.whole
      desk.read(.clipboard, forms: nil, limits: all) { [self] result in
        switch result {
        case .success(let forms): take(over: forms)
        case .failure(.nothingThere): take(over: [])
        case .failure(let reason): end(.failure(reason))
        }
      }
    }

    private func take(over saved: [SelectionFetch.Form]) {
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
