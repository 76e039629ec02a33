import Glibc
import KeyDragCore
import SystemPackage

/// Takes entries back and does them again. Belongs to the thread that works on it.
///
/// Each object does one entry and is used once. Works in batches as ``DeliveryRun`` does: every
/// state is written down before the files are touched and after. A failure of one step never stops
/// the others.
final class HistoryRun {
  private let journal: Journal
  private let trash: TrashCan
  private let waitsForDisk: Bool
  private let meter: Meter
  /// Reasons by the step's index in the entry.
  private var reasons: [Int64: Reason] = [:]
  /// The remains of each copy that could not be taken back as a whole. By the step's index.
  private var kept: [Int64: FilePath] = [:]
  /// Folders that had been removed and are there again, by what they were. Steps that were done in
  /// one of them look for the new one.
  private var remade: [FileIdentity: FileIdentity] = [:]
  /// The steps that had removed those, outermost first, and whether they are there by our doing.
  private var made: [(step: StepRecord, isOurs: Bool)] = []
  /// The things in folders that were not done again with them.
  private var leftOut: [FileFailure] = []
  /// The number of the step that made a folder for all that is done again.
  private var madeForOthers: Int64?
  /// Whether recovery has to go on with something.
  private var isLeft = false

  /// - Parameter alive: called whenever anything was got on with.
  /// - Parameter cancellation: looked at before each step; steps that were not begun then count as
  ///   interrupted.
  init(
    journal: Journal, trash: TrashCan, waitsForDisk: Bool = true,
    cancellation: Cancellation = Cancellation(),
    alive: @escaping () -> Void = {}
  ) {
    self.journal = journal
    self.waitsForDisk = waitsForDisk
    self.trash = trash
    meter = Meter(cancellation: cancellation, alive: alive)
  }

  /// Blocks as long as the disks need. Never throws: what the journal refuses is a result too.
  func run(_ direction: HistoryDirection, entry number: Int64?) -> HistoryResult {
    do {
      guard journal.exists else { return .nothing }
      // A claim: another run of the program gets the entry only after this one has let go of it.
      switch try journal.claim(number, direction) {
      case .nothing: return .nothing
      case .refused(let entry, let reason): return .refused(entry, reason)
      case .claimed(let entry, let steps): return try take(entry, steps, direction)
      }
    } catch { return .unavailable(Reason(error)) }
  }

  /// Claimed before; every way out lets go of it again, unless something is left for recovery.
  private func take(
    _ entry: EntryRecord, _ steps: [StepRecord], _ direction: HistoryDirection
  ) throws -> HistoryResult {
    let writer = JournalWriter(journal, entry)
    var reached: [StepRecord] = []
    // Taken back in reverse, so that what depends on something later goes first.
    let ordered = direction == .undo ? steps.reversed() : steps
    for start in stride(from: 0, to: ordered.count, by: JournalWriter.batch) {
      let batch = ordered[start..<min(start + JournalWriter.batch, ordered.count)]
      let taken =
        switch direction {
        case .undo: undo(Array(batch), writer)
        case .redo: redo(Array(batch), writer)
        }
      reached += taken.filter { $0.state == direction.to }
      let sorted = taken.sorted { $0.index < $1.index }
      if start + JournalWriter.batch < ordered.count {
        writer.settle(sorted)
      } else {
        let withdrawn =
          direction == .undo ? withdraw(reached, of: steps) : unmake(reached)
        let numbers = Set(withdrawn.map(\.index))
        reached.removeAll { numbers.contains($0.index) }
        // With the end of the entry: nobody may find the one without the other.
        writer.finish(
          sorted + withdrawn, isUndone: reached.isEmpty ? nil : direction == .undo,
          isOver: !isLeft)
      }
    }
    return try result(entry, steps, reached)
  }

