import Glibc
import KeyDragCore
import SystemPackage

/// The disk is unavailable or failing, so that the step's outcome is unknown. Recovery leaves the
/// whole entry to the next run.
struct DiskUnavailable: Error {}

/// Completes or reverts an interrupted step by comparing its intent with the disk.
///
/// Depends on the step's record only, and does not access the journal. Removes only files under our
/// hidden names, or files that the other end has byte for byte.
struct StepRecovery {
  /// Traces of a step beyond its state, in order of severity. An entry reports its worst one, and
  /// counts as finished or rolled back only with `none`.
  enum Trace {
    case none
    /// Partly done, with everything that existed before still there.
    case partly
    /// Something is neither at its source nor at its target.
    case missing
  }

  /// A step in a final state.
  struct RecoveredStep {
    var step: StepRecord
    var trace = Trace.none
  }

  private let meter: ProgressMeter
  private let copier: TreeCopier

  init(meter: ProgressMeter) {
    self.meter = meter
    copier = TreeCopier(meter: meter)
  }

  /// Allowance in nanoseconds: file times come from the kernel's coarse clock, with ticks of 1 to
  /// 10 ms, but `begun` from the precise one.
  private static let clockSlack: Int64 = 20_000_000

  /// Brings a step to a final state without losing any data. Blocks while both ends are read.
  /// Idempotent.
  ///
  /// - Throws: ``DiskUnavailable``, or `Reason.otherFolder` if a folder of the step has been replaced.
  ///   Everything touched by then stays under way.
  func mend(_ step: StepRecord, _ entry: EntryRecord) throws -> RecoveredStep {
    for (path, folder) in Self.ends(of: step) { try reach(path, folder) }
    var mended = RecoveredStep(step: step)
    let isUndo = step.state == .undoing
    if step.makesFolder(by: entry.operation) {
      mended.step = try mendMaking(step)
      return mended
    }
    if step.emptied != nil {
      // A folder removed when empty, or recreated by an undo.
      let isThere = try self.stamp(step.source) != nil
      mended.step.state =
        switch (isThere, step.state) {
        case (true, .intended): .failed
        case (true, _): .undone
        case (false, _): .done
        }
      return mended
    }
    if [.move, .remove].contains(entry.operation) { bringFromAside(step, entry) }
    let arrived =
      isUndo ? try isTakenBack(&mended, entry) : try hasLanded(&mended.step, entry)
    switch (isUndo, arrived) {
    case (true, true): mended.step.state = .undone
    case (true, false): mended.step.state = .done
    case (false, true): mended.step.state = .done
    case (false, false): mended.step.state = step.state == .redoing ? .undone : .failed
    }
    if arrived, !isUndo, [.move, .remove].contains(entry.operation),
      try self.stamp(step.source)?.identity.inode == step.before.inode,
      !areOneThing(step.source, step.target)
    {
      // Parts that could not be moved stay there.
      mended.trace = .partly
    }
    if !arrived {
      mended.trace = max(mended.trace, try trace(of: mended.step, entry, isUndo: isUndo))
    }
    // Restores the replaced file if its name is free: the step is not at its target, or its undo
    // has completed.
    if isUndo == arrived {
      bringBackReplaced(&mended.step)
      mended.trace = max(mended.trace, traceOfReplaced(mended.step))
    }
    // An orphaned note would stay in the trash for ever.
    if entry.operation == .remove, isUndo == arrived, !entry.permanently {
      TrashSlot.forget(step.target)
    }
    return mended
  }

  // MARK: Proof

  /// Does not follow a link; `nil` only if nothing has that path.
  private func stamp(_ path: FilePath) throws -> FileStamp? {
    let found = Result { () throws(Errno) in try FileCalls.status(path) }
    return switch found {
    case .success(let stamp): stamp
    case .failure(.noSuchFileOrDirectory), .failure(.notDirectory): nil
    case .failure: throw DiskUnavailable()
    }
  }

