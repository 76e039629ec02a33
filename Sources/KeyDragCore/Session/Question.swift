/// A question that is being answered, or a menu that is being walked.
package struct Question: Sendable {
  package enum Subject: Sendable {
    /// About a drop that waits for the answer.
    case drop(PendingDrop)
    /// The actions for these items.
    case actions(sources: [DragSourceID], tasks: [DropPointDescriptor])
    case deliveries
    /// The help as it was told; nothing is done from it.
    case help([HelpLine])
    /// The past deliveries; a line is undone where that is possible.
    case history
    /// The text being typed, which is the only choice.
    case line(TypedLine)
    /// The items held, with the place's answer to each.
    case details
    /// Which position this one is to have; the number is in the only choice.
    case position(DragSourceID, in: ContainerID)
    /// Whether undo goes back to an entry from before this session.
    case olderUndo(Int64)
    /// The session is to end while something is copied.
    case quitting
  }

  package var subject: Subject
  package var confirmation: Confirmation
  package var choices: [Choice]
  package var index = 0

  package var current: Choice? { choices.indices.contains(index) ? choices[index] : nil }
}

/// A drop that has been agreed with the place and waits for the person's word.
package struct PendingDrop: Sendable {
  package var stop: DropStop
  package var proposal: DropProposal
  package var operation: DragOperation
  /// Indices of the carried items that will go.
  package var accepted: [Int]
  package var clash: ClashPolicy?
  /// Whether folders of one name are to become one; what is in them is still to be asked about.
  package var isMerging = false
  /// The name that the one item gets, or the folder that is made for all of them.
  package var newName: String?
  /// Why the others will not.
  package var refused: [Int: Reason] = [:]
  package var isPartialAgreed = false
  package var isIrreversibleAgreed = false
}

/// The phase of a session; each case holds exactly what it needs.
package enum Phase: Sendable {
  /// Walking items; with a drag, to add to it.
  case browsing(adding: Carry?)
  case carrying(Carry)
  case confirming(Question, over: Underneath)

  /// The phase that a question lies over and goes back to.
  package enum Underneath: Sendable {
    case browsing(adding: Carry?)
    case carrying(Carry)
  }

  package var name: PhaseName {
    switch self {
    case .browsing: .browsing
    case .carrying: .carrying
    case .confirming: .confirming
    }
  }

  /// The drag that is held, in whatever phase.
  package var carry: Carry? {
    switch self {
    case .browsing(let carry): carry
    case .carrying(let carry): carry
    case .confirming(_, .browsing(let carry)): carry
    case .confirming(_, .carrying(let carry)): carry
    }
  }

  /// The same phase with the drag it holds replaced; unchanged when it holds none.
  package mutating func replaceCarry(_ carry: Carry) {
    switch self {
    case .browsing(adding: nil), .confirming(_, over: .browsing(adding: nil)): break
    case .browsing: self = .browsing(adding: carry)
    case .carrying: self = .carrying(carry)
    case .confirming(let question, .browsing):
      self = .confirming(question, over: .browsing(adding: carry))
    case .confirming(let question, .carrying):
      self = .confirming(question, over: .carrying(carry))
    }
  }
}
