import Glibc
import KeyDragCore
import SystemPackage

/// Finishes one step that was cut short, or takes back what there is of it, by comparing what was
/// intended with what is there.
struct StepMender {
  private let meter: Meter
  private let copier: TreeCopier

  init(meter: Meter) {
    self.meter = meter
    copier = TreeCopier(meter: meter)
  }

  /// The kernel's clock for files may be this far behind, in nanoseconds.
  private static let clockSlack: Int64 = 20_000_000

  /// The step in a state that stands; nothing it finds is lost by it.
  ///
  /// - Throws: when a folder it was to be done in is another one now: nothing is looked for there.
  func mend(_ step: StepRecord, _ entry: EntryRecord) throws -> StepRecord {
    for (path, folder) in [(step.source, step.sourceFolder), (step.target, step.targetFolder)] {
      do { _ = try OpenPlace(path, in: folder) } catch Reason.otherFolder {
        throw Reason.otherFolder
      } catch { continue }
    }
    var step = step
    let isUndo = step.state == .undoing
    if step.makesFolder(by: entry.operation) { return mendMaking(step) }
    if step.emptied != nil {
      let isThere = (try? FileCalls.status(step.source)) != nil
      step.state =
        switch (isThere, step.state) {
        case (true, .intended): .failed
        case (true, _): .undone
        case (false, _): .done
        }
      return step
    }
    let arrived = isUndo ? isTakenBack(step, entry) : hasLanded(&step, entry)
    switch (isUndo, arrived) {
    case (true, true): step.state = .undone
    case (true, false): step.state = .done
    case (false, true): step.state = .done
    case (false, false): step.state = step.state == .redoing ? .undone : .failed
    }
    // A thing that gave way comes back wherever nothing stands in its place.
    if isUndo == arrived { bringBackReplaced(&step) }
    if entry.operation == .remove, isUndo == arrived, !entry.permanently {
      TrashSlot.forget(step.target)
    }
    return step
  }

  /// A folder that was being made, or removed again.
  private func mendMaking(_ made: StepRecord) -> StepRecord {
    var step = made
    let found = try? FileCalls.status(step.target)
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

  /// Whether what a mended step says to be at its source is found there: of a disk that is away, or a
  /// source that somebody else has taken, nobody may say that all is as before.
  func isAsBefore(_ step: StepRecord) -> Bool {
    guard step.state == .failed || step.state == .undone, step.source != step.target else {
      return true
    }
    return (try? FileCalls.status(step.source)) != nil
  }

  /// Whether anything of a step still bears a hidden name.
  func isLeft(_ step: StepRecord, _ entry: EntryRecord) -> Bool {
    [step.source, step.target].contains { path in
      guard let folder = try? OpenFolder(path.removingLastComponent()) else { return false }
      return [entry.partName(step.index), entry.asideName(step.index)].contains {
        FileCalls.exists(folder.raw, $0)
      }
    }
  }

  private func hasLanded(_ step: inout StepRecord, _ entry: EntryRecord) -> Bool {
    if entry.permanently { return (try? FileCalls.status(step.source)) == nil }
    removePart(entry.partName(step.index), beside: step.target)
    switch entry.operation {
    case .copy:
      // A copy without an original is known by the stamp written down when it was whole.
      guard let stamp = ours(step.target, step.landed, since: step.begun) else { return false }
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
        hasMoved(from: step.source, to: step.target, step.before, since: step.begun),
        let stamp = try? FileCalls.status(step.target)
      else { return false }
      if stamp.identity.inode != step.before.inode {
        step.crossed = true
        note(stamp, &step)
      }
      return true
    case .open: return false
    }
  }

  private func isTakenBack(_ step: StepRecord, _ entry: EntryRecord) -> Bool {
    switch entry.operation {
    case .copy:
      guard let target = try? OpenPlace(step.target) else { return false }
      let removal = CopyRemoval(step, entry, in: target.folder, copier)
      guard (try? removal.goOn(since: step.begun, at: target.place)) != nil else { return false }
      return (try? FileCalls.status(step.target)) == nil
    case .link: return (try? FileCalls.status(step.target)) == nil
    case .move, .remove:
      removePart(entry.partName(step.index), beside: step.source)
      return hasMoved(from: step.target, to: step.source, step.landed, since: step.begun)
    case .open: return false
    }
  }

  /// Whether something has gone all the way; where both ends hold it, the way is finished.
  private func hasMoved(
    from: FilePath, to: FilePath, _ stamp: RecordedStamp, since: Int64
  ) -> Bool {
    guard let landed = try? FileCalls.status(to), stamp.isSame(as: landed) else { return false }
    guard let left = try? FileCalls.status(from) else { return true }
    if landed.identity.inode == stamp.inode, left.identity.inode != stamp.inode {
      return true  // Renamed; what stands at the old place came later.
    }
    guard ours(to, stamp, since: since) != nil else { return false }
    return removeWhatArrived(from: from, at: to)
  }

  /// The stamp of the thing at a path, if it looks like the one that was to come there and came
  /// after the intent.
  private func ours(_ path: FilePath, _ stamp: RecordedStamp, since: Int64) -> FileStamp? {
    guard let found = try? FileCalls.status(path), stamp.isSame(as: found),
      found.changed >= since - Self.clockSlack
    else { return nil }
    return found
  }

  /// Removes from the source all that the target holds with the same contents.
  ///
  /// - Returns: whether nothing is left at the source.
  private func removeWhatArrived(from: FilePath, at to: FilePath) -> Bool {
    guard let source = try? OpenPlace(from), let target = try? OpenPlace(to) else { return false }
    try? Moving.removeDoubles(of: target.place, from: source.place, copier)
    return (try? FileCalls.status(from)) == nil
  }

  private func note(_ stamp: FileStamp, _ step: inout StepRecord) {
    guard let target = try? OpenPlace(step.target) else { return }
    step.after = stamp.recorded
    step.contents = try? copier.contents(of: target.place)
    step.untouched = stamp.kind == .folder ? try? TreeInspection.untouched(target.place) : nil
  }

  private func removePart(_ part: FileName, beside path: FilePath) {
    guard let folder = try? OpenFolder(path.removingLastComponent()) else { return }
    try? TreeRemover.remove(Place(folder, part), forcing: true, beat: meter.beat)
  }

  private func bringBackReplaced(_ step: inout StepRecord) {
    guard let replaced = step.replaced, let target = try? OpenPlace(step.target) else { return }
    let isBack = Restoring.bringBack(replaced, to: target.folder, target.name)
    if isBack, step.state == .failed { step.replaced = nil }
  }
}
