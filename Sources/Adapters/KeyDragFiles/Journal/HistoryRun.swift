import Glibc
import KeyDragCore
import SystemPackage

/// Takes entries back and does them again. Belongs to the thread that works on it.
final class HistoryRun {
  private let journal: Journal
  private let trash: TrashCan
  private let meter: Meter
  private var reasons: [Int64: Reason] = [:]

  /// - Parameter alive: called whenever anything was got on with.
  init(
    journal: Journal, trash: TrashCan, cancellation: Cancellation = Cancellation(),
    alive: @escaping () -> Void = {}
  ) {
    self.journal = journal
    self.trash = trash
    meter = Meter(cancellation: cancellation, alive: alive)
  }

  func run(_ direction: HistoryDirection, entry number: Int64?) -> HistoryResult {
    do {
      guard journal.exists else { return .nothing }
      switch try journal.claim(number, direction) {
      case .nothing: return .nothing
      case .refused(let entry, let reason): return .refused(entry, reason)
      case .claimed(let entry, let steps): return try take(entry, steps, direction)
      }
    } catch { return .unavailable(Reason(error)) }
  }

  private func take(
    _ entry: EntryRecord, _ steps: [StepRecord], _ direction: HistoryDirection
  ) throws -> HistoryResult {
    let writer = JournalWriter(journal, entry)
    var done = 0
    // Taken back in reverse, so that what depends on something later goes first.
    let ordered = direction == .undo ? steps.reversed() : steps
    for start in stride(from: 0, to: ordered.count, by: JournalWriter.batch) {
      let batch = ordered[start..<min(start + JournalWriter.batch, ordered.count)]
      let taken =
        switch direction {
        case .undo: undo(Array(batch), writer)
        case .redo: redo(Array(batch), writer)
        }
      done += taken.count { $0.state == direction.to }
      writer.settle(taken.sorted { $0.index < $1.index })
    }
    writer.finish(isUndone: done > 0 ? direction == .undo : nil)
    return try result(entry, steps, done)
  }

  private func result(
    _ entry: EntryRecord, _ steps: [StepRecord], _ done: Int
  ) throws -> HistoryResult {
    let described = try journal.described(entry)
    if reasons.isEmpty { return .done(described) }
    let failures = steps.compactMap { step in
      reasons[step.index].map { FileFailure(source: step.source, reason: $0).spoken }
    }
    if done == 0, let first = failures.first { return .refused(described, first.reason) }
    return .partly(described, done: done, failures: failures)
  }

  // MARK: Undo

  private func undo(_ steps: [StepRecord], _ writer: JournalWriter) -> [StepRecord] {
    var steps = steps
    for index in steps.indices { steps[index].state = .undoing }
    writer.settle(steps.sorted { $0.index < $1.index })
    let copier = TreeCopier(meter: meter)
    for index in steps.indices {
      do {
        try meter.check()
        try takeBack(steps[index], writer.entry, copier)
        steps[index].state = .undone
        try bringBackReplaced(steps[index])
      } catch {
        if steps[index].state != .undone { steps[index].state = .done }
        reasons[steps[index].index] =
          error is CancelledByPerson ? .interrupted : Reason(error)
      }
    }
    return steps
  }

  private func takeBack(
    _ step: StepRecord, _ entry: EntryRecord, _ copier: TreeCopier
  ) throws {
    let target = try OpenPlace(step.target)
    try Recognition(copier: copier).verify(step, entry.operation, at: target.place)
    switch entry.operation {
    case .copy:
      // Out of sight at once: a removal that is cut short leaves no half folder under this name.
      let part = Place(target.folder, entry.partName(step.index))
      try FileCalls.rename(target.place, to: part)
      try TreeRemover.remove(part, forcing: true, beat: meter.beat)
    case .link: try FileCalls.unlink(target.folder.raw, target.name)
    case .move, .remove:
      let source = try OpenPlace(step.source)
      try Moving.move(target, to: source, part: entry.partName(step.index), copier)
      if entry.operation == .remove { TrashSlot.forget(step.target) }
    case .open: throw Reason.operationNotOffered
    }
  }

