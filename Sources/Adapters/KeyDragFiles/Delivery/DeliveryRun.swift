import Glibc
import KeyDragCore
import SystemPackage

/// Runs one order, from measuring to the result, on the delivery's thread.
///
/// Works in batches of at most ``stepsAtOnce`` steps: plans them, journals their intents, runs
/// them, and journals their states. A killed run leaves intents, which `Recoverer` resolves. Used
/// once.
final class DeliveryRun {
  private let order: FileOrder
  private let trash: TrashCan
  private let journal: Journal
  private let meter: ProgressMeter
  /// Called on the run's thread.
  private let events: FileDeliveryReceiver
  private var result = DeliveryResult(outcome: .failed, route: .files, delivered: 0)
  /// Number of items that arrived completely, counting the contents of merged folders individually.
  private var pieces = 0
  /// Paths that replaced something, which went to the trash.
  private var replacing: [FilePath] = []
  private var renamedInside: [FilePath] = []
  /// Failures by index in the order.
  private var reasons: [Int: Reason] = [:]
  /// Final paths by index in the order.
  private var landings: [Int: FilePath] = [:]
  private var merges: [Int: Merge] = [:]
  /// Links that arrived, and folders that may hold some.
  private var linked: [FilePath] = []
  /// The folder created for the whole drop.
  private var made: (step: StepRecord, around: OpenFolder, name: FileName)?
  /// Set on cancellation; nothing new is started then, and finished steps stay.
  private var wasCancelled = false
  /// Whether something remains for recovery to remove.
  private var isLeft = false
  /// Whether all names that arrived are on the device.
  private var isLasting = true

  private struct Merge {
    /// Number of folders and files that arrived, without folders that both sides already had.
    var done = 0
    /// Whether an emptied source folder was removed.
    var hasRemoved = false
    var failures: [DeliveryFailure] = []
    var renamed: [FilePath] = []
    /// The target folder; set once everything has been planned.
    var target: FilePath?
    /// Whether steps were planned but not run, so that it can't count as complete.
    var wasStopped = false
  }

  /// Makes paths absolute, because the journal outlives the working directory.
  ///
  /// - Parameters:
  ///   - events: called on the run's thread: `started`, `progressed`, then `finished` once.
  ///   - alive: called on progress.
  init(
    order: FileOrder, trash: TrashCan, journal: Journal, cancellation: Cancellation,
    events: @escaping FileDeliveryReceiver,
    alive: @escaping @Sendable () -> Void = {}
  ) {
    var order = order
    order.sources = order.sources.map(\.absolute)
    order.target = order.target.absolute
    self.order = order
    self.trash = trash
    self.journal = journal
    self.events = events
    meter = ProgressMeter(
      cancellation: cancellation, report: { events(.progressed($0), []) }, alive: alive)
  }

  func run() {
    do {
      let target = try openTarget()
      try deliver(to: target)
    } catch is CancelledByPerson {
      wasCancelled = true
    } catch {
      refuse(Reason(error))
      return
    }
    conclude()
  }

  /// `nil` for removal. Throws before anything is changed.
  private func openTarget() throws -> OpenFolder? {
    guard order.operation != .remove else { return nil }
    let target = try OpenFolder(order.target)
    if let refusal = target.refusesChanges() { throw refusal }
    return target
  }

  /// For failures before the first step: every item is where it was.
  private func refuse(_ reason: Reason) {
    result.outcome = .refused
    result.failures = order.sources.map { DeliveryFailure($0, reason) }
    finish([])
  }

  /// Throws only if no item has been tried.
  private func deliver(to target: OpenFolder?) throws {
    var entry = EntryRecord(
      operation: order.operation, permanently: order.permanently, place: order.placeName,
      planned: Int64(order.sources.count), visitor: order.visitor)
    if let name = order.newFolder, let target {
      // The new folder is a step of its own in the entry.
      entry.planned += 1
      let writer = JournalWriter(journal, entry)
      let made = try make(name, in: target, writer)
      do {
        var planner = try DeliveryPlanner(
          order: order, entry: entry, target: made, trash: trash, after: 1)
        try begin(&planner)
        try deliver(&planner, writer)
      } catch {
        writer.finish(unmake().map { [$0] } ?? [])
        throw error
      }
      return
    }
    var planner = try DeliveryPlanner(order: order, entry: entry, target: target, trash: trash)
    // `.fail` applies to the whole order: nothing moves if one name is taken.
    if order.clash == .fail, case let clashing = planner.clashes(), !clashing.isEmpty {
      let taken = Set(clashing)
      for (index, source) in order.sources.enumerated() where taken.contains(source) {
        reasons[index] = .nameExists
      }
      result.outcome = .refused
      return
    }
    try begin(&planner)
    try deliver(&planner, JournalWriter(journal, entry))
  }

