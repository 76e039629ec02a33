package struct Question: Sendable {
  package enum Subject: Sendable {
    case drop(PendingDrop)
    case actions(sources: [DragSourceID], tasks: [DropPointDescriptor])
    case deliveries
    case help([HelpLine])
    /// The past deliveries; an entry is undone if possible.
    case history
    /// The typed text, which is the only choice.
    case line(TypedLine)
    /// The held items, with the place's answer for each.
    case details
    /// A new position for this item; the number is the only choice.
    case position(DragSourceID, in: ContainerID)
    /// Whether to undo an entry from before this session.
    case olderUndo(Int64)
    case quitting
  }

  package var subject: Subject
  package var confirmation: Confirmation
  package var choices: [Choice]
  package var index = 0

  package var current: Choice? { choices.indices.contains(index) ? choices[index] : nil }
}

/// A drop that the place has accepted and that waits for the person's confirmation.
package struct PendingDrop: Sendable {
  package var stop: DropStop
  package var proposal: DropProposal
  package var operation: DragOperation
  /// Indices of the carried items to be delivered.
  package var accepted: [Int]
  package var clash: ClashPolicy?
  /// Whether folders of the same name are to be merged; their contents are still to be asked about.
  package var isMerging = false
  /// The new name of the only item, or of the folder made for all of them.
  package var newName: String?
  package var refused: [Int: Reason] = [:]
  package var isPartialAgreed = false
  package var isIrreversibleAgreed = false
}

/// The phase of a session, with exactly the state that it needs.
package indirect enum Phase: Sendable {
  /// Walking items; with a drag, to add to it.
  case browsing(adding: DragState?)
  case carrying(DragState)
  /// The phase under the question is resumed afterwards; it is no question.
  case confirming(Question, over: Phase)

  package var name: PhaseName {
    switch self {
    case .browsing: .browsing
    case .carrying: .carrying
    case .confirming: .confirming
    }
  }

  package var carry: DragState? {
    switch self {
    case .browsing(let carry): carry
    case .carrying(let carry): carry
    case .confirming(_, let underneath): underneath.carry
    }
  }

  /// Replaces the drag of a phase; does nothing without one.
  package mutating func replaceCarry(_ carry: DragState) {
    switch self {
    case .browsing(adding: nil): break
    case .browsing: self = .browsing(adding: carry)
    case .carrying: self = .carrying(carry)
    case .confirming(let question, var underneath):
      underneath.replaceCarry(carry)
      self = .confirming(question, over: underneath)
    }
  }
}
