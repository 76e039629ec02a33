import Glibc
import KeyDragCore
import SystemPackage

/// Undoes or redoes one entry, on its own thread. Used once. Works in batches like ``DeliveryRun``:
/// journals every state before and after touching files. A failed step never stops the others.
final class HistoryRun {
  private let journal: Journal
  private let trash: TrashCan
  private let meter: ProgressMeter
  private var reasons: [Int64: Reason] = [:]
  /// Remainders of copies that could not be removed completely, by step index.
  private var kept: [Int64: FilePath] = [:]
  /// Recreated folders by the identity of the removed ones, to redirect steps in them.
  private var remade: [FileIdentity: FileIdentity] = [:]
  /// The steps that removed those, outermost first, and whether we recreated the folders.
  private var made: [(step: StepRecord, isOurs: Bool)] = []
  /// Entries of folders that were not redone with them.
  private var leftOut: [DeliveryFailure] = []
  /// Index of the step that made a folder for everything redone.
  private var recreatedTargetIndex: Int64?
  private var isLeft = false

  /// - Parameters:
  ///   - cancellation: checked before each step; steps not started then count as interrupted.
  ///   - alive: called on progress.
  init(
    journal: Journal, trash: TrashCan, cancellation: Cancellation = Cancellation(),
    alive: @escaping () -> Void = {}
  ) {
    self.journal = journal
    self.trash = trash
    meter = ProgressMeter(cancellation: cancellation, alive: alive)
  }

  /// Blocks on disk I/O. Never throws: journal errors are results too.
  func run(_ direction: HistoryDirection, entry number: Int64?) -> HistoryResult {
    do {
      guard journal.exists else { return .nothing }
      // Claimed: another run can take the entry only after its release.
      switch try journal.claim(number, direction) {
      case .nothing: return .nothing
      case .refused(let entry, let reason): return .refused(entry, reason)
      case .claimed(let entry, let steps): return try take(entry, steps, direction)
      }
    } catch { return .refused(nil, Reason(error)) }
  }

