import Glibc
import KeyDragCore
import SystemPackage

/// One order, from its measure to its result. Belongs to the thread that works on it.
final class DeliveryRun {
  private let order: FileOrder
  private let trash: TrashCan
  private let journal: Journal
  private let meter: Meter
  private let waitsForDisk: Bool
  private let events: @Sendable (FileDeliveryEvent) -> Void
  private var result = FileDeliveryResult(outcome: .failed)
  private var reasons: [Int: Reason] = [:]
  private var landings: [Int: FilePath] = [:]
  /// Results of folders that become one with others, by item, until all of one has been tried.
  private var merges: [Int: Merge] = [:]
  /// The folder that was made to take everything.
  private var made: (step: StepRecord, around: OpenFolder, name: FileName)?
  private var wasCancelled = false
  /// Whether recovery has to remove something.
  private var isLeft = false
  /// Whether the names of all that arrived are on the device.
  private var isLasting = true

  /// How far a folder is that becomes one with another.
  private struct Merge {
    /// How many things in it arrived, each a folder or a file.
    var done = 0
    /// Whether a folder of it is gone that was emptied.
    var hasRemoved = false
    var failures: [FileFailure] = []
    var renamed: [FilePath] = []
    /// The folder that took it, once all of it has been tried.
    var target: FilePath?
    var wasStopped = false
  }

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

  private func openTarget() throws -> OpenFolder? {
    guard order.operation != .remove else { return nil }
    let target = try OpenFolder(order.target)
    if let refusal = target.refusesChanges() { throw refusal }
    return target
  }

  /// Nothing has been touched, and every item is where it was.
  private func refuse(_ reason: Reason) {
    result.outcome = .refused
    result.failures = order.sources.map { FileFailure(source: $0, reason: reason) }
    events(.finished(result))
  }