  /// Removes folders again that were made for things of which none has come back.
  ///
  /// - Returns: their steps, which are done as before.
  private func withdraw(_ reached: [StepRecord], of steps: [StepRecord]) -> [StepRecord] {
    let failed = steps.filter { $0.emptied == nil && reasons[$0.index] != nil }
    // Nothing was undone where nothing came back: not the folders that had been empty either.
    let isAll = !failed.isEmpty && !reached.contains { $0.emptied == nil }
    var waiting: Set<FilePath> = []
    // Each folder around a thing that failed is one that was made for it.
    for step in failed {
      var folder = step.source.folder
      while waiting.insert(folder).inserted, folder.goUp() {}
    }
    return made.reversed().compactMap { made in
      var step = made.step
      guard isAll || waiting.contains(step.source) else { return nil }
      let isGone = made.isOurs && removeEmpty(step)
      guard isAll || isGone else { return nil }
      step.state = .done
      return step
    }
  }

  /// `false` where it holds anything, or is another folder by now. An inode alone is compared: the
  /// folder was made a moment ago.
  private func removeEmpty(_ step: StepRecord) -> Bool {
    guard let place = try? OpenPlace(step.source) else { return false }
    return removeEmpty(place, inode: step.before.inode)
  }

  private func removeEmpty(_ place: OpenPlace, inode: UInt64?) -> Bool {
    guard let now = try? FileCalls.status(place.folder.raw, place.name),
      now.identity.inode == inode
    else { return false }
    return (try? FileCalls.unlink(place.folder.raw, place.name, isFolder: true)) != nil
  }

  /// Removes a folder again that was made for what is done again, where nothing has come into it.
  ///
  /// - Returns: its step, which is undone as before.
  private func unmake(_ reached: [StepRecord]) -> [StepRecord] {
    guard reached.count == 1, var step = reached.first, step.index == madeForOthers,
      removeMade(step)
    else { return [] }
    step.state = .undone
    return [step]
  }

  private func removeMade(_ step: StepRecord) -> Bool {
    guard let place = try? OpenPlace(step.target, in: step.targetFolder) else { return false }
    return removeEmpty(place, inode: step.after?.inode)
  }

  /// Words are those of the journal as it stands after the change.
  private func result(
    _ entry: EntryRecord, _ steps: [StepRecord], _ reached: [StepRecord]
  ) throws -> HistoryResult {
    let described = try journal.described(entry)
    if reasons.isEmpty, leftOut.isEmpty { return .done(described) }
    let failures =
      steps.compactMap { step in
        reasons[step.index].map {
          FileFailure(source: kept[step.index] ?? step.source, reason: $0).spoken
        }
      } + leftOut.map(\.spoken)
    if reached.isEmpty, kept.isEmpty, let first = failures.first {
      return .refused(described, first.reason)
    }
    // To a person a folder is one thing, done only when all in it is.
    let whole = Set(reached.compactMap(\.merged))
      .subtracting(steps.filter { reasons[$0.index] != nil }.compactMap(\.merged))
    let single = reached.count {
      $0.merged == nil && (entry.planned == 1 || !$0.makesFolder(by: entry.operation))
    }
    let done = single + whole.count
    return .partly(described, done: done, failures: failures)
  }

  // MARK: Undo

