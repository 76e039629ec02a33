/// The questions to a person before more is taken back, or left, than they may mean.
extension Session {
  /// Whether a question is open: what it asks stands until it is answered.
  var isAsking: Bool {
    guard case .confirming(let question, _) = phase else { return false }
    switch question.subject {
    case .deliveries, .history, .help, .details: return false
    case .drop, .actions, .position, .line, .olderUndo, .quitting:
      return true
    }
  }

  /// As many entries are looked through for the newest that is not undone.
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
    guard case .success(let lines) = result,
      let newest = lines.first(where: { !$0.entry.isUndone }), newest.isOlder
    else {
      request(.undo(entry: nil), for: .undo)
      return
    }
    if isAsking { return }
    open(.olderUndo(newest.entry.number), .olderUndo(newest), [.leave, .undo], over: underneath)
  }

  private var underneath: Phase.Underneath {
    switch phase {
    case .browsing(let carry): .browsing(adding: carry)
    case .carrying(let carry): .carrying(carry)
    case .confirming(_, let underneath): underneath
    }
  }

  /// Goes back to what a question lay over without a word: what was chosen is said.
  mutating func resume(_ underneath: Phase.Underneath) {
    switch underneath {
    case .browsing(let carry): phase = .browsing(adding: carry)
    case .carrying(let carry): phase = .carrying(carry)
    }
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

  mutating func takeEnd(_ choice: Choice, _ underneath: Phase.Underneath) {
    guard choice == .endAfter || choice == .endAndTakeBack else {
      goBack(underneath)
      return
    }
    resume(underneath)
    cancelHeldDrag()
    ending = choice == .endAfter ? .whenDone : .whenTakenBack
    if choice == .endAndTakeBack {
      for id in deliveries.keys { tell(.cancelDelivery(id)) }
    }
    endWhenDone()
  }

  /// Ends the session that was to end when nothing runs any more.
  mutating func endWhenDone() {
    guard ending != nil, deliveries.isEmpty, !outstanding.values.contains(.undo) else { return }
    cancelHeldDrag()
    if !awaitsKeyboard { endNow() }
  }

  /// The last word.
  mutating func endNow() {
    ending = nil
    say(.goodbye)
    emit(.quit)
  }

  /// Takes back what a delivery has done that was stopped with the session.
  mutating func takeBack(_ result: DeliveryResult) {
    let hasDone = result.delivered > 0 || (result.pieces ?? 0) > 0
    if ending == .whenTakenBack, hasDone, let entry = result.entry {
      request(.undo(entry: entry), for: .undo)
    }
  }
}

/// How a session ends that was to end while something was copied.
package enum SessionEnding: Hashable, Sendable {
  case whenDone
  case whenTakenBack
}