  /// Releases the claimed entry on every path, unless something is left for recovery.
  private func take(
    _ entry: EntryRecord, _ steps: [StepRecord], _ direction: HistoryDirection
  ) throws -> HistoryResult {
    let writer = JournalWriter(journal, entry)
    var reached: [StepRecord] = []
    // Undo runs in reverse, so that later steps are reverted before those they depend on.
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
        // With the end of the entry, in one transaction.
        writer.finish(
          sorted + withdrawn, isUndone: reached.isEmpty ? nil : direction == .undo,
          isOver: !isLeft)
      }
    }
    return try result(entry, steps, reached, direction)
  }

  /// Removes recreated folders if nothing came back into them.
  ///
  /// - Returns: their steps, which are `done` again.
  private func withdraw(_ reached: [StepRecord], of steps: [StepRecord]) -> [StepRecord] {
    let failed = steps.filter { $0.emptied == nil && reasons[$0.index] != nil }
    // If nothing came back, nothing was undone, including folders that were empty before.
    let isAll = !failed.isEmpty && !reached.contains { $0.emptied == nil }
    var waiting: Set<FilePath> = []
    // Each ancestor of a failed item may have been recreated for it.
    for step in failed {
      var folder = step.source.folder
      while waiting.insert(folder).inserted, folder.goUp() {}
    }
    return made.reversed().compactMap { made in
      var step = made.step
      guard isAll || waiting.contains(step.source) else { return nil }
      let isGone = made.isOurs && removeEmpty(step.source, inode: step.before.inode)
      guard isAll || isGone else { return nil }
      step.state = .done
      return step
    }
  }

  /// `false` if the folder is nonempty or another one. Compares only the inode: it was created a
  /// moment ago.
  private func removeEmpty(
    _ path: FilePath, in folder: FileIdentity? = nil, inode: UInt64?
  ) -> Bool {
    guard let place = try? OpenedEntry(path, in: folder),
      let now = try? FileCalls.status(place.folder.raw, place.name),
      now.identity.inode == inode
    else { return false }
    return (try? FileCalls.unlink(place.folder.raw, place.name, isFolder: true)) != nil
  }

  /// Removes a folder made for redo if nothing has arrived in it.
  ///
  /// - Returns: its step, which is `undone` again.
  private func unmake(_ reached: [StepRecord]) -> [StepRecord] {
    guard reached.count == 1, var step = reached.first, step.index == recreatedTargetIndex,
      removeMade(step)
    else { return [] }
    step.state = .undone
    return [step]
  }

  private func removeMade(_ step: StepRecord) -> Bool {
    removeEmpty(step.target, in: step.targetFolder, inode: step.after?.inode)
  }

  private func result(
    _ entry: EntryRecord, _ steps: [StepRecord], _ reached: [StepRecord],
    _ direction: HistoryDirection
  ) throws -> HistoryResult {
    let described = try journal.described(entry)
    // A folder counts as one item, done only if all its steps are.
    let whole = Set(reached.compactMap(\.merged))
      .subtracting(steps.filter { reasons[$0.index] != nil }.compactMap(\.merged))
    let single = reached.count {
      $0.merged == nil && (entry.planned == 1 || !$0.makesFolder(by: entry.operation))
    }
    let done = single + whole.count
    if reasons.isEmpty, leftOut.isEmpty {
      // Of a delivery that was redone in part, the rest was back before.
      return .done(
        done == described.count
          ? described : try journal.described(entry, only: reached.map(\.index)))
    }
    let failures =
      steps.compactMap { step in
        reasons[step.index].map { reason in
          // An item left at its target is known by its name there; a name in the trash is nobody's.
          let isThere = direction == .undo && entry.operation != .remove && reason != .nameExists
          return DeliveryFailure(kept[step.index] ?? (isThere ? step.target : step.source), reason)
        }
      } + leftOut
    if reached.isEmpty, kept.isEmpty, let first = failures.first {
      return .refused(described, first.reason)
    }
    return .partly(described, done: done, failures: failures)
  }

  // MARK: Undo

  /// Each step goes from `undoing` to `undone`, or back to `done` with a reason, or stays if
  /// something still has a hidden name.
  ///
  /// Journaled as under way first: ``StepRecovery`` repairs a run killed after that.
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
        // Recreated folders have other inodes than the steps recorded.
        steps[index].lead(to: remade)
        if steps[index].emptied != nil {
          try recreateFolder(&steps[index], writer)
          continue
        }
        // Throws before any change if it is unknown whether the replaced file still exists.
        let replaced = try TrashRestorer(of: steps[index])
        try takeBack(&steps[index], writer.entry, copier)
        // Set before restoring the replaced file: from here on the step is undone.
        steps[index].state = .undone
        if steps[index].replaced != nil {
          guard let replaced else { throw Reason.replacedGone }
          let target = try OpenedEntry(steps[index].target, in: steps[index].targetFolder)
          try replaced.bringBack(to: target.place)
        }
      } catch let left as HiddenLeftover {
        // The state stays `undoing` for recovery.
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

  /// Recreates a folder that was removed when empty, for what comes back into it. An existing one
  /// is reused, and kept if nothing comes back.
  private func recreateFolder(_ step: inout StepRecord, _ writer: JournalWriter) throws {
    let source = try Self.oldPlace(of: step)
    let isOurs = !FileCalls.exists(source.folder.raw, source.name)
    let folder = try RecreatedFolder.make(&step, in: source.folder, source.name)
    made.append((step, isOurs))
    writer.remade(step, folder, isFirst: remade.isEmpty)
    remade[folder.old] = folder.new
    step.state = .undone
  }

  /// The original place; throws `Reason.folderGone` if its folder is gone.
  private static func oldPlace(of step: StepRecord) throws -> OpenedEntry {
    do { return try OpenedEntry(step.source, in: step.sourceFolder) } catch Errno
      .noSuchFileOrDirectory
    { throw Reason.folderGone }
  }

  /// Fails all steps: nothing may be undone that recovery would not know of.
  ///
  /// - Parameter state: their previous state.
  private func unwritten(_ steps: [StepRecord], _ state: StepState) -> [StepRecord] {
    steps.map { step in
      reasons[step.index] = .journalUnavailable
      var step = step
      step.state = state
      return step
    }
  }

  /// Records a failure. For a part of a copy, its path is reported instead of the copy's.
  private func note(_ error: any Error, _ step: StepRecord) {
    if let item = error as? UndeletableItem {
      kept[step.index] = FilePath(rawBytes: step.target.rawBytes + item.path)
      reasons[step.index] = item.reason
    } else {
      reasons[step.index] = Reason(error)
    }
  }

  /// Moves one item back, or removes what the step made. Throws before any change if the item is
  /// not as the step left it.
  private func takeBack(
    _ step: inout StepRecord, _ entry: EntryRecord, _ copier: TreeCopier
  ) throws {
    let target = try OpenedEntry(step.target, in: step.targetFolder)
    if step.makesFolder(by: entry.operation) {
      let now = try FileCalls.status(target.folder.raw, target.name)
      guard step.landed.isSame(as: now) else { throw Reason.changed }
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
    // `verify` has compared the target: it is our link.
    case .link: try FileCalls.unlink(target.folder.raw, target.name)
    case .move, .remove:
      let source = try Self.oldPlace(of: step)
      // Opened before anything moves, and removed afterwards.
      let note = entry.operation == .remove ? try TrashSlot.TrashNote(of: step.target) : nil
      do {
        try Moving.move(
          target, to: source, part: entry.partName(step.index), aside: entry.asideName(step.index),
          copier, remainder: step.crossed ? step.before.inode : nil)
      } catch let code as Errno
        where ![.permissionDenied, .notPermitted].contains(code)
        && FileCalls.exists(target.folder.raw, target.name)
      {
        throw Reason.making(code, in: source.folder.raw, source.name)
      }
      note?.remove()
    case .open: throw Reason.operationNotOffered
    }
  }

  // MARK: Redo

  /// Each step goes from `redoing` to `done`, or back to `undone` with a reason. Uses
  /// ``StepRunner``, with the same guarantees as a new delivery.
  private func redo(_ records: [StepRecord], _ writer: JournalWriter) -> [StepRecord] {
    var settled: [StepRecord] = []
    var steps: [Step] = []
    for given in records {
      var record = given
      // Before planning the steps that go into it, which opens their target.
      if writer.entry.planned > 1, record.makesFolder(by: writer.entry.operation) {
        settled.append(recreateTargetFolder(record, writer))
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
    let runner = StepRunner(meter: meter, trash: trash, writer: writer)
    var late: [Int64: StepRunner.SourceRemovalFailure] = [:]
    for index in steps.indices {
      do {
        // A source on another disk is still in the folder to be removed.
        if steps[index].removesEmptied { late.merge(runner.removeSources()) { _, new in new } }
        try runner.take(&steps[index])
        if steps[index].copied == nil { arrive(&steps[index]) }
        if steps[index].record.makesFolder(by: writer.entry.operation),
          let undone = records.first(where: { $0.index == steps[index].record.index }),
          let inode = steps[index].record.after?.inode
        {
          let device = steps[index].targetFolder.stamp.identity.device
          redirect(undone, to: FileIdentity(device: device, inode: inode), writer)
        }
      } catch {
        end(&steps[index])
        let reason = Reason(error)
        // The items that keep the folder nonempty have failures of their own.
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
    late.merge(runner.removeSources()) { _, new in new }
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
    if step.hasBothNames { isLeft = true } else { step.record.state = .done }
  }

  /// Sets the state of a failed step: `undone`, unless something is not where it was, which is left
  /// to recovery.
  private func end(_ step: inout Step) {
    if step.isHidden || step.record.replaced != nil {
      isLeft = true
    } else {
      step.record.state = .undone
    }
  }

  /// Recreates the folder that a delivery made for its items.
  ///
  /// - Returns: its step as `done`, or as `undone` with a recorded reason.
  private func recreateTargetFolder(_ undone: StepRecord, _ writer: JournalWriter) -> StepRecord {
    var step = undone
    step.state = .redoing
    step.begun = timespec.now.nanoseconds
    writer.rewrite([step])
    guard writer.isWorking else { return unwritten([undone], .undone)[0] }
    do {
      let place = try OpenedEntry(step.target, in: step.targetFolder)
      try FileCalls.makeFolder(place.folder.raw, place.name, mode: 0o777)
      let now = try FileCalls.status(place.folder.raw, place.name)
      redirect(step, to: now.identity, writer)
      step.after = now.recorded
      step.state = .done
      recreatedTargetIndex = step.index
    } catch {
      reasons[step.index] = Reason(error)
      step.state = .undone
    }
    return step
  }

  /// Redirects what refers to a folder that was made, and is made again.
  private func redirect(_ undone: StepRecord, to new: FileIdentity, _ writer: JournalWriter) {
    guard let old = undone.after?.inode else { return }
    let device = undone.targetFolder?.device ?? new.device
    let folder = RecreatedFolder(old: FileIdentity(device: device, inode: old), new: new)
    writer.remade(undone, folder, isFirst: remade.isEmpty)
    remade[folder.old] = folder.new
  }

  /// The step to run again, without its previous outcome. Throws if the source has changed. An
  /// existing target is replaced only if the step had replaced one; otherwise the step will fail.
  private func plan(_ undone: StepRecord, _ entry: EntryRecord) throws -> Step {
    let source = try OpenedEntry(undone.source, in: undone.sourceFolder)
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
    // The inode may differ after an undo by copying.
    record.before = stamp.recorded
    record.replaced = nil
    record.replacedStamp = nil
    record.after = nil
    record.untouched = nil
    record.contents = nil
    record.crossed = false
    record.begun = timespec.now.nanoseconds
    // Removing an emptied folder has no target.
    if record.emptied != nil {
      return Step(
        record: record, operation: .move, clash: .fail, sourceFolder: source.folder,
        sourceName: source.name, targetFolder: source.folder, targetName: source.name,
        wishedName: source.name, token: entry.token)
    }
    // The trash is chosen again, because its contents have changed.
    let slot = entry.operation == .remove ? try trash.slot(for: undone.source, stamp) : nil
    let target =
      slot == nil ? try OpenedEntry(undone.target, in: undone.targetFolder) : source
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

/// A name in a folder opened by its recorded path, kept open. ``FolderEntry`` is the unowned form
/// for calls.
struct OpenedEntry {
  let folder: OpenFolder
  let name: FileName

  /// Throws if the folder does not exist; does not check the name.
  ///
  /// - Parameter identity: the expected folder; another one throws `Reason.otherFolder`.
  init(_ path: FilePath, in identity: FileIdentity? = nil) throws {
    guard let name = path.name else { throw Reason.gone }
    folder = try OpenFolder(path.folder)
    self.name = name
    if let identity, !folder.isSame(as: identity) { throw Reason.otherFolder }
  }

  var place: FolderEntry { FolderEntry(folder, name) }
}