  /// Both ends with their expected folders; `nil` if unknown.
  private static func ends(of step: StepRecord) -> [(path: FilePath, folder: FileIdentity?)] {
    // Items without an original and permanent removals involve a single folder.
    let isInPlace = step.source == step.target
    return [
      (step.source, step.sourceFolder ?? (isInPlace ? step.targetFolder : nil)),
      (step.target, step.targetFolder ?? (isInPlace ? step.sourceFolder : nil)),
    ]
  }

  /// Throws if the folder of a path can't be opened. A folder that was removed from an available
  /// disk counts as reachable and empty.
  ///
  /// - Throws: `Reason.otherFolder` if the disk is available but the folder is another one,
  ///   otherwise ``DiskUnavailable``.
  private func reach(_ path: FilePath, _ folder: FileIdentity?) throws {
    do { _ = try OpenedEntry(path, in: folder) } catch Reason.otherFolder {
      throw isDiskThere(path, folder) ? Reason.otherFolder : DiskUnavailable()
    } catch Errno.noSuchFileOrDirectory where isDiskThere(path, folder) {
      return
    } catch { throw DiskUnavailable() }
  }

  /// Whether the nearest existing ancestor of a path is on the folder's disk. By device number,
  /// which may differ after a reboot: the disk counts as unavailable then.
  private func isDiskThere(_ path: FilePath, _ folder: FileIdentity?) -> Bool {
    guard let folder else { return false }
    var nearest = path.folder
    while true {
      if let found = try? OpenFolder(nearest) {
        return found.stamp.identity.device == folder.device
      }
      guard nearest.goUp() else { return false }
    }
  }

  /// The trace of a step that did not arrive, in either direction. Throws ``DiskUnavailable`` if either
  /// end can't be read.
  private func trace(
    of step: StepRecord, _ entry: EntryRecord, isUndo: Bool
  ) throws -> Trace {
    let (origin, destination) = isUndo ? (step.target, step.source) : (step.source, step.target)
    // Without an original (inode 0) a file is either complete or gone.
    if step.before.inode == 0 || origin == destination && !entry.permanently { return .none }
    guard let left = try self.stamp(origin) else { return .missing }
    let begun = step.begun - Self.clockSlack
    let takesAway = entry.operation == .move || entry.operation == .remove
    // Undoing a copy or a link leaves the source alone.
    if !entry.permanently, takesAway || !isUndo,
      let there = try self.stamp(destination), there.changed >= begun,
      !areOneThing(origin, destination)
    {
      return .partly
    }
    guard takesAway, left.kind == .folder else { return .none }
    // A rename is atomic; anything else proceeds file by file.
    let folder = isUndo ? step.sourceFolder : step.targetFolder
    let isOneDisk = !entry.permanently && folder?.device == left.identity.device
    return isOneDisk || isWhole(origin, since: begun) ? .none : .missing
  }

  /// Whether nothing was removed from a folder tree, by its folders' modification times. Also
  /// `false` if it can't be read.
  private func isWhole(_ path: FilePath, since begun: Int64) -> Bool {
    do {
      let place = try OpenedEntry(path).place
      let walk = try TreeWalk(place.folder, place.name)
      while let visit = try walk.next() {
        meter.beat()
        if case .entered(_, let stamp) = visit, stamp.modified >= begun { return false }
      }
      return true
    } catch { return false }
  }

  /// The trace of a replaced file that should have been restored. By its stamp, or by name only if
  /// none was recorded.
  private func traceOfReplaced(_ step: StepRecord) -> Trace {
    guard let replaced = step.replaced else { return .none }
    func isAt(_ path: FilePath) -> Bool {
      guard let place = try? OpenedEntry(path) else { return false }
      return step.replacedStamp.map { place.folder.holds($0, place.name) }
        ?? FileCalls.exists(place.folder.raw, place.name)
    }
    if isAt(replaced) { return .partly }
    return isAt(step.target) ? .none : .missing
  }