  private func deliver(to target: OpenFolder?) throws {
    var entry = EntryRecord(
      operation: order.operation, permanently: order.permanently, place: order.placeName,
      time: Int64(time(nil)), token: RandomName.hexadecimal(16),
      planned: Int64(order.sources.count))
    if let name = order.newFolder, let target {
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

  private func begin(_ planner: inout DeliveryPlanner) throws {
    result.totalBytes = try planner.measure(meter)
    meter.begin(total: result.totalBytes)
    events(.started(items: order.sources.count, bytes: result.totalBytes))
  }

  /// Makes the folder that takes everything, as the first step of the same entry: one undo takes back
  /// what was put into it and then the folder.
  private func make(
    _ name: FileName, in target: OpenFolder, _ writer: JournalWriter
  ) throws -> OpenFolder {
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
      record.state = .done
      writer.settle([record])
      made = (record, target, name)
      return try OpenFolder(path)
    } catch {
      // A folder that was made and can't be looked into goes again.
      let isThere = made != nil && unmake() == nil
      record.state = isThere ? .done : .failed
      writer.finish([record])
      throw error
    }
  }

  /// Removes the folder again when nothing has come into it.
  private func unmake() -> StepRecord? {
    guard let (step, folder, name) = made, landings.isEmpty, result.pieces == 0,
      (try? FileCalls.unlink(folder.raw, name, isFolder: true)) != nil
    else { return nil }
    var record = step
    record.state = .failed
    return record
  }

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
      if !planner.hasMore || wasCancelled, let made = unmake() { records.insert(made, at: 0) }
      if planner.hasMore, !wasCancelled {
        writer.settle(records)
      } else {
        writer.finish(records, isOver: !isLeft)
      }
    }
    result.entry = writer.number
    result.lostAttributes = runner.copier.attributes.lost
  }

  /// As many folders are open at once for the steps of one batch: descriptors are scarce.
  private static let foldersAtOnce = 128

  private func plan(_ planner: inout DeliveryPlanner) -> [Step] {
    var steps: [Step] = []
    var folders: Set<ObjectIdentifier> = []
    while steps.count < JournalWriter.batch, folders.count < Self.foldersAtOnce,
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

  /// As many bytes wait for one flush of the device: what is cut off then is copied again.
  private static let flushedAtOnce: Int64 = 1 << 30

  /// The state of a step that did not succeed: over, unless something of it is not where it was.
  private func end(_ step: inout Step) {
    // A thing that gave way could not come back: recovery tries again, and tells where it is.
    if !FileCalls.isFree(step.growing.folder, step.growing.name) || step.record.replaced != nil {
      isLeft = true
    } else {
      step.record.state = .failed
    }
    // A folder of which something is deleted is not untouched.
    if step.isBegun { result.pieces += 1 }
  }

  private func take(_ steps: inout [Step], _ runner: StepRunner) {
    var positions: [Int64: Int] = [:]
    func depart() {
      let late = runner.depart()
      for (index, stay) in late {
        guard let position = positions[index] else { continue }
        unsucceed(steps[position])
        fail(steps[position], stay.reason)
        if stay.isLeft { isLeft = true }
        if stay.reason != .bothHold {
          steps[position].record.state = stay.isLeft ? .intended : .failed
        }
      }
      positions = [:]
    }
    // Copies that are whole, and how many bytes were counted for each.
    var whole: [Int] = []
    var bytes: [Int: Int64] = [:]
    func land() {
      var waiting: [Step] = []
      for position in whole { waiting.append(steps[position]) }
      let problem = runner.flush(waiting)
      for position in whole {
        do {
          if let problem {
            runner.discard(steps[position])
            throw problem
          }
          try runner.land(&steps[position])
          succeed(&steps[position], .min)
        } catch {
          meter.goBack(toBytes: meter.progress.bytesDone - (bytes[position] ?? 0))
          end(&steps[position])
          fail(steps[position], Reason(error))
        }
      }
      (whole, bytes) = ([], [:])
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
          whole.append(position)
          bytes[position] = meter.progress.bytesDone - before
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
      if bytes.values.reduce(0, +) >= Self.flushedAtOnce { land() }
    }
    land()
    depart()
    var folders: Set<FileIdentity> = []
    for step in steps where step.record.state == .done {
      if folders.insert(step.targetFolder.stamp.identity).inserted {
        if !runner.flushNames(in: step.targetFolder) { isLasting = false }
      }
    }
    runner.flushNotes()
  }

  /// Notes that a step was not tried any more.
  private func noteStopped(_ step: Step) {
    if step.isInside { merges[step.item, default: Merge()].wasStopped = true }
  }

  private func succeed(_ step: inout Step, _ bytesBefore: Int64) {
    step.record.state = .done
    if step.removesEmptied {
      // It counts for nothing, but where nothing else was done it is not nothing either.
      result.pieces = max(result.pieces, 1)
      merges[step.item, default: Merge()].hasRemoved = true
      return
    }
    result.pieces += 1
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
    result.replacing.removeAll { $0 == step.record.target }
    guard step.isInside else { return }
    merges[step.item]?.done -= 1
    merges[step.item]?.renamed.removeAll { $0 == step.record.target }
  }

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

  private func conclude() {
    let sources = order.sources
    result.delivered = landings.count
    // Of folders that were stopped in the middle.
    for (_, merge) in merges.sorted(by: { $0.key < $1.key }) {
      result.leftOut += merge.failures
      result.renamedInside += merge.renamed
    }
    result.failures = reasons.sorted { $0.key < $1.key }.map {
      FileFailure(source: sources[$0.key], reason: $0.value)
    }
    if !(order.operation == .remove && order.permanently) {
      result.landed = landings.sorted { $0.key < $1.key }.map {
        FileLanding(source: sources[$0.key], path: $0.value)
      }
    }
    result.bytes = meter.progress.bytesDone
    result.verified = result.delivered > 0 && isLasting
    if result.outcome != .refused {
      result.outcome =
        wasCancelled
        ? .cancelled
        : result.failures.isEmpty && result.leftOut.isEmpty
          ? .delivered : result.delivered > 0 ? .partly : .failed
    }
    events(.finished(result))
  }
}
