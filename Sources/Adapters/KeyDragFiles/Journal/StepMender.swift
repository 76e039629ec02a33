import Glibc
import KeyDragCore
import SystemPackage

/// A disk that is away, or answers with errors: what became of a step there can't be known now.
///
/// Recovery leaves the whole entry to the next run.
struct DiskAway: Error {}

/// Finishes one step that was cut short, or takes back what there is of it, by comparing what was
/// intended with what is there.
///
/// The step alone decides, with no memory of the run that was killed. Reads and writes no journal.
/// Only files under a hidden name of ours are removed, or those held byte for byte by the other
/// end.
struct StepMender {
  /// Traces of a step beside what its state says: nobody may say that all is as before, or
  /// finished, unless it is nothing. In the order of gravity: the gravest of an entry is told.
  enum Trace {
    case none
    /// A part of it is done, and all that was there before is there still.
    case partly
    /// Something is neither where it was nor where it was to go.
    case missing
  }

  /// A step in a state that stands, and what else there is of it.
  ///
  /// The state is never one under way.
  struct Mended {
    /// With how to recognise the thing, where it has arrived.
    var step: StepRecord
    var trace = Trace.none
  }

  private let meter: Meter
  private let copier: TreeCopier

  init(meter: Meter) {
    self.meter = meter
    copier = TreeCopier(meter: meter)
  }

  /// The kernel's clock for files may be this far behind, in nanoseconds.
  ///
  /// File times come from the kernel's coarse clock, which goes on once a tick, 1 to 10 ms; `begun`
  /// is of the exact one. 20 ms.
  private static let clockSlack: Int64 = 20_000_000

