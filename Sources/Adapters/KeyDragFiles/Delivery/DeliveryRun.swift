import Glibc
import KeyDragCore
import SystemPackage

/// One order, from its measure to its result. Belongs to the thread that works on it.
///
/// Work goes in batches: at most ``stepsAtOnce`` steps are planned, their intents are
/// committed to the journal, then they are taken, then their states are committed. A run that is
/// killed in a batch leaves intents, by which `Recoverer` finds out what happened. Used once:
/// ``run()`` is called once and ends with one `finished` event.
final class DeliveryRun {
  private let order: FileOrder
  private let trash: TrashCan
  private let journal: Journal
  private let meter: Meter
  /// Whether copies are flushed to the device before they get their names.
  private let waitsForDisk: Bool
  /// Called on the thread of the run.
  private let events: @Sendable (FileDeliveryEvent) -> Void
  private var result = FileDeliveryResult(outcome: .failed)
  /// Reasons for items that were not delivered, by index in the order.
  private var reasons: [Int: Reason] = [:]
  /// The path of each item that arrived, by index in the order.
  private var landings: [Int: FilePath] = [:]
  /// Results of folders that become one with others, by item, until all of one has been tried.
  private var merges: [Int: Merge] = [:]
  /// The folder that was made to take everything.
  private var made: (step: StepRecord, around: OpenFolder, name: FileName)?
  /// Set where the person stopped it; nothing new is begun then, and what was finished stays.
  private var wasCancelled = false
  /// Whether recovery has to remove something.
  private var isLeft = false
  /// Whether the names of all that arrived are on the device.
  private var isLasting = true

  /// How far a folder is that becomes one with another.
  private struct Merge {
    /// How many things in it arrived, each a folder or a file. Counts what arrived, not the folders
    /// that both sides had already.
    var done = 0
    /// Whether a folder of it is gone that was emptied.
    var hasRemoved = false
    var failures: [FileFailure] = []
    /// Things inside that got another name to keep both.
    var renamed: [FilePath] = []
    /// The folder that took it, once all of it has been tried.
    var target: FilePath?
    /// Whether steps of it were planned and not taken any more, so that it can't be told as whole.
    var wasStopped = false
  }

  /// Paths are made absolute here, once: the journal outlives this process's working directory.
  ///
  /// - Parameters:
  ///   - events: told on the thread of the run: `started`, `progressed`, then `finished`, once.
  ///   - alive: called whenever anything was got on with.
  init(
    order: FileOrder, trash: TrashCan, journal: Journal, waitsForDisk: Bool = true,
    cancellation: Cancellation,
    events: @escaping @Sendable (FileDeliveryEvent) -> Void,
    alive: @escaping @Sendable () -> Void = {}
  ) {
    var order = order
    order.sources = order.sources.map(\.absolute)
    order.target = order.target.absolute
    self.order = order
    self.trash = trash
    self.journal = journal
    self.waitsForDisk = waitsForDisk
    self.events = events
    meter = Meter(
      cancellation: cancellation, report: { events(.progressed($0)) }, alive: alive)
  }

  /// Blocks until all is over, for as long as the disks take.
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

  /// `nil` for removal, which has no target. Throws before anything is touched.
  private func openTarget() throws -> OpenFolder? {
    guard order.operation != .remove else { return nil }
    let target = try OpenFolder(order.target)
    if let refusal = target.refusesChanges() { throw refusal }
    return target
  }

  /// Nothing has been touched, and every item is where it was.
  ///
  /// Answers for a failure that comes before the first step.
  private func refuse(_ reason: Reason) {
    result.outcome = .refused
    result.failures = order.sources.map { FileFailure(source: $0, reason: reason) }
    events(.finished(result))
  }