  /// Repairs the creation of a folder, or its undo. A folder changed after the intent counts as
  /// ours.
  private func mendMaking(_ made: StepRecord) throws -> StepRecord {
    var step = made
    let found = try self.stamp(step.target)
    if let found, found.kind == .folder {
      let isOurs =
        step.after?.inode == found.identity.inode || found.changed >= step.begun - Self.clockSlack
      step.after = isOurs ? found.recorded : step.after
      step.state = isOurs ? .done : step.state == .redoing ? .undone : .failed
    } else {
      step.state = step.state == .intended ? .failed : .undone
    }
    return step
  }

  /// Whether a step still has or may have a hidden name. Call after ``mend(_:_:)``. Also `true` if
  /// the folder can't be read.
  func isLeft(_ step: StepRecord, _ entry: EntryRecord) -> Bool {
    Self.ends(of: step).contains { path, known in
      guard let folder = try? OpenFolder(path.folder) else {
        return (try? reach(path, known)) == nil
      }
      return ![entry.partName(step.index), entry.asideName(step.index)].allSatisfy {
        FileCalls.isFree(folder.raw, $0)
      }
    }
  }

  /// Whether the step has reached its target. Removes an incomplete copy first.
  ///
  /// - Parameter step: updated with the landed stamp and digests.
  private func hasLanded(_ step: inout StepRecord, _ entry: EntryRecord) throws -> Bool {
    if entry.permanently { return try stamp(step.source) == nil }
    removePart(entry.partName(step.index), beside: step.target)
    switch entry.operation {
    case .copy:
      // Without an original, a copy is recognised by the stamp recorded when it was complete.
      guard let stamp = try ours(step.target, step.landed, since: step.begun) else { return false }
      note(stamp, &step)
      return true
    case .link:
      guard let target = try? OpenedEntry(step.target),
        let stamp = try? FileCalls.status(target.folder.raw, target.name), stamp.kind == .link,
        stamp.changed >= step.begun - Self.clockSlack,
        (try? FileCalls.linkText(target.folder.raw, target.name)) == step.source.rawBytes
      else { return false }
      step.after = stamp.recorded
      return true
    case .move, .remove:
      guard
        try hasMoved(
          from: step.source, to: step.target, step.before, step.after, since: step.begun,
          as: entry.asideName(step.index), inPart: true),
        let stamp = try self.stamp(step.target)
      else { return false }
      if stamp.identity.inode != step.before.inode {
        step.crossed = true
        note(stamp, &step)
      }
      return true
    case .open: return false
    }
  }

  /// Whether an undo has completed. Continues an interrupted one as far as the rest is verified to
  /// be ours.
  private func isTakenBack(_ mended: inout RecoveredStep, _ entry: EntryRecord) throws -> Bool {
    let step = mended.step
    // The replaced file is restored last, after everything else was undone.
    if let old = step.replacedStamp, let now = try stamp(step.target),
      old.inode == now.identity.inode, old.isSame(as: now)
    {
      return true
    }
    switch entry.operation {
    case .copy:
      guard let target = try? OpenedEntry(step.target) else { return false }
      let removal = CopyRemoval(step, entry, in: target.folder, copier)
      do { try removal.goOn(since: step.begun, at: target.place) } catch is UndeletableItem {
        mended.trace = .partly
        return false
      } catch { return false }
      return try stamp(step.target) == nil
    case .link: return try stamp(step.target) == nil
    case .move, .remove:
      removePart(entry.partName(step.index), beside: step.source)
      return try hasMoved(
        from: step.target, to: step.source, step.landed, since: step.begun,
        as: entry.asideName(step.index))
    case .open: return false
    }
  }

