import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What a run may take back is what it has done itself")
struct RunEntriesTests {
  private static let entry = HistoryEntry(
    number: 5, operation: .copy, names: ["a.txt"], count: 1, place: "Docs", time: 0,
    isUndone: false)

  @Test(
    "What is undone, or undone in part, is not undone again; what was refused still can be",
    arguments: [
      (HistoryResult.done(entry), [Int64(3)], [Int64(5)]),
      (.partly(entry, done: 1, failures: []), [3], [5]),
      (.nothing, [3], []),
      (.refused(entry, .changed), [5], []),
      (.refused(nil, .journalNewer), [5], []),
    ])
  func undoing(result: HistoryResult, newest: [Int64], nextRedo: [Int64]) {
    var entries = RunEntries()
    entries.note(3)
    entries.note(5)
    entries.note(5, result, isRedo: false)
    #expect(entries.newest == newest.first)
    #expect(entries.nextRedo == nextRedo.first)
  }

  @Test("What is undone or redone late, after it was said not to work, is where it is then")
  func late() {
    var entries = RunEntries()
    for number in [Int64(3), 5] { entries.note(number) }
    entries.note(5, .refused(nil, .notResponding), isRedo: false)
    #expect(entries.newest == 5)
    entries.noteLate(.undoneLate(.refused(Self.entry, .changed)))
    #expect(entries.newest == 5)
    entries.noteLate(.undoneLate(.done(Self.entry)))
    #expect(entries.newest == 3 && entries.nextRedo == 5)
    entries.note(5, .refused(nil, .notResponding), isRedo: true)
    entries.noteLate(.redoneLate(.partly(Self.entry, done: 1, failures: [])))
    #expect(entries.newest == 5 && entries.nextRedo == nil)
    // What others have undone is not this run's.
    var other = RunEntries()
    other.noteLate(.undoneLate(.done(Self.entry)))
    #expect(other.nextRedo == nil)
  }

  @Test("What is redone is undone first, and a new drop ends what could be redone")
  func redoing() {
    var entries = RunEntries()
    #expect(entries.newest == nil && entries.nextRedo == nil)
    for number in [Int64(3), 5] { entries.note(number) }
    for number in [Int64(5), 3] { entries.note(number, .done(Self.entry), isRedo: false) }
    #expect(entries.newest == nil && entries.nextRedo == 3)
    entries.note(3, .partly(Self.entry, done: 1, failures: []), isRedo: true)
    #expect(entries.newest == 3 && entries.nextRedo == 5)
    entries.note(9)
    #expect(entries.newest == 9 && entries.nextRedo == nil)
  }
}