  /// Measures, then reports the start. May take long for deep trees, but can be cancelled.
  private func begin(_ planner: inout DeliveryPlanner) throws {
    result.totalBytes = try planner.measure(meter)
    meter.begin(total: result.totalBytes)
    events(.started(DeliveryProgress(bytesTotal: result.totalBytes)), [])
  }

  /// Creates the target folder as the entry's first step, so that one undo removes its contents and
  /// then the folder.
  private func make(
    _ name: FileName, in target: OpenFolder, _ writer: JournalWriter
  ) throws -> OpenFolder {
    // Checked for the better reason; mkdirat(2) itself never replaces.
    if FileCalls.exists(target.raw, name) { throw Reason.nameExists }
    let path = target.path.appending(name)
    var record = StepRecord(
      index: 0, source: path, target: path, before: target.stamp.recorded,
      begun: timespec.now.nanoseconds, targetFolder: target.stamp.identity)
    writer.intend([record])
    do {
      try FileCalls.makeFolder(target.raw, name, mode: 0o777)
      made = (record, target, name)
      record.after = try FileCalls.status(target.raw, name).recorded
      // Set before the following calls can fail: from here on the folder must be removed again.
      record.state = .done
      writer.settle([record])
      made = (record, target, name)
      return try OpenFolder(path)
    } catch {
      // Removes a folder that can't be opened. A journaled intent must not remain without its
      // outcome.
      let isThere = made != nil && unmake() == nil
      record.state = isThere ? .done : .failed
      writer.finish([record])
      throw error
    }
  }

  /// Removes the folder again if it is still empty.
  ///
  /// - Returns: its step as failed, for the journal; `nil` if the folder stays or was never made.
  private func unmake() -> StepRecord? {
    guard let (step, folder, name) = made, landings.isEmpty, pieces == 0,
      (try? FileCalls.unlink(folder.raw, name, isFolder: true)) != nil
    else { return nil }
    var record = step
    record.state = .failed
    return record
  }

  /// Runs batches until everything is planned or the order is cancelled.
  private func deliver(_ planner: inout DeliveryPlanner, _ writer: JournalWriter) throws {
    let runner = StepRunner(meter: meter, trash: trash, writer: writer)
    while planner.hasMore, !wasCancelled {
      var steps = plan(&planner)
      if wasCancelled {
        steps.forEach(noteStopped)
        steps = []
      }
      if !steps.isEmpty {
        writer.intend(steps.map(\.record), planned: planner.planned)
        take(&steps, runner)
      }
      endMerges()
      var records = steps.map(\.record)
      // Only at the end: until then something may still arrive in it.
      if !planner.hasMore || wasCancelled, let made = unmake() { records.insert(made, at: 0) }
      if planner.hasMore, !wasCancelled {
        writer.settle(records)
      } else {
        // An entry with leftovers stays owned by this run, for recovery to find.
        writer.finish(records, isOver: !isLeft)
      }
    }
    result.entry = writer.number
    // Of a copy that did not arrive nothing was kept.
    if pieces > 0 { result.lostAttributes = runner.copier.attributes.lost }
  }

  /// Steps per batch. Each batch flushes two or three times, and a kill costs recovery at most this
  /// many checks.
  private static let stepsAtOnce = 4000

  /// Open folders per batch: descriptors are scarce.
  private static let foldersAtOnce = 128

  /// Plans a batch. Planning failures are recorded and take no place in it.
  private func plan(_ planner: inout DeliveryPlanner) -> [Step] {
    var steps: [Step] = []
    // Avoids copying the array as it grows.
    steps.reserveCapacity(min(Self.stepsAtOnce, order.sources.count))
    var folders: Set<ObjectIdentifier> = []
    while steps.count < Self.stepsAtOnce, folders.count < Self.foldersAtOnce,
      let planned = next(&planner)
    {
      switch planned {
      case .step(let step):
        folders.insert(ObjectIdentifier(step.sourceFolder))
        folders.insert(ObjectIdentifier(step.targetFolder))
        steps.append(step)
      case .failed(let item, inside: nil, let reason): reasons[item] = reason
      case .failed(let item, let path?, let reason):
        merges[item, default: Merge()].failures.append(DeliveryFailure(path, reason))
      case .merged(let item, let target): merges[item, default: Merge()].target = target
      }
    }
    // May be empty, if everything left to plan has failed.
    return steps
  }

