/// The result of a case.
enum Verdict: String, Codable, CaseIterable {
  case isTrue = "true"
  case vague
  case silent
  case isFalse = "FALSE"
  case notRun = "not run"
  case noPlace = "no place"
}

/// Compares the words told with the effects found.
struct Judge {
  let told: AnnouncedOutcome
  let effects: Set<Effect>
  /// How many have come of several that were dropped in one go; nothing where it was one.
  var arrived: Int?
  /// The source, where it was a file, is still there and the same.
  let isSourceThere: Bool
  /// Files that are not as they were before the drop, after Undo.
  let leftByUndo: [String]
  /// The person has answered a question of the program.
  var isAnswered = true
  /// The operation that the person asked for.
  var wish: String?
  /// The target is made to say yes and do nothing: nobody else can know better.
  var isLiar = false
  /// The target was ended, and what it had in its memory with it: nobody can see what it had made.
  var isBlind = false

  /// The verdict, and why.
  var verdict: (Verdict, String) {
    let claim = told.claim
    if claim == .silence { return (.silent, "nothing was told") }
    if let wrong = wrong(claim) { return (.isFalse, wrong) }
    if isBlind, effects.isEmpty, told.hasSucceeded { return (.vague, "nothing is left to see") }
    if let wrong = wrongUndo { return (.isFalse, wrong) }
    switch claim {
    case .unconfirmed, .took: return (.vague, "")
    // The program's own word about what it did not do; beside an effect it leaves open which.
    case .quoted: return (effects.isEmpty ? .isTrue : .vague, "")
    case .done, .path, .nothing, .silence: return (.isTrue, "")
    }
  }

  private func wrong(_ claim: AnnouncedOutcome.Claim) -> String? {
    if let status = told.status, (status == 0) != (told.hasSucceeded && !told.isPartial) {
      return "exit status \(status) with these words"
    }
    if let arrived, told.hasSucceeded, told.count != arrived {
      return "\(told.count.map(String.init) ?? "no number") told, and \(arrived) came"
    }
    if !isAnswered, told.outcome?.text.contains("Not seen in") == true {
      return "nobody had answered"
    }
    if isBlind, effects.isEmpty, told.hasSucceeded { return nil }
    if effects.contains(.trashed), ["copy", "link"].contains(told.predicted) {
      return "told before as \(told.predicted ?? ""), and thrown away"
    }
    if effects.contains(.damaged) { return "something else was damaged" }
    switch claim {
    case .done(let operation): return wrong(operation)
    case .path: return effects == [.pathTyped] ? nil : "a path was told"
    case .nothing: return effects.isEmpty ? nil : "told as not done"
    case .took:
      if effects.isEmpty, !isLiar { return "told as taken, and nothing happened" }
      return unannounced
    case .unconfirmed, .quoted: return unannounced
    case .silence: return nil
    }
  }

  /// Words of Undo and of the history that are not so: they name the drop as what it was not.
  private var wrongUndo: String? {
    guard let undo = told.undo else { return nil }
    if undo.status == 0, !leftByUndo.isEmpty, !effects.isEmpty {
      return "Undo said it was done, and not as before is \(leftByUndo.joined(separator: ", "))"
    }
    let words = undo.lines.joined(separator: " ")
    let named: [(String, Set<Effect>)] = [
      (" copied ", [.copied, .inserted, .listed]), (" moved ", [.moved, .trashed]),
      (" linked ", [.linked]), (" opened ", [.opened, .listed]),
    ]
    let wrong = named.first { words.contains($0.0) && effects.isDisjoint(with: $0.1) }
    return wrong.map { "Undo names it as\($0.0)" }
  }

  private func wrong(_ operation: String) -> String? {
    let fitting: [Set<Effect>] =
      switch operation {
      case "copy": [[.copied], [.inserted], [.listed]]
      // Into the trash by the name of the place.
      case "move": told.words.lowercased().contains("trash") ? [[.moved], [.trashed]] : [[.moved]]
      case "link": [[.linked]]
      case "open": [[.opened], [.listed]]
      case "remove": [[.trashed]]
      default: []
      }
    if !fitting.contains(effects) { return "told as \(operation)" }
    if operation == "copy", !isSourceThere { return "the source is gone" }
    return nil
  }

  /// Doubt does not excuse what was never spoken of: a file that is gone, a document that was written
  /// into beside something else.
  private var unannounced: String? {
    if !effects.isDisjoint(with: [.moved, .trashed, .lost]),
      !["move", "remove"].contains(told.predicted), wish != "move"
    {
      return "the file has left its place, which was never told"
    }
    if effects.contains(.pathTyped), effects.count > 1 { return "one drop, two effects" }
    if effects.contains(.elsewhere) { return "it arrived where nobody said" }
    return nil
  }
}