  /// Each step goes from `undoing` to `undone`, back to `done` with a reason, or stays where
  /// something of it still bears a hidden name.
  ///
  /// Written down as under way first: a run that is killed from here on is mended by
  /// ``StepMender``.
  private func undo(_ steps: [StepRecord], _ writer: JournalWriter) -> [StepRecord] {
    var steps = steps
    for index in steps.indices {
      steps[index].state = .undoing
      steps[index].begun = timespec.now.nanoseconds
    }
    writer.rewrite(steps.sorted { $0.index < $1.index })
    guard writer.isWorking else { return unwritten(steps, .done) }
    let copier = TreeCopier(meter: meter)
    for index in steps.indices {
      do {
        try meter.check()
        // Folders that were made anew have other inodes than the steps have written down.
        steps[index].lead(to: remade)
        if steps[index].emptied != nil {
          try makeAgain(&steps[index], writer)
          continue
        }
        // Nothing is taken back while it can't be known whether what it replaced is there.
        let replaced = try Restoring(of: steps[index])
        try takeBack(&steps[index], writer.entry, copier)
        // Before what it replaced is put back: from here on, undone is true.
        steps[index].state = .undone
        if steps[index].replaced != nil {
          guard let replaced else { throw Reason.gone }
          let target = try OpenPlace(steps[index].target, in: steps[index].targetFolder)
          try replaced.bringBack(to: target.place)
        }
      } catch let left as LeftHidden {
        // The state stays `undoing`: recovery looks for it.
        isLeft = true
        reasons[steps[index].index] = left.reason
      } catch {
        note(error, steps[index])
        let isBack = reasons[steps[index].index] == .bothHold
        if steps[index].state != .undone { steps[index].state = isBack ? .undone : .done }
      }
    }
    return steps
  }

  /// Makes a folder again that was removed when it was empty, for what comes back into it.
  ///
  /// One that somebody has made meanwhile will do, and is not removed again if nothing comes back.
  private func makeAgain(_ step: inout StepRecord, _ writer: JournalWriter) throws {
    let source = try Self.oldPlace(of: step)
    let isOurs = !FileCalls.exists(source.folder.raw, source.name)
    let folder = try RemadeFolder.make(&step, in: source.folder, source.name)
    made.append((step, isOurs))
    writer.remade(step, folder, isFirst: remade.isEmpty)
    remade[folder.old] = folder.new
    step.state = .undone
  }

  /// The place that it comes back to; throws `Reason.folderGone` where that has gone.
  private static func oldPlace(of step: StepRecord) throws -> OpenPlace {
    do { return try OpenPlace(step.source, in: step.sourceFolder) } catch Errno
      .noSuchFileOrDirectory
    { throw Reason.folderGone }
  }

  /// Nothing is taken back that recovery would not know of.
  ///
  /// - Parameter state: the state that they were in before.
  private func unwritten(_ steps: [StepRecord], _ state: StepState) -> [StepRecord] {
    steps.map { step in
      reasons[step.index] = .journalUnavailable
      var step = step
      step.state = state
      return step
    }
  }

  /// Notes what a person is told; a path inside a copy is told instead of the copy's.
  private func note(_ error: any Error, _ step: StepRecord) {
    if let item = error as? KeptItem {
      kept[step.index] = FilePath(rawBytes: step.target.rawBytes + item.path)
      reasons[step.index] = item.reason
    } else {
      reasons[step.index] = Reason(error)
    }
  }

  /// Puts one thing back where it was, or removes what the step made. Throws, before anything is
  /// changed, where the thing is not what the step has left there.
  private func takeBack(
    _ step: inout StepRecord, _ entry: EntryRecord, _ copier: TreeCopier
  ) throws {
    let target = try OpenPlace(step.target, in: step.targetFolder)
    if step.makesFolder(by: entry.operation) {
      let now = try FileCalls.status(target.folder.raw, target.name)
      guard step.landed.isSame(as: now) else { throw Reason.changed }
      // A folder that is not empty stays.
      do { try FileCalls.unlink(target.folder.raw, target.name, isFolder: true) } catch {
        throw error == .directoryNotEmpty ? Reason.changed : error
      }
      return
    }
    if entry.operation == .copy {
      return try CopyRemoval(step, entry, in: target.folder, copier)
        .remove(&step, at: target.place)
    }
    try Recognition(copier: copier).verify(step, entry.operation, at: target.place)
    switch entry.operation {
    case .copy: break
    // The text was compared by `verify`: it is the link that we made.
    case .link: try FileCalls.unlink(target.folder.raw, target.name)
    case .move, .remove:
      let source = try Self.oldPlace(of: step)
      // The note of the trash is found before anything moves and removed after.
      let note = entry.operation == .remove ? try TrashSlot.TrashNote(of: step.target) : nil
      try Moving.move(
        target, to: source, part: entry.partName(step.index), aside: entry.asideName(step.index),
        copier, remainder: step.crossed ? step.before.inode : nil)
      note?.remove()
    case .open: throw Reason.operationNotOffered
    }
  }