  /// The step in a state that stands; nothing it finds is lost by it.
  ///
  /// Blocks as long as reading both ends takes. Safe to repeat: a second time finds what the first
  /// has left.
  ///
  /// - Throws: ``DiskAway``, or `Reason.otherFolder` when a folder it was to be done in is another
  ///   one now. Nothing has been touched then, or all that has been stays under way.
  func mend(_ step: StepRecord, _ entry: EntryRecord) throws -> Mended {
    // Both ends first, before anything is touched.
    for (path, folder) in Self.ends(of: step) { try reach(path, folder) }
    var mended = Mended(step: step)
    let isUndo = step.state == .undoing
    if step.makesFolder(by: entry.operation) {
      mended.step = try mendMaking(step)
      return mended
    }
    if step.emptied != nil {
      // A folder that was removed when empty, or made again by an undo.
      let isThere = try self.stamp(step.source) != nil
      mended.step.state =
        switch (isThere, step.state) {
        case (true, .intended): .failed
        case (true, _): .undone
        case (false, _): .done
        }
      return mended
    }
    if entry.operation == .move { bringFromAside(step, entry) }
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
      // Parts that could not go stay there.
      mended.trace = .partly
    }
    if !arrived {
      mended.trace = max(mended.trace, try trace(of: mended.step, entry, isUndo: isUndo))
    }
    // The thing that gave way comes back wherever nothing stands in its place.
    // The step is not at its target, or an undo has arrived: the name is free for what was there.
    if isUndo == arrived {
      bringBackReplaced(&mended.step)
      mended.trace = max(mended.trace, traceOfReplaced(mended.step))
    }
    // A note without its thing would stay in the trash for ever.
    if entry.operation == .remove, isUndo == arrived, !entry.permanently {
      TrashSlot.forget(step.target)
    }
    return mended
  }

  // MARK: Proof

  /// The stamp of what bears a path; `nil` only where nothing does.
  ///
  /// By path, and a link by itself.
  private func stamp(_ path: FilePath) throws -> FileStamp? {
    let found = Result { () throws(Errno) in try FileCalls.status(path) }
    return switch found {
    case .success(let stamp): stamp
    case .failure(.noSuchFileOrDirectory), .failure(.notDirectory): nil
    case .failure: throw DiskAway()
    }
  }

  /// Both ends, each with the folder that should be there; `nil` where it is not known.
  private static func ends(of step: StepRecord) -> [(path: FilePath, folder: FileIdentity?)] {
    // A thing without an original lies in one folder only, as does one that is deleted for good.
    let isInPlace = step.source == step.target
    return [
      (step.source, step.sourceFolder ?? (isInPlace ? step.targetFolder : nil)),
      (step.target, step.targetFolder ?? (isInPlace ? step.sourceFolder : nil)),
    ]
  }

  /// Throws where the folder around a path can't be looked into now.
  ///
  /// A folder that was removed from a disk that is there holds nothing: that is known.
  ///
  /// - Throws: `Reason.otherFolder` where the disk is there and the folder another one, else
  ///   ``DiskAway``.
  private func reach(_ path: FilePath, _ folder: FileIdentity?) throws {
    do { _ = try OpenPlace(path, in: folder) } catch Reason.otherFolder {
      throw isDiskThere(path, folder) ? Reason.otherFolder : DiskAway()
    } catch Errno.noSuchFileOrDirectory where isDiskThere(path, folder) {
      return
    } catch { throw DiskAway() }
  }

  /// Whether what there is of the way to a path lies on the disk that a folder was on.
  ///
  /// By device numbers, which are those of the killed run: after a restart they may differ, and
  /// then the disk counts as away.
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

  /// The trace of a step that has not arrived, whether it was to go to its target or to come back.
  ///
  /// Throws ``DiskAway`` where either end can't be looked at.
  private func trace(
    of step: StepRecord, _ entry: EntryRecord, isUndo: Bool
  ) throws -> Trace {
    let (origin, destination) = isUndo ? (step.target, step.source) : (step.source, step.target)
    // A thing without an original is removed or there, whole: nothing else can be.
    // The inode 0 is that of a thing without an original.
    if step.before.inode == 0 || origin == destination && !entry.permanently { return .none }
    guard let left = try self.stamp(origin) else { return .missing }
    let begun = step.begun - Self.clockSlack
    let takesAway = entry.operation == .move || entry.operation == .remove
    // An undo of a copy or a link brings nothing to the source.
    if !entry.permanently, takesAway || !isUndo,
      let there = try self.stamp(destination), there.changed >= begun,
      !areOneThing(origin, destination)
    {
      return .partly
    }
    guard takesAway, left.kind == .folder else { return .none }
    // A rename takes all of it at once, anything else one thing after the other.
    let folder = isUndo ? step.sourceFolder : step.targetFolder
    let isOneDisk = !entry.permanently && folder?.device == left.identity.device
    return isOneDisk || isWhole(origin, since: begun) ? .none : .missing
  }

  /// Whether nothing has gone from a folder, or from those in it: that changes their times.
  ///
  /// By the modification times of folders. `false` also where it can't be looked through.
  private func isWhole(_ path: FilePath, since begun: Int64) -> Bool {
    do {
      let place = try OpenPlace(path).place
      let walk = try TreeWalk(place.folder, place.name)
      while let visit = try walk.next() {
        meter.beat()
        if case .entered(_, let stamp) = visit, stamp.modified >= begun { return false }
      }
      return true
    } catch { return false }
  }

  /// The trace of the thing that gave way, where it should be back.
  ///
  /// By its stamp, or, where none was written down, by anything that bears the name.
  private func traceOfReplaced(_ step: StepRecord) -> Trace {
    guard let replaced = step.replaced else { return .none }
    func isAt(_ path: FilePath) -> Bool {
      guard let place = try? OpenPlace(path) else { return false }
      return step.replacedStamp.map { place.folder.holds($0, place.name) }
        ?? FileCalls.exists(place.folder.raw, place.name)
    }
    if isAt(replaced) { return .partly }
    return isAt(step.target) ? .none : .missing
  }

  /// A folder that was being made, or removed again.
  ///
  /// A folder that was changed after the intent counts as ours.
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

  /// Whether anything of a step still bears a hidden name, or may.
  ///
  /// Asked after ``mend(_:_:)``. `true` also where the folder can't be looked into.
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

  /// Whether the step has come to its target. An incomplete copy is removed first.
  ///
  /// - Parameter step: gets the stamp and digests of what has landed.
  private func hasLanded(_ step: inout StepRecord, _ entry: EntryRecord) throws -> Bool {
    if entry.permanently { return try stamp(step.source) == nil }
    removePart(entry.partName(step.index), beside: step.target)
    switch entry.operation {
    case .copy:
      // A copy without an original is known by the stamp written down when it was whole.
      guard let stamp = try ours(step.target, step.landed, since: step.begun) else { return false }
      note(stamp, &step)
      return true
    case .link:
      guard let target = try? OpenPlace(step.target),
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
          inPart: true),
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

  /// Whether an undo has come to its end. Goes on with one that was cut short, where what is left
  /// is proved to be ours.
  private func isTakenBack(_ mended: inout Mended, _ entry: EntryRecord) throws -> Bool {
    let step = mended.step
    // What gave way comes back last, after all else was taken back.
    if let old = step.replacedStamp, let now = try stamp(step.target),
      old.inode == now.identity.inode, old.isSame(as: now)
    {
      return true
    }
    switch entry.operation {
    case .copy:
      guard let target = try? OpenPlace(step.target) else { return false }
      let removal = CopyRemoval(step, entry, in: target.folder, copier)
      do { try removal.goOn(since: step.begun, at: target.place) } catch is KeptItem {
        mended.trace = .partly
        return false
      } catch { return false }
      return try stamp(step.target) == nil
    case .link: return try stamp(step.target) == nil
    case .move, .remove:
      removePart(entry.partName(step.index), beside: step.source)
      return try hasMoved(from: step.target, to: step.source, step.landed, since: step.begun)
    case .open: return false
    }
  }

  /// Whether something has gone all the way; where both ends hold it, the way is finished.
  ///
  /// With both holding it, the original goes by ``removeWhatArrived(from:at:)``.
  ///
  /// - Parameters:
  ///   - stamp: of the thing on its way.
  ///   - grown: of what has arrived, where that was written down: times may have lost their fractions.
  ///   - since: nanoseconds since 1970.
  ///   - inPart: whether parts of a folder that could not go may be left: what is mounted in it, what
  ///     can't be read, what somebody writes to.
  private func hasMoved(
    from: FilePath, to: FilePath, _ stamp: RecordedStamp, _ grown: RecordedStamp? = nil,
    since: Int64, inPart: Bool = false
  ) throws -> Bool {
    guard let landed = try self.stamp(to) else { return false }
    let isGrown = grown.map { $0.inode == landed.identity.inode && $0.isSame(as: landed) } ?? false
    guard isGrown || stamp.isSame(as: landed) else { return false }
    guard let left = try self.stamp(from) else { return true }
    // The list tells which of the two spellings it bears.
    if areOneThing(from, to), let place = try? OpenPlace(to) {
      return try FileCalls.names(in: place.folder.raw).contains(place.name)
    }
    if landed.identity.inode == stamp.inode, left.identity.inode != stamp.inode {
      return true  // Renamed; what stands at the old place came later.
    }
    guard try isGrown || ours(to, stamp, since: since) != nil else { return false }
    try removeWhatArrived(from: from, at: to)
    return try self.stamp(from) == nil || inPart && left.kind == .folder
  }

  /// Whether two paths are two spellings of one, on a disk that makes no difference.
  private func areOneThing(_ one: FilePath, _ other: FilePath) -> Bool {
    guard one != other, let one = try? OpenPlace(one), let other = try? OpenPlace(other) else {
      return false
    }
    return FileCalls.areOneName(one.place, other.place)
  }

  /// The stamp of the thing at a path, if it looks like the one that was to come there and came
  /// after the intent.
  ///
  /// - Parameter since: nanoseconds since 1970; ``clockSlack`` is allowed for.
  private func ours(_ path: FilePath, _ stamp: RecordedStamp, since: Int64) throws -> FileStamp? {
    guard let found = try self.stamp(path), stamp.isSame(as: found),
      found.changed >= since - Self.clockSlack
    else { return nil }
    return found
  }

  /// Removes from the source all that the target holds with the same contents.
  ///
  /// The target's folder is flushed before: a removal may not outlive the copy's name. Throws
  /// ``DiskAway`` where that fails.
  private func removeWhatArrived(from: FilePath, at to: FilePath) throws {
    guard let source = try? OpenPlace(from), let target = try? OpenPlace(to) else { return }
    // The run may have ended before it had made the name last.
    do { try target.folder.flush() } catch { throw DiskAway() }
    try? Moving.removeDoubles(of: target.place, from: source.place, copier)
  }

  /// Writes into the step how the thing is recognised from now on; what can't be read is left
  /// `nil`.
  private func note(_ stamp: FileStamp, _ step: inout StepRecord) {
    guard let target = try? OpenPlace(step.target) else { return }
    step.after = stamp.recorded
    step.contents = try? copier.contents(of: target.place)
    step.untouched = stamp.kind == .folder ? try? TreeInspection.untouched(target.place) : nil
  }

  /// Does nothing where there is none. Rights are forced, because the copy is ours.
  private func removePart(_ part: FileName, beside path: FilePath) {
    guard let folder = try? OpenFolder(path.folder) else { return }
    try? TreeRemover.remove(FolderEntry(folder, part), forcing: true, beat: meter.beat)
  }

  /// Ends the way to another spelling of its own name where the thing came from.
  private func bringFromAside(_ step: StepRecord, _ entry: EntryRecord) {
    guard let origin = try? OpenPlace(step.state == .undoing ? step.target : step.source) else {
      return
    }
    try? FileCalls.rename(
      FolderEntry(origin.folder, entry.asideName(step.index)), to: origin.place)
  }

  /// Nothing is replaced: where the name is taken, it stays in the trash.
  private func bringBackReplaced(_ step: inout StepRecord) {
    guard let replaced = step.replaced, let target = try? OpenPlace(step.target) else { return }
    let isBack = Restoring.bringBackReplaced(of: step, to: target.place)
    if isBack, step.state == .failed { (step.replaced, step.replacedStamp) = (nil, nil) }
    // Of a name that was taken, and to which nothing came.
    TrashSlot.forget(replaced)
  }
}

extension StepMender.Trace: Comparable {}