  /// Throws only where no item has been tried.
  private func deliver(to target: OpenFolder?) throws {
    var entry = EntryRecord(
      operation: order.operation, permanently: order.permanently, place: order.placeName,
      time: Int64(time(nil)), token: RandomName.hexadecimal(16),
      planned: Int64(order.sources.count), visitor: order.visitor)
    if let name = order.newFolder, let target {
      // The folder is a step of its own in the entry.
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
    // The policy `.fail` is one answer for the whole order: nothing moves where one name is taken.
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

  /// Measures, then tells that it begins. May take long for deep trees; the person can stop it
  /// there.
  private func begin(_ planner: inout DeliveryPlanner) throws {
    result.totalBytes = try planner.measure(meter)
    meter.begin(total: result.totalBytes)
    events(.started(items: order.sources.count, bytes: result.totalBytes))
  }

  /// Makes the folder that takes everything, as the first step of the same entry: one undo takes
  /// back what was put into it and then the folder.
  private func make(
    _ name: FileName, in target: OpenFolder, _ writer: JournalWriter
  ) throws -> OpenFolder {
    // Looked at for the better reason; mkdirat(2) itself never replaces.
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
      // Set before the look that follows can fail: from here on the folder has to be removed again.
      record.state = .done
      writer.settle([record])
      made = (record, target, name)
      return try OpenFolder(path)
    } catch {
      // A folder that was made and can't be looked into goes again.
      // An intent that was written down may not stay behind without its end.
      let isThere = made != nil && unmake() == nil
      record.state = isThere ? .done : .failed
      writer.finish([record])
      throw error
    }
  }

  /// Removes the folder again when nothing has come into it.
  ///
  /// Does nothing where the folder holds anything, because rmdir(2) refuses it.
  ///
  /// - Returns: its step as failed, for the journal; `nil` where the folder stays or was never
  ///   made.
  private func unmake() -> StepRecord? {
    guard let (step, folder, name) = made, landings.isEmpty, result.pieces == 0,
      (try? FileCalls.unlink(folder.raw, name, isFolder: true)) != nil
    else { return nil }
    var record = step
    record.state = .failed
    return record
  }

  /// Takes batches until all is planned or the person stops it.
  private func deliver(_ planner: inout DeliveryPlanner, _ writer: JournalWriter) throws {
    let runner = StepRunner(
      meter: meter, trash: trash, writer: writer, waitsForDisk: waitsForDisk)
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
      // Only at the end: until then something may still come into it.
      if !planner.hasMore || wasCancelled, let made = unmake() { records.insert(made, at: 0) }
      if planner.hasMore, !wasCancelled {
        writer.settle(records)
      } else {
        // An entry of which something is left stays this run's, for recovery to find.
        writer.finish(records, isOver: !isLeft)
      }
    }
    result.entry = writer.number
    // Of a copy that did not arrive nothing was kept.
    if result.pieces > 0 { result.lostAttributes = runner.copier.attributes.lost }
  }

  /// Steps of one batch. Each batch waits for the disk twice or three times, and a kill costs at most
  /// as many looks at the disk by recovery.
  private static let stepsAtOnce = 4000

  /// As many folders are open at once for the steps of one batch: descriptors are scarce.
  private static let foldersAtOnce = 128