  // MARK: Redo

  /// Each step from `redoing` to `done`, or back to `undone` with a reason. The steps go through
  /// the same ``StepRunner`` as a new delivery, so that the same promises hold.
  private func redo(_ records: [StepRecord], _ writer: JournalWriter) -> [StepRecord] {
    var settled: [StepRecord] = []
    var steps: [Step] = []
    for given in records {
      var record = given
      // Before the steps that go into it are planned: planning opens their target.
      if writer.entry.planned > 1, record.makesFolder(by: writer.entry.operation) {
        settled.append(makeForOthers(record, writer))
        continue
      }
      record.lead(to: remade)
      do { steps.append(try plan(record, writer.entry)) } catch {
        reasons[record.index] = Reason(error)
        settled.append(record)
      }
    }
    writer.rewrite(steps.map(\.record))
    guard writer.isWorking else {
      for step in settled where step.state == .done { _ = removeMade(step) }
      return unwritten(records, .undone)
    }
    let runner = StepRunner(
      meter: meter, trash: trash, writer: writer, waitsForDisk: waitsForDisk)
    var late: [Int64: StepRunner.SourceRemovalFailure] = [:]
    for index in steps.indices {
      do {
        // A source on another disk is still in the folder that is to be removed.
        if steps[index].removesEmptied { late.merge(runner.depart()) { _, new in new } }
        try runner.take(&steps[index])
        if steps[index].copied == nil { arrive(&steps[index]) }
      } catch {
        end(&steps[index])
        let reason = Reason(error)
        // A thing that keeps a folder from being empty has a failure of its own.
        if steps[index].removesEmptied, reason == .nameExists { continue }
        reasons[steps[index].record.index] = reason
      }
    }
    // One flush for all copies of the batch, then their names.
    let whole = steps.indices.filter { steps[$0].copied != nil }
    let problem = runner.flush(steps, at: whole)
    for index in whole {
      do {
        if let problem {
          runner.discard(steps[index])
          throw problem
        }
        try runner.land(&steps[index])
        arrive(&steps[index])
      } catch {
        end(&steps[index])
        reasons[steps[index].record.index] = Reason(error)
      }
    }
    late.merge(runner.depart()) { _, new in new }
    for index in steps.indices {
      guard let stay = late[steps[index].record.index] else { continue }
      reasons[steps[index].record.index] = stay.reason
      if stay.isLeft { isLeft = true }
      // With `.bothHold` the copy stays, and the step counts as done.
      if stay.reason != .bothHold {
        steps[index].record.state = stay.isLeft ? .redoing : .undone
      }
    }
    for step in steps where step.record.state == .done { leftOut += step.failures }
    var folders: Set<FileIdentity> = []
    for step in steps where folders.insert(step.targetFolder.stamp.identity).inserted {
      _ = runner.flushNames(in: step.targetFolder)
    }
    runner.flushNotes()
    return settled + steps.map(\.record)
  }

  /// One that bears its hidden name as well stays under way, for recovery.
  private func arrive(_ step: inout Step) {
    if step.isDoubled { isLeft = true } else { step.record.state = .done }
  }

  /// The state of a step that was not done again: over, unless something of it is not where it was.
  ///
  /// Written down as under way it stays for recovery.
  private func end(_ step: inout Step) {
    if step.isHidden || step.record.replaced != nil {
      isLeft = true
    } else {
      step.record.state = .undone
    }
  }

