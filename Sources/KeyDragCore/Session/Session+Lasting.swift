extension Session {
  /// The announcement of the current place, in which a missing undo is mentioned only if it is
  /// news.
  ///
  /// - Parameter isPlaceKnown: the location of the place has just been announced.
  /// - Returns: `nil` when there is nothing to announce yet.
  mutating func announcement(ofPlace carry: DragState, isPlaceKnown: Bool) -> Announcement? {
    if carry.place == .source { return .backAtSource(name: carry.items.first?.name ?? "") }
    guard let stop = carry.currentStop, var report = report(at: stop, carry) else { return nil }
    if search.isFinding { search.said = report }
    report.isPlaceKnown = isPlaceKnown
    report.beginsShortcuts = carry.hasCrossed
    report.isUndoKnown = carry.undoAwareness.covers(report.verdict.undo)
    let container = carry.walk.point(stop.point)?.container
    report.isContainerKnown = container != nil && container == carry.announcedContainer
    if report.verdict.accepts { hear(report.verdict.undo) }
    hear(container: report.task == nil ? container : nil, isNews: !report.isContainerKnown)
    return .dropPoint(report)
  }

  /// The undo of a drop, if the current wish makes it news.
  mutating func undoNews(at stop: DropStop, _ carry: DragState) -> UndoPromise {
    let undo = carry.proposals[stop]?.programUndo ?? .certain
    hear(undo)
    return carry.undoAwareness.covers(undo) ? .certain : undo
  }

  private mutating func hear(container: ContainerID?, isNews: Bool) {
    guard var carry = phase.carry else { return }
    (carry.announcedContainer, carry.hasNamedContainer) = (container, isNews)
    phase.replaceCarry(carry)
  }

  private mutating func hear(_ undo: UndoPromise) {
    guard var carry = phase.carry else { return }
    carry.undoAwareness.hear(undo)
    phase.replaceCarry(carry)
  }

  /// Whether the final answer is the first to tell that a drop can't be undone. A drop without a
  /// walk is not held up: that is announced with it.
  func isUndoUnsaid(_ answer: Answer, _ carry: DragState) -> Bool {
    carry.direct == nil && answer.proposal.programUndo != .certain
      && carry.undoAwareness == .unsaid
  }

  /// Whether the final answer differs from the announced one: in the use of Paste, or in the
  /// operation. Nothing was announced of a drop without a walk.
  func isOther(_ answer: Answer, than said: DropProposal?, _ carry: DragState) -> Bool {
    guard carry.direct == nil else { return false }
    if answer.proposal.isPasted != (said?.isPasted ?? false) { return true }
    guard let said else { return false }
    let new = judge(answer.proposal, at: answer.stop, carry).operation
    let old = judge(said, at: answer.stop, carry).operation
    return old != nil && old != new
  }

  /// Announces, for a drop without a walk, what the walk would have announced of the place: a
  /// missing undo, or that only paths are inserted.
  mutating func sayWithoutWalk(_ answer: Answer, _ carry: DragState) {
    var carry = carry
    carry.proposals.merge([answer])
    carry.walk = makeWalk(carry)
    guard var report = report(at: answer.stop, carry) else { return }
    (report.index, report.total) = (nil, nil)
    say(.dropPoint(report))
  }

  /// The last announcement of a place was cut off, so that it is news at the next one.
  mutating func placeUnheard() {
    guard var carry = phase.carry else { return }
    if case .said = carry.undoAwareness { carry.undoAwareness = .cutOff }
    if carry.hasNamedContainer { carry.announcedContainer = nil }
    phase.replaceCarry(carry)
  }
}

extension DropProposal {
  /// Whether the program can undo a drop.
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

  /// Whether possibly only the paths of files are inserted.
  package var isOfPaths: Bool {
    predictions.contains { if case .becomesPaths = $0 { true } else { false } }
  }

  var undo: UndoPromise { irreversible == nil ? programUndo : .impossible }
}

extension DropPointReport {
  /// Whether a missing or doubtful undo is announced here.
  var warns: Bool { verdict.undo != .certain && !isUndoKnown }
}
