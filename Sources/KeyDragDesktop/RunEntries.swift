import KeyDragCore

/// The history's numbers for the drops of this run: other processes write into the same history,
/// and its newest entry may be theirs.
struct RunEntries: Sendable {
  /// The newest last.
  private var done: [Int64] = []
  /// Undone entries, the latest last.
  private var undone: [Int64] = []

  /// More than anybody undoes one by one.
  private static let most = 1000

  /// The next entry to undo.
  var newest: Int64? { done.last }

  /// The next entry to redo.
  var nextRedo: Int64? { undone.last }

  /// Adds a new entry; what was undone before can't be redone any more.
  mutating func note(_ entry: Int64) {
    Self.add(entry, to: &done)
    undone = []
  }

  /// Takes the result of an undo or a redo.
  mutating func note(_ entry: Int64, _ result: HistoryResult, isRedo: Bool) {
    // Another process has already changed an entry with nothing to do.
    guard result.hasChanged || result == .nothing else { return }
    done.removeAll { $0 == entry && !isRedo }
    undone.removeAll { $0 == entry && isRedo }
    guard result.hasChanged else { return }
    if isRedo { Self.add(entry, to: &done) } else { Self.add(entry, to: &undone) }
  }

  /// Applies the late results of undos and redos.
  mutating func noteLate(_ report: WorldReport) {
    switch report {
    case .undoneLate(.done(let entry)), .undoneLate(.partly(let entry, _, _)):
      if done.contains(entry.number) { note(entry.number, .done(entry), isRedo: false) }
    case .redoneLate(.done(let entry)), .redoneLate(.partly(let entry, _, _)):
      if undone.contains(entry.number) { note(entry.number, .done(entry), isRedo: true) }
    default: break
    }
  }

  private static func add(_ entry: Int64, to entries: inout [Int64]) {
    entries.removeAll { $0 == entry }
    entries.append(entry)
    if entries.count > most { entries.removeFirst() }
  }
}