  /// Whether a move has completed. If both ends exist, completes it with
  /// ``removeWhatArrived(from:as:at:)``.
  ///
  /// - Parameters:
  ///   - stamp: the moved item's.
  ///   - since: nanoseconds since 1970.
  ///   - aside: the source's name while it is removed.
  ///   - inPart: whether unreadable and mounted parts of a folder may remain at the source.
  private func hasMoved(
    from: FilePath, to: FilePath, _ stamp: RecordedStamp, _ grown: RecordedStamp? = nil,
    since: Int64, as aside: FileName, inPart: Bool = false
  ) throws -> Bool {
    guard let landed = try self.stamp(to) else { return false }
    let isGrown = grown.map { $0.inode == landed.identity.inode && $0.isSame(as: landed) } ?? false
    guard isGrown || stamp.isSame(as: landed) else { return false }
    guard let left = try self.stamp(from) else { return true }
    // The folder's list has the actual spelling.
    if areOneThing(from, to), let place = try? OpenedEntry(to) {
      return try FileCalls.names(in: place.folder.raw).contains(place.name)
    }
    if landed.identity.inode == stamp.inode, left.identity.inode != stamp.inode {
      return true  // Renamed; a new file has taken the old name.
    }
    guard try isGrown || ours(to, stamp, since: since) != nil else { return false }
    try removeWhatArrived(from: from, as: aside, at: to)
    return try self.stamp(from) == nil || inPart && left.kind == .folder
  }

  /// Whether two paths are spellings of the same name on a case-insensitive disk.
  private func areOneThing(_ one: FilePath, _ other: FilePath) -> Bool {
    guard one != other, let one = try? OpenedEntry(one), let other = try? OpenedEntry(other) else {
      return false
    }
    return FileCalls.areSameEntry(one.place, other.place)
  }

  /// The stamp at a path if it matches and changed after the intent.
  ///
  /// - Parameter since: nanoseconds since 1970; ``clockSlack`` is subtracted.
  private func ours(_ path: FilePath, _ stamp: RecordedStamp, since: Int64) throws -> FileStamp? {
    guard let found = try self.stamp(path), stamp.isSame(as: found),
      found.changed >= since - Self.clockSlack
    else { return nil }
    return found
  }

  /// Removes from the source all that the target holds with the same contents.
  ///
  /// The target's folder is flushed before: a removal may not outlive the copy's name. Throws
  /// ``DiskUnavailable`` where that fails.
  private func removeWhatArrived(from: FilePath, as aside: FileName, at to: FilePath) throws {
    guard let source = try? OpenedEntry(from), let target = try? OpenedEntry(to) else { return }
    // The run may have ended before its flush.
    do { try target.folder.flush() } catch { throw DiskUnavailable() }
    try? Moving.removeDoubles(of: target.place, from: source.place, as: aside, copier)
  }

  /// Records how to recognise the item; `nil` for what can't be read.
  private func note(_ stamp: FileStamp, _ step: inout StepRecord) {
    guard let target = try? OpenedEntry(step.target) else { return }
    step.after = stamp.recorded
    step.contents = try? copier.contents(of: target.place)
    step.untouched = stamp.kind == .folder ? try? TreeInspection.untouched(target.place) : nil
  }

  /// No-op if there is none. Overrides permissions, because the copy is ours.
  private func removePart(_ part: FileName, beside path: FilePath) {
    guard let folder = try? OpenFolder(path.folder) else { return }
    try? TreeRemover.remove(FolderEntry(folder, part), forcing: true, beat: meter.beat)
  }

  /// Restores the name that an item had before a change of its spelling, or its removal, was
  /// interrupted.
  private func bringFromAside(_ step: StepRecord, _ entry: EntryRecord) {
    let ends = step.state == .undoing ? [step.target, step.source] : [step.source, step.target]
    for end in ends {
      guard let origin = try? OpenedEntry(end) else { continue }
      let aside = FolderEntry(origin.folder, entry.asideName(step.index))
      try? TreeRemover.putBack(aside, to: origin.place)
    }
  }

  /// Replaces nothing: the file stays in the trash if its name is taken.
  private func bringBackReplaced(_ step: inout StepRecord) {
    guard let replaced = step.replaced, let target = try? OpenedEntry(step.target) else { return }
    let isBack = TrashRestorer.bringBackReplaced(of: step, to: target.place)
    if isBack, step.state == .failed { (step.replaced, step.replacedStamp) = (nil, nil) }
    // The note of a reserved name that was never used.
    TrashSlot.forget(replaced)
  }
}

extension StepRecovery.Trace: Comparable {}
