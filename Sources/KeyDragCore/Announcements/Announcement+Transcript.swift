extension Announcement {
  /// The stable id that appears in transcripts and that scripts wait for.
  package var id: String {
    switch self {
    case .ready: "ready"
    case .item: "item"
    case .empty: "empty"
    case .listing: "listing"
    case .edge: "edge"
    case .noMatch: "no-match"
    case .filtered: "filtered"
    case .echo: "echo"
    case .completed: "completed"
    case .cannotName: "cannot-name"
    case .renamed: "renamed"
    case .facts: "facts"
    case .made: "made"
    case .selected: "selected"
    case .deselected: "deselected"
    case .nothingToPickUp: "nothing-to-pick-up"
    case .pickingUp: "picking-up"
    case .pickedUp: "picked-up"
    case .points: "points"
    case .nothingAccepts: "nothing-accepts"
    case .added: "added"
    case .refusedToAdd, .heldAlready: "refused-to-add"
    case .removed: "removed"
    case .dropPoint: "drop-point"
    case .details: "details"
    case .backAtSource: "back-at-source"
    case .opening: "opening"
    case .opened: "opened"
    case .cannotOpen: "cannot-open"
    case .left: "left"
    case .appeared: "appeared"
    case .vanished: "vanished"
    case .operation: "operation"
    case .operationUnavailable: "operation-unavailable"
    case .confirm: "confirm"
    case .choice: "choice"
    case .declined: "declined"
    case .refused: "refused"
    case .delivering: "delivering"
    case .progress: "progress"
    case .delivered: "delivered"
    case .partlyDelivered: "partly-delivered"
    case .unconfirmed: "unconfirmed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .deliveryCancelled: "delivery-cancelled"
    case .task: "task"
    case .nothingLanded: "nothing-landed"
    case .shown: "shown"
    case .tooLate: "too-late"
    case .moved: "moved"
    case .mode: "mode"
    case .undone: "undone"
    case .redone: "redone"
    case .undoing: "undoing"
    case .nothingToUndo: "nothing-to-undo"
    case .nothingToRedo: "nothing-to-redo"
    case .cannotUndo: "cannot-undo"
    case .recovered: "recovered"
    case .holding: "holding"
    case .help: "help"
    case .unknownKey: "unknown-key"
    case .problem: "problem"
    case .sessionEnded: "session-ended"
    case .goodbye: "goodbye"
    case .agentReady: "agent-ready"
    case .finding: "finding"
    case .lesson: "lesson"
    case .keyboard: "keyboard"
    case .ofProgram(_, let announcement): announcement.id
    }
  }

  /// Every id, for scripts that wait for one.
  package static let ids: Set<String> = [
    "ready", "item", "empty", "echo", "edge", "no-match", "selected", "deselected",
    "nothing-to-pick-up",
    "picked-up", "nothing-accepts", "added", "refused-to-add", "removed", "drop-point", "details",
    "back-at-source", "opened", "cannot-open", "left", "appeared", "vanished", "operation",
    "operation-unavailable", "confirm", "choice", "declined", "refused", "delivering", "progress",
    "delivered", "partly-delivered", "unconfirmed", "failed", "cancelled", "delivery-cancelled",
    "task", "moved", "mode", "undone", "redone", "undoing", "nothing-to-undo", "nothing-to-redo",
    "cannot-undo", "recovered", "holding", "help", "unknown-key", "problem", "session-ended",
    "goodbye", "listing", "nothing-landed", "agent-ready", "finding", "shown", "too-late",
    "opening", "filtered", "completed", "cannot-name", "renamed", "facts", "made",
    "lesson", "keyboard", "points", "picking-up",
  ]

  /// Outcomes, questions, pick-ups and problems interrupt; the rest waits for its turn.
  package var urgency: Urgency {
    switch self {
    case .pickedUp, .nothingToPickUp, .nothingAccepts, .confirm, .refused, .delivered,
      .partlyDelivered, .unconfirmed, .failed, .cancelled, .deliveryCancelled, .undone, .redone,
      .cannotUndo, .problem, .sessionEnded, .refusedToAdd, .heldAlready, .operationUnavailable,
      .recovered:
      .assertive
    case .ready, .item, .empty, .listing, .nothingLanded, .shown, .tooLate, .edge, .noMatch,
      .filtered, .echo, .completed, .cannotName, .renamed, .facts, .made,
      .selected, .deselected, .added, .removed,
      .dropPoint, .pickingUp, .points, .details, .backAtSource, .opening, .opened, .cannotOpen,
      .left, .appeared,
      .vanished,
      .operation, .choice, .declined, .delivering, .progress, .task, .moved, .mode, .undoing,
      .nothingToUndo,
      .nothingToRedo, .holding, .help, .unknownKey, .goodbye, .agentReady, .finding,
      .lesson, .keyboard:
      .polite
    case .ofProgram(_, let announcement): announcement.urgency
    }
  }

  /// Whether a key or a newer message may drop it; never for outcomes, questions and problems.
  package var mayBeDropped: Bool {
    switch self {
    case .confirm, .problem, .refused, .cannotName, .renamed, .made, .delivered, .partlyDelivered,
      .unconfirmed, .failed,
      .cancelled, .deliveryCancelled, .undone, .redone, .cannotUndo, .sessionEnded, .recovered,
      .keyboard(_, _, nil):
      false
    case .ofProgram(_, let announcement): announcement.mayBeDropped
    default: true
    }
  }

  /// Whether it warns that a drop can't, or possibly can't, be undone.
  package var warns: Bool {
    switch self {
    case .dropPoint(let report): report.warns
    case .operation(_, now: _, let undo): undo != .certain
    default: false
    }
  }

  /// The sound that accompanies it, if earcons are on.
  package var earcon: Earcon? {
    switch self {
    case .pickedUp: .pickUp
    case .dropPoint(let report): report.earcon
    case .operation(let wish, let now, _): (now ?? wish)?.earcon
    case .operationUnavailable: .notAllowed
    case .delivered: .delivered
    case .failed, .partlyDelivered, .unconfirmed, .refused: .failed
    case .cancelled, .deliveryCancelled: .cancelled
    case .ofProgram(_, let announcement): announcement.earcon
    default: nil
    }
  }
}

extension DropPointReport {
  fileprivate var earcon: Earcon? {
    switch verdict.word {
    case .refuse, .forbidden: return .notAllowed
    case .cancel: return .cancelled
    case .asking: return nil
    case .accept, .partial, .maybe:
      return verdict.operation?.earcon
    }
  }
}

extension DragOperation {
  fileprivate var earcon: Earcon {
    switch self {
    case .copy: .copy
    case .move: .move
    case .link: .link
    case .open: .open
    case .remove: .remove
    }
  }
}