  private func next(_ planner: inout DeliveryPlanner) -> DeliveryPlanner.Planned? {
    do { return try planner.next(meter) } catch {
      wasCancelled = true
      return nil
    }
  }

  /// Counts each completed merge as one item. A merge ends when its last planned step was tried,
  /// possibly some batches later.
  private func endMerges() {
    for (item, merge) in merges {
      guard let target = merge.target, !merge.wasStopped else { continue }
      merges[item] = nil
      renamedInside += merge.renamed
      if merge.done == 0, !merge.failures.isEmpty || !merge.hasRemoved {
        // Nothing in it could be delivered: it is already there.
        let none: Reason = order.operation == .copy ? .samePlace : .changed
        reasons[item] = merge.failures.first?.reason ?? none
        continue
      }
      landings[item] = target
      result.leftOut += merge.failures
      meter.itemDone()
    }
  }

  /// Unflushed bytes per flush, 1 GiB: an interruption loses at most this much copying.
  private static let flushedAtOnce: Int64 = 1 << 30

  /// Sets the state of a step that did not succeed: failed, unless something is not where it was.
  private func end(_ step: inout Step) {
    // A replaced file could not be restored: recovery retries, and reports where it is.
    if step.isHidden || step.record.replaced != nil {
      isLeft = true
    } else {
      step.record.state = .failed
    }
    // A partially deleted folder counts as changed.
    if step.isBegun { pieces += 1 }
  }

  /// Runs a batch in order, then lands copies and removes moved sources.
  ///
  /// Copies keep hidden names until one flush covers many of them. Sources on other file systems
  /// wait for ``StepRunner/removeSources()``. Never throws: each failure belongs to a step.
  private func take(_ steps: inout [Step], _ runner: StepRunner) {
    var positions: [Int64: Int] = [:]
    // Removes the sources of moves between file systems whose copies have landed.
    func removeSources() {
      let late = runner.removeSources()
      for (index, stay) in late {
        guard let position = positions[index] else { continue }
        revertSuccess(steps[position])
        fail(steps[position], stay.reason)
        if stay.isLeft { isLeft = true }
        // With `.bothHold` both source and copy exist: the step stays done, so that undo can remove
        // the copy.
        if stay.reason != .bothHold {
          steps[position].record.state = stay.isLeft ? .intended : .failed
        }
      }
      positions = [:]
    }
    // Complete copies, with the bytes counted for each and for all.
    var whole: [(position: Int, bytes: Int64)] = []
    var bytes: Int64 = 0
    func land() {
      let problem = runner.flush(steps, at: whole.map(\.position))
      for (position, bytes) in whole {
        do {
          // A failed flush fails all copies that it covered.
          if let problem {
            runner.discard(steps[position])
            throw problem
          }
          try runner.land(&steps[position])
          // Never equals a byte count: the copy was counted while it grew.
          succeed(&steps[position], .min)
        } catch {
          meter.goBack(toBytes: meter.progress.bytesDone - bytes)
          end(&steps[position])
          fail(steps[position], Reason(error))
        }
      }
      (whole, bytes) = ([], 0)
    }
    for position in steps.indices {
      // Only `.intended` may be stored while anything is under way: recovery checks the disk for
      // those only.
      if wasCancelled {
        steps[position].record.state = .failed
        noteStopped(steps[position])
        continue
      }
      // It becomes empty only once all sources are gone.
      if steps[position].removesEmptied { removeSources() }
      let before = meter.progress.bytesDone
      do {
        try runner.take(&steps[position])
        positions[steps[position].record.index] = position
        if steps[position].copied == nil {
          succeed(&steps[position], before)
        } else {
          whole.append((position, meter.progress.bytesDone - before))
          bytes += meter.progress.bytesDone - before
        }
      } catch is CancelledByPerson {
        meter.goBack(toBytes: before)
        noteStopped(steps[position])
        end(&steps[position])
        wasCancelled = true
      } catch {
        meter.goBack(toBytes: before)
        end(&steps[position])
        fail(steps[position], Reason(error))
      }
      if runner.shouldRemoveSources { removeSources() }
      if bytes >= Self.flushedAtOnce { land() }
    }
    land()
    removeSources()
    // One flush per folder covers all renames into it.
    var folders: Set<FileIdentity> = []
    // By index, because iterating would copy each large step.
    for position in steps.indices where steps[position].record.state == .done {
      let folder = steps[position].targetFolder
      if folders.insert(folder.stamp.identity).inserted, !runner.flushNames(in: folder) {
        isLasting = false
      }
    }
    runner.flushNotes()
  }