  /// A batch of steps; failures found while planning are noted and take no place in it.
  private func plan(_ planner: inout DeliveryPlanner) -> [Step] {
    var steps: [Step] = []
    // At once: an array that grows is copied each time.
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
        merges[item, default: Merge()].failures.append(FileFailure(source: path, reason: reason))
      case .merged(let item, let target): merges[item, default: Merge()].target = target
      }
    }
    // Empty where all that was left to plan has failed.
    return steps
  }

  /// `nil` also where the person wants it to stop.
  private func next(_ planner: inout DeliveryPlanner) -> DeliveryPlanner.Planned? {
    do { return try planner.next(meter) } catch {
      wasCancelled = true
      return nil
    }
  }

  /// Tells of the folders of which everything has been tried as of one thing each.
  ///
  /// A merge ends only when its last planned thing has been tried, which may be some batches later.
  private func endMerges() {
    for (item, merge) in merges {
      guard let target = merge.target, !merge.wasStopped else { continue }
      merges[item] = nil
      result.renamedInside += merge.renamed
      if merge.done == 0, !merge.failures.isEmpty || !merge.hasRemoved {
        // With nothing in it that could go over, it is there already.
        let none: Reason = order.operation == .copy ? .samePlace : .changed
        reasons[item] = merge.failures.first?.reason ?? none
        continue
      }
      landings[item] = target
      result.leftOut += merge.failures
      meter.itemDone()
    }
  }

  /// Bytes that wait for one flush of the device, 1 GiB: copies that are cut off before it are made
  /// again.
  private static let flushedAtOnce: Int64 = 1 << 30

  /// The state of a step that did not succeed: over, unless something of it is not where it was.
  private func end(_ step: inout Step) {
    // A thing that gave way could not come back: recovery tries again, and tells where it is.
    if step.isHidden || step.record.replaced != nil {
      isLeft = true
    } else {
      step.record.state = .failed
    }
    // A folder of which something is deleted is not untouched.
    if step.isBegun { result.pieces += 1 }
  }

  /// Takes the steps of one batch in order, then lands what was copied and removes what was moved
  /// away.
  ///
  /// Copies wait under hidden names until one flush has put many of them on the device. Sources
  /// that went to another file system wait for ``StepRunner/depart()``. Nothing is thrown: each
  /// failure belongs to a step.
  private func take(_ steps: inout [Step], _ runner: StepRunner) {
    var positions: [Int64: Int] = [:]
    // Removes the sources of moves between file systems whose copies have their names by now.
    func depart() {
      let late = runner.depart()
      for (index, stay) in late {
        guard let position = positions[index] else { continue }
        unsucceed(steps[position])
        fail(steps[position], stay.reason)
        if stay.isLeft { isLeft = true }
        // With `.bothHold` source and copy both exist: the step stays done, and undo can remove the
        // copy.
        if stay.reason != .bothHold {
          steps[position].record.state = stay.isLeft ? .intended : .failed
        }
      }
      positions = [:]
    }
    // Copies that are whole, and how many bytes were counted for each and for all of them.
    var whole: [(position: Int, bytes: Int64)] = []
    var bytes: Int64 = 0
    // Flushes the copies that are whole and gives them their names.
    func land() {
      let problem = runner.flush(steps, at: whole.map(\.position))
      for (position, bytes) in whole {
        do {
          // A failed flush is taken as the failure of all copies that it was for.
          if let problem {
            runner.discard(steps[position])
            throw problem
          }
          try runner.land(&steps[position])
          // No count of bytes equals `Int64.min`: the copy was counted while it grew.
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
      // No state but `.intended` may be stored while anything is under way: recovery looks at the
      // disk for those only.
      if wasCancelled {
        steps[position].record.state = .failed
        noteStopped(steps[position])
        continue
      }
      // It is not empty before all of it has gone.
      if steps[position].removesEmptied { depart() }
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
      if runner.shouldDepart { depart() }
      if bytes >= Self.flushedAtOnce { land() }
    }
    land()
    depart()
    // One flush a folder makes all renames into it last.
    var folders: Set<FileIdentity> = []
    // By their places: a step is large, and a loop over them would copy each.
    for position in steps.indices where steps[position].record.state == .done {
      let folder = steps[position].targetFolder
      if folders.insert(folder.stamp.identity).inserted, !runner.flushNames(in: folder) {
        isLasting = false
      }
    }
    runner.flushNotes()
  }

  /// Notes that a step was not tried any more.
  private func noteStopped(_ step: Step) {
    if step.isInside { merges[step.item, default: Merge()].wasStopped = true }
  }

  /// - Parameter bytesBefore: the meter's count when the step began: the same count afterwards
  ///   means that no byte was copied.
  private func succeed(_ step: inout Step, _ bytesBefore: Int64) {
    step.record.state = step.isDoubled ? .intended : .done
    if step.isDoubled { isLeft = true }
    if step.removesEmptied {
      // It counts for nothing, but where nothing else was done it is not nothing either.
      result.pieces = max(result.pieces, 1)
      merges[step.item, default: Merge()].hasRemoved = true
      return
    }
    result.pieces += 1
    result.others += step.files
    if step.record.replaced != nil { result.replacing.append(step.record.target) }
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
      // A rename moves all of it at once.
      try? meter.add(step.record.before.size)
    }
    meter.itemDone()
  }

  /// Takes back that a step has succeeded: its source could not go.
  private func unsucceed(_ step: Step) {
    result.pieces -= 1
    result.others -= step.files
    result.replacing.removeAll { $0 == step.record.target }
    guard step.isInside else { return }
    merges[step.item]?.done -= 1
    merges[step.item]?.renamed.removeAll { $0 == step.record.target }
  }

  /// Notes why a step failed, for its item or, inside a merge, for the thing by itself.
  private func fail(_ step: Step, _ reason: Reason) {
    // Its contents have been told of, or were not there when the merge began.
    if step.removesEmptied, reason == .nameExists { return }
    guard step.isInside else {
      reasons[step.item] = reason
      landings[step.item] = nil
      return
    }
    merges[step.item, default: Merge()].failures.append(
      FileFailure(source: step.record.source, reason: reason))
  }

  /// Makes the result of all that was noted and tells it; called once, last.
  private func conclude() {
    let sources = order.sources
    result.delivered = landings.count
    // Merges that were stopped in the middle are told by their parts.
    for (_, merge) in merges.sorted(by: { $0.key < $1.key }) {
      result.leftOut += merge.failures
      result.renamedInside += merge.renamed
    }
    result.failures = reasons.sorted { $0.key < $1.key }.map {
      FileFailure(source: sources[$0.key], reason: $0.value)
    }
    // Files deleted for good have landed nowhere.
    if !(order.operation == .remove && order.permanently) {
      result.landed = sources.indices.compactMap { index in
        landings[index].map { FileLanding(source: sources[index], path: $0) }
      }
    }
    result.bytes = meter.progress.bytesDone
    result.verified = result.delivered > 0 && isLasting
    if result.outcome != .refused {
      // A noticed wish to stop decides, even where all items had arrived by then.
      result.outcome =
        wasCancelled
        ? .cancelled
        : result.failures.isEmpty && result.leftOut.isEmpty
          ? .delivered : result.delivered > 0 ? .partly : .failed
    }
    events(.finished(result))
  }
}
