extension Session {
  /// The words for where the person stands; that there is no way back only where that is news.
  ///
  /// - Parameter isPlaceKnown: it has just been said where the place is.
  /// - Returns: `nil` where there is nothing to say yet.
  mutating func announcement(ofPlace carry: Carry, isPlaceKnown: Bool) -> Announcement? {
    if carry.place == .source { return .backAtSource(name: carry.items.first?.name ?? "") }
    guard let stop = carry.currentStop, var report = report(at: stop, carry) else { return nil }
    if search.isFinding { search.said = report }
    report.isPlaceKnown = isPlaceKnown
    report.beginsShortcuts = carry.hasCrossed
    report.isUndoKnown = carry.lastingWord.covers(report.undo)
    let container = carry.walk.point(stop.point)?.container
    report.isContainerKnown = container != nil && container == carry.saidContainer
    switch report.verdict {
    case .accept, .partial, .maybe: hear(report.undo)
    case .refuse, .forbidden, .asking, .cancel: break
    }
    hear(container: report.task == nil ? container : nil, isNews: !report.isContainerKnown)
    return .dropPoint(report)
  }

  /// The way back from a drop, where the wish of now makes it news.
  mutating func undoNews(at stop: DropStop, _ carry: Carry) -> UndoPromise {
    let undo = carry.proposals[stop]?.programUndo ?? .certain
    hear(undo)
    return carry.lastingWord.covers(undo) ? .certain : undo
  }

  private mutating func hear(container: ContainerID?, isNews: Bool) {
    guard var carry = phase.carry else { return }
    (carry.saidContainer, carry.hasNamedContainer) = (container, isNews)
    phase.replaceCarry(carry)
  }

  private mutating func hear(_ undo: UndoPromise) {
    guard var carry = phase.carry else { return }
    carry.lastingWord.hear(undo)
    phase.replaceCarry(carry)
  }

  /// Whether a drop would come as a surprise: the place has answered now, and only now, that there is
  /// no way back. A drop without a walk is not held up: it is said with it.
  func isUndoUnsaid(_ answer: Answer, _ carry: Carry) -> Bool {
    carry.direct == nil && answer.proposal.programUndo != .certain
      && carry.lastingWord == .unsaid
  }

  /// Whether the place has answered now, at the drop, something else than what was said of it: another
  /// way in, or another operation. A drop without a walk was told nothing beforehand.
  func isOther(_ answer: Answer, than said: DropProposal?, _ carry: Carry) -> Bool {
    guard carry.direct == nil else { return false }
    if answer.proposal.isPasted != (said?.isPasted ?? false) { return true }
    guard let said else { return false }
    let new = judge(answer.proposal, at: answer.stop, carry).operation
    let old = judge(said, at: answer.stop, carry).operation
    return old != nil && old != new
  }

  /// Says of a drop without a walk what a walk would have said of the place: that there is no way
  /// back, or that no file is copied.
  mutating func sayWithoutWalk(_ answer: Answer, _ carry: Carry) {
    var carry = carry
    carry.proposals.merge([answer])
    carry.walk = makeWalk(carry)
    guard var report = report(at: answer.stop, carry) else { return }
    (report.index, report.total) = (nil, nil)
    say(.dropPoint(report))
  }

  /// What was said of the place last was cut off, so that it is news at the next one.
  mutating func placeUnheard() {
    guard var carry = phase.carry else { return }
    if case .said = carry.lastingWord { carry.lastingWord = .cutOff }
    if carry.hasNamedContainer { carry.saidContainer = nil }
    phase.replaceCarry(carry)
  }
}

extension DropProposal {
  /// Whether the program has a way back from a drop.
  var programUndo: UndoPromise {
    for case .inProgram(isPasted: _, let undo) in predictions where undo != .certain {
      return undo
    }
    return .certain
  }

  /// Whether it is done by the program's Paste command.
  package var isPasted: Bool {
    predictions.contains { prediction in
      if case .inProgram(isPasted: true, undo: _) = prediction { true } else { false }
    }
  }

  /// Whether of files perhaps only the paths are written down.
  var isOfPaths: Bool {
    predictions.contains { if case .becomesPaths = $0 { true } else { false } }
  }

  /// Whether there is a way back, of whatever kind.
  var undo: UndoPromise { irreversible == nil ? programUndo : .impossible }
}

extension DropPointReport {
  /// Whether it is said here that there is no way back, or perhaps none.
  var warns: Bool { undo != .certain && !isUndoKnown }
}