  /// Makes the folder again that took what was delivered, before that is looked for.
  ///
  /// - Returns: its step as `done`, or as `undone` with a reason noted.
  private func makeForOthers(_ undone: StepRecord, _ writer: JournalWriter) -> StepRecord {
    var step = undone
    step.state = .redoing
    step.begun = timespec.now.nanoseconds
    writer.rewrite([step])
    guard writer.isWorking else { return unwritten([undone], .undone)[0] }
    do {
      let place = try OpenPlace(step.target, in: step.targetFolder)
      try FileCalls.makeFolder(place.folder.raw, place.name, mode: 0o777)
      let now = try FileCalls.status(place.folder.raw, place.name)
      if let old = step.after?.inode {
        let device = step.targetFolder?.device ?? now.identity.device
        let folder = RemadeFolder(
          old: FileIdentity(device: device, inode: old), new: now.identity)
        writer.remade(step, folder, isFirst: remade.isEmpty)
        remade[folder.old] = folder.new
      }
      step.after = now.recorded
      step.state = .done
      madeForOthers = step.index
    } catch {
      reasons[step.index] = Reason(error)
      step.state = .undone
    }
    return step
  }

  /// The step to take once more, with nothing of how it ended before. Throws where the source is
  /// not what it was.
  ///
  /// A thing at the target is replaced only where the step had replaced one; else the step will
  /// fail.
  private func plan(_ undone: StepRecord, _ entry: EntryRecord) throws -> Step {
    let source = try OpenPlace(undone.source, in: undone.sourceFolder)
    if undone.makesFolder(by: entry.operation) {
      var record = undone
      record.state = .redoing
      record.after = nil
      return Step(
        record: record, operation: .copy, clash: .fail, sourceFolder: source.folder,
        sourceName: source.name, targetFolder: source.folder, targetName: source.name,
        wishedName: source.name, token: entry.token)
    }
    let stamp = try FileCalls.status(source.folder.raw, source.name)
    guard undone.before.isSame(as: stamp) else { throw Reason.changed }
    var record = undone
    record.state = .redoing
    // The inode may be another: the thing came back by a copy.
    record.before = stamp.recorded
    record.replaced = nil
    record.replacedStamp = nil
    record.after = nil
    record.untouched = nil
    record.contents = nil
    record.crossed = false
    record.begun = timespec.now.nanoseconds
    // A folder to be removed when empty has no target.
    if record.emptied != nil {
      return Step(
        record: record, operation: .move, clash: .fail, sourceFolder: source.folder,
        sourceName: source.name, targetFolder: source.folder, targetName: source.name,
        wishedName: source.name, token: entry.token)
    }
    // The trash is chosen anew: what is there has changed since.
    let slot = entry.operation == .remove ? try trash.slot(for: undone.source, stamp) : nil
    let target =
      slot == nil ? try OpenPlace(undone.target, in: undone.targetFolder) : source
    var step = Step(
      record: record, operation: entry.operation,
      clash: undone.replaced == nil ? .fail : .replace, sourceFolder: source.folder,
      sourceName: source.name, targetFolder: slot?.files ?? target.folder,
      targetName: target.name, wishedName: target.name, token: entry.token)
    if let slot {
      step.slot = slot
      step.rename(to: slot.freeName(for: step.wishedName, after: &step.lastNumber))
    }
    return step
  }
}

/// A name in a folder that is open as long as this value lives.
///
/// ``FolderEntry`` is the same for calls; this one opens the folder by a path that was written
/// down.
struct OpenPlace {
  let folder: OpenFolder
  let name: FileName

  /// Throws when there is no such folder; whether the name exists is not looked at.
  ///
  /// - Parameter identity: the folder that it was, where that is known; another one throws
  ///   `Reason.otherFolder`.
  init(_ path: FilePath, in identity: FileIdentity? = nil) throws {
    guard let name = path.name else { throw Reason.gone }
    folder = try OpenFolder(path.folder)
    self.name = name
    if let identity, !folder.isSame(as: identity) { throw Reason.otherFolder }
  }

  var place: FolderEntry { FolderEntry(folder, name) }
}
