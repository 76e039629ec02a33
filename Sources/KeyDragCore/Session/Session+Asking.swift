/// Questions before more is undone or interrupted than the person may intend.
extension Session {
  /// Whether a question that needs an answer is open; it must not be replaced.
  var isAsking: Bool {
    guard case .confirming(let question, _) = phase else { return false }
    switch question.subject {
    case .deliveries, .history, .help, .details: return false
    case .drop, .actions, .position, .line, .olderUndo, .quitting:
      return true
    }
  }

  /// The number of history entries to search for the newest one not undone.
  private static var mostEntries: Int { 10_000 }

  mutating func undoNewest() {
    guard settings.asksPerson else {
      request(.undo(entry: nil), for: .undo)
      return
    }
    if outstanding.values.contains(.undoNewest) { return }
    request(.history(limit: Session.mostEntries), for: .undoNewest)
  }

  mutating func undoNewest(_ result: Result<[HistoryLine], Reason>) {
    let standing = ((try? result.get()) ?? []).filter {
      !$0.entry.isUndone || $0.entry.isPartlyUndone
    }
    // What can't be undone leads on to what was done before it.
    let newest = standing.first { !blockedUndos.contains($0.entry.number) }
    guard let newest, newest.isOlder || newest != standing.first || hasDoneNothing else {
      // By its number where the journal's newest may be one that can't be undone.
      request(.undo(entry: blockedUndos.isEmpty ? nil : newest?.entry.number), for: .undo)
      return
    }
    if isAsking { return }
    open(.olderUndo(newest.entry.number), .olderUndo(newest), [.leave, .undo], over: underneath)
  }

  var underneath: Phase {
    if case .confirming(_, let underneath) = phase { underneath } else { phase }
  }

  // MARK: The end

  mutating func askBeforeQuitting() {
    if case .confirming(let question, _) = phase, case .quitting = question.subject {
      sayChoice(question)
      return
    }
    open(
      .quitting, .quitting(count: deliveries.count), [.leave, .endAfter, .endAndTakeBack],
      over: underneath)
  }

  mutating func takeEnd(_ choice: Choice, _ underneath: Phase) {
    guard choice == .endAfter || choice == .endAndTakeBack else {
      ending = nil
      goBack(underneath)
      return
    }
    phase = underneath
    cancelHeldDrag()
    ending = choice == .endAfter ? .whenDone : .whenTakenBack
    if choice == .endAndTakeBack {
      for id in deliveries.keys { tell(.cancelDelivery(id)) }
    }
    endWhenDone()
  }

  /// Ends the session that is to end once nothing is running.
  mutating func endWhenDone() {
    guard ending != nil, deliveries.isEmpty, runningUndo == nil else { return }
    cancelHeldDrag()
    if !awaitsKeyboard { endNow() }
  }

  /// The undo or redo that is running.
  var runningUndo: Purpose? { outstanding.values.first(where: \.takesBack) }

  package var isTakingBack: Bool { runningUndo != nil }

  mutating func endNow() {
    ending = nil
    say(.goodbye)
    emit(.quit)
  }

  /// Undoes what a delivery did that was cancelled with the session.
  mutating func takeBack(_ result: DeliveryResult) {
    let hasDone = result.delivered > 0 || (result.pieces ?? 0) > 0
    if ending == .whenTakenBack, hasDone, let entry = result.entry {
      request(.undo(entry: entry), for: .undo)
    }
  }
}

package enum SessionEnding: Hashable, Sendable {
  case whenDone
  case whenTakenBack
}
