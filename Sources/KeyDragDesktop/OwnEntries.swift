import KeyDragCore

/// The history's numbers for what was dropped in this run: others write into the same history, and
/// what is newest there may be theirs.
struct OwnEntries: Sendable {
  /// The newest last.
  private var done: [Int64] = []
  /// The entries that were undone, the last one last.
  private var undone: [Int64] = []

  /// More than this nobody takes back one by one.
  private static let most = 1000

  /// The entry that is undone next.
  var newest: Int64? { done.last }

  /// The entry that is redone next.
  var lastUndone: Int64? { undone.last }

  /// Takes a new one: what was undone before it is not redone any more.
  mutating func note(_ entry: Int64) {
    Self.add(entry, to: &done)
    undone = []
  }

  /// Moves an entry by how its undo ended.
  mutating func undid(_ entry: Int64, _ result: HistoryResult) {
    Self.move(entry, from: &done, to: &undone, result)
  }

  /// Moves an entry by how its redo ended.
  mutating func redid(_ entry: Int64, _ result: HistoryResult) {
    Self.move(entry, from: &undone, to: &done, result)
  }

  /// Takes what became after all of what could not be undone or redone before.
  mutating func noteLate(_ report: WorldReport) {
    switch report {
    case .undoneLate(.done(let entry)), .undoneLate(.partly(let entry, _, _)):
      if done.contains(entry.number) { undid(entry.number, .done(entry)) }
    case .redoneLate(.done(let entry)), .redoneLate(.partly(let entry, _, _)):
      if undone.contains(entry.number) { redid(entry.number, .done(entry)) }
    default: break
    }
  }

  private static func move(
    _ entry: Int64, from: inout [Int64], to: inout [Int64], _ result: HistoryResult
  ) {
    switch result {
    case .done, .partly:
      from.removeAll { $0 == entry }
      add(entry, to: &to)
    // Somebody else has been there.
    case .nothing: from.removeAll { $0 == entry }
    case .refused, .unavailable: break
    }
  }

  /// The oldest go.
  private static func add(_ entry: Int64, to entries: inout [Int64]) {
    entries.removeAll { $0 == entry }
    entries.append(entry)
    if entries.count > most { entries.removeFirst() }
  }
}
