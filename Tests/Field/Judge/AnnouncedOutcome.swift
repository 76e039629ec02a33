/// Everything announced about a drop.
struct AnnouncedOutcome {
  /// The statement that the last outcome makes.
  enum Claim: Hashable {
    case done(String)
    /// The program's word alone: "took".
    case took
    case path
    case nothing
    case unconfirmed
    /// Not confirmed, with the program's own words about it, or with what its window shows.
    case quoted
    case silence
  }

  var records: [Record] = []
  /// Seconds from the start at which each came, where that was looked at.
  var moments: [Double] = []
  /// Lines that are no part of the transcript, such as a mistake in the arguments.
  var stray: [String] = []
  /// The exit status; nothing for a session of the agent.
  var status: Int?
  var undo: FieldDesktop.Ended?

  private static let outcomes: Set<String> = [
    "delivered", "partly-delivered", "unconfirmed", "failed", "refused", "cancelled",
    "delivery-cancelled", "operation-unavailable", "problem", "too-late", "session-ended",
    "nothing-accepts", "cannot-open",
  ]

  var announcements: [Record] { records.filter(\.isAnnouncement) }
  var outcome: Record? { announcements.last { Self.outcomes.contains($0.id) } }
  var finished: Record? {
    records.last { $0.kind == "delivery" && $0["stage"] == "finished" }
  }
  /// The operation that was named before the drop.
  var predicted: String? {
    announcements.last { $0.id == "drop-point" }?.argument("operation")
      ?? records.first { $0.kind == "delivery" && $0["stage"] == "started" }?["operation"]
  }
  var hasSucceeded: Bool {
    switch claim {
    case .done, .took, .path: true
    case .nothing, .unconfirmed, .quoted, .silence: false
    }
  }
  /// Some of the items have not come, by what was told.
  var isPartial: Bool { outcome?.id == "partly-delivered" }
  /// How many have come, by what was told.
  var count: Int? {
    (outcome?.argument("delivered") ?? outcome?.argument("count")).flatMap(Int.init)
  }
  /// It was told before the drop that there is no way back.
  var isWarned: Bool {
    announcements.contains {
      ["drop-point", "problem"].contains($0.id) && $0.text.lowercased().contains("can't be undone")
    }
  }
  var isVerified: Bool { ["1", "true"].contains(finished?["verified"]) }

  var claim: Claim {
    guard let outcome else { return .silence }
    switch outcome.id {
    case "delivered", "partly-delivered":
      if outcome.argument("form") == "path" { return .path }
      if outcome.argument("confirmed") == "by-program" { return .took }
      return .done(outcome.argument("operation") ?? finished?["operation"] ?? "")
    case "unconfirmed":
      // Announced as unconfirmed, and yet a statement of what is.
      let statements = ["Not seen in", "Nothing is lost", "nothing is lost"]
      if statements.contains(where: outcome.text.contains) { return .nothing }
      let isShown = outcome.argument("words") != nil || outcome.argument("question") == "unchanged"
      return isShown ? .quoted : .unconfirmed
    default: return .nothing
    }
  }

  /// The last words, with those that were said before the drop.
  var words: String {
    let before = announcements.last { $0.id == "drop-point" }?.text
    let all = [before, outcome?.text].compactMap { $0 } + (undo?.lines.prefix(2) ?? [])
    return all.joined(separator: " | ")
  }
}