  private func bringBackReplaced(_ step: StepRecord) throws {
    guard let replaced = step.replaced else { return }
    let target = try OpenPlace(step.target)
    if !Restoring.bringBack(replaced, to: target.folder, target.name) { throw Reason.gone }
  }

  // MARK: Redo

  private func redo(_ records: [StepRecord], _ writer: JournalWriter) -> [StepRecord] {
    var settled: [StepRecord] = []
    var steps: [Step] = []
    for record in records {
      do { steps.append(try plan(record, writer.entry)) } catch {
        reasons[record.index] = Reason(error)
        settled.append(record)
      }
    }
    writer.rewrite(steps.map(\.record))
    let runner = StepRunner(meter: meter, trash: trash, writer: writer)
    for index in steps.indices {
      do {
        try runner.take(&steps[index])
        steps[index].record.state = .done
      } catch {
        steps[index].record.state = .undone
        reasons[steps[index].record.index] =
          error is CancelledByPerson ? .interrupted : Reason(error)
      }
    }
    let late = runner.depart()
    reasons.merge(late) { _, new in new }
    for index in steps.indices where late[steps[index].record.index] != nil {
      steps[index].record.state = .undone
    }
    return settled + steps.map(\.record)
  }

  private func plan(_ undone: StepRecord, _ entry: EntryRecord) throws -> Step {
    let source = try OpenPlace(undone.source)
    let stamp = try FileCalls.status(source.folder.raw, source.name)
    guard undone.before.isSame(as: stamp) else { throw Reason.changed }
    var record = undone
    record.state = .redoing
    record.before = stamp.recorded
    record.replaced = nil
    record.after = nil
    record.untouched = nil
    record.contents = nil
    record.crossed = false
    record.begun = timespec.now.nanoseconds
    let slot = entry.operation == .remove ? try trash.slot(for: undone.source, stamp) : nil
    let target = slot == nil ? try OpenPlace(undone.target) : source
    var step = Step(
      record: record, operation: entry.operation,
      clash: undone.replaced == nil ? .fail : .replace, sourceFolder: source.folder,
      sourceName: source.name, targetFolder: slot?.files ?? target.folder,
      targetName: target.name, wishedName: target.name, part: entry.partName(record.index))
    if let slot {
      step.slot = slot
      step.rename(to: slot.freeName(for: step.wishedName, after: &step.lastNumber))
    }
    return step
  }
}

/// A name in a folder that is open as long as this value lives.
struct OpenPlace {
  let folder: OpenFolder
  let name: FileName

  /// Throws when there is no such folder; whether the name exists is not looked at.
  init(_ path: FilePath) throws {
    guard let component = path.lastComponent else { throw Reason.gone }
    folder = try OpenFolder(path.removingLastComponent())
    name = FileName(component)
  }

  var place: Place { Place(folder, name) }
}

/// Moves one thing to a name that must be free, whatever file systems are between.
enum Moving {
  static func move(
    _ from: OpenPlace, to: OpenPlace, part: FileName, _ copier: TreeCopier
  ) throws {
    do {
      try FileCalls.rename(from.place, to: to.place)
      return
    } catch Errno.improperLink {
      if let refusal = from.folder.refusesChanges() { throw refusal }
    }
    if FileCalls.exists(to.folder.raw, to.name) { throw Reason.nameExists }
    let growing = Place(to.folder, part)
    let copied = try copier.copy(from: from.place, to: growing, lasting: true)
    do {
      try TreeRemover.rehearse(from.place, marks: copied.marks, beat: copier.beat)
      try FileCalls.rename(growing, to: to.place)
    } catch {
      try? TreeRemover.remove(growing, forcing: true, beat: copier.beat)
      throw error
    }
    try to.folder.flush()
    try TreeRemover.remove(from.place, marks: copied.marks, beat: copier.beat)
  }
}