  private func noteStopped(_ step: Step) {
    if step.isInside { merges[step.item, default: Merge()].wasStopped = true }
  }

  /// - Parameter bytesBefore: the meter's count before the step: an equal count afterwards means
  ///   that nothing was copied.
  private func succeed(_ step: inout Step, _ bytesBefore: Int64) {
    step.record.state = step.hasBothNames ? .intended : .done
    if step.hasBothNames { isLeft = true }
    if step.removesEmptied {
      // Not counted itself, but keeps the result from being empty.
      pieces = max(pieces, 1)
      merges[step.item, default: Merge()].hasRemoved = true
      return
    }
    pieces += 1
    result.others += step.files
    if step.record.replaced != nil { replacing.append(step.record.target) }
    if order.operation != .remove, linked.count < LinkForecast.most, step.mayHoldLinks {
      linked.append(step.record.target)
    }
    if step.isInside {
      merges[step.item, default: Merge()].done += 1
      if step.targetName != step.wishedName {
        merges[step.item]?.renamed.append(step.record.target)
      }
    } else {
      landings[step.item] = step.record.target
    }
    result.leftOut += step.failures
    if step.isInside { return }
    if meter.progress.bytesDone == bytesBefore, step.record.before.kind == .file,
      step.operation == .move || step.operation == .copy
    {
      // A rename moves all bytes at once.
      try? meter.add(step.record.before.size)
    }
    meter.itemDone()
  }

  /// Reverts ``succeed(_:_:)``: the source could not be removed.
  private func revertSuccess(_ step: Step) {
    pieces -= 1
    result.others -= step.files
    replacing.removeAll { $0 == step.record.target }
    linked.removeAll { $0 == step.record.target }
    guard step.isInside else { return }
    merges[step.item]?.done -= 1
    merges[step.item]?.renamed.removeAll { $0 == step.record.target }
  }

  /// Records why a step failed, for its item or, inside a merge, by its own path.
  private func fail(_ step: Step, _ reason: Reason) {
    // Its contents have been reported, or were added after the merge began.
    if step.removesEmptied, reason == .nameExists { return }
    guard step.isInside else {
      reasons[step.item] = reason
      landings[step.item] = nil
      return
    }
    merges[step.item, default: Merge()].failures.append(
      DeliveryFailure(step.record.source, reason))
  }

  private func conclude() {
    let sources = order.sources
    result.delivered = landings.count
    // Interrupted merges are reported by their parts.
    for (_, merge) in merges.sorted(by: { $0.key < $1.key }) {
      result.leftOut += merge.failures
      renamedInside += merge.renamed
    }
    result.failures = reasons.sorted { $0.key < $1.key }.map {
      DeliveryFailure(sources[$0.key], $0.value)
    }
    // Permanently deleted files have no landing.
    let isGone = order.operation == .remove && order.permanently
    let landed = isGone ? [] : sources.indices.filter { landings[$0] != nil }
    let paths = landed.compactMap { landings[$0] }
    // Compares names, so that a requested new name counts as a rename too.
    let renamed = zip(landed, paths).filter { !sources[$0].hasName(of: $1) }.map(\.1)
    result.renamed = (renamed + renamedInside).map(\.spokenName)
    result.replaced = replacing.map(\.spokenName)
    if !linked.isEmpty { result.leadNowhere = LinkForecast.broken(at: linked) }
    result.bytes = meter.progress.bytesDone
    result.verified = result.delivered > 0 && isLasting
    if result.outcome != .refused {
      // A cancellation decides even if all items had arrived by then.
      result.outcome =
        wasCancelled
        ? .cancelled
        : result.failures.isEmpty && result.leftOut.isEmpty
          ? .delivered : result.delivered > 0 ? .partly : .failed
    }
    finish(paths)
  }

  private func finish(_ landed: [FilePath]) {
    result.pieces = pieces
    events(.finished(result), landed)
  }
}
