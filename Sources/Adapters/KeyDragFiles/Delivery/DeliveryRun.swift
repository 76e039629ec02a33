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
  private var wasCancelled = false
  /// Whether recovery has to remove something.
  private var isLeft = false

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
    let entry = EntryRecord(
      operation: order.operation, permanently: order.permanently, place: order.placeName,
      time: Int64(time(nil)), token: RandomName.hexadecimal(16),
      planned: Int64(order.sources.count))
    var planner = try DeliveryPlanner(order: order, entry: entry, target: target, trash: trash)
    if order.clash == .fail, case let clashing = planner.clashes(), !clashing.isEmpty {
      let taken = Set(clashing)
      for (index, source) in order.sources.enumerated() where taken.contains(source) {
        reasons[index] = .nameExists
      }
      result.outcome = .refused
      return
    }
    result.totalBytes = try planner.measure(meter)
    meter.begin(total: result.totalBytes)
    events(.started(items: order.sources.count, bytes: result.totalBytes))
    try deliver(&planner, JournalWriter(journal, entry))
  }

  private func deliver(_ planner: inout DeliveryPlanner, _ writer: JournalWriter) throws {
    let runner = StepRunner(
      meter: meter, trash: trash, writer: writer, waitsForDisk: waitsForDisk)
    var start = 0
    while start < order.sources.count, !wasCancelled {
      let end = min(start + JournalWriter.batch, order.sources.count)
      var steps = plan(start..<end, &planner)
      if !steps.isEmpty {
        writer.intend(steps.map(\.record))
        take(&steps, runner)
        start = end
        let records = steps.map(\.record)
        if start < order.sources.count, !wasCancelled {
          writer.settle(records)
        } else {
          writer.finish(records, isOver: !isLeft)
        }
      } else {
        start = end
        if start >= order.sources.count { writer.finish(isOver: !isLeft) }
      }
    }
    result.entry = writer.number
    result.lostAttributes = runner.copier.attributes.lost
  }

  private func plan(_ range: Range<Int>, _ planner: inout DeliveryPlanner) -> [Step] {
    var steps: [Step] = []
    steps.reserveCapacity(range.count)
    for index in range {
      do { steps.append(try planner.step(index)) } catch { reasons[index] = Reason(error) }
    }
    return steps
  }

  /// As many bytes wait for one flush of the device: what is cut off then is copied again.
  private static let flushedAtOnce: Int64 = 1 << 30

  /// The state of a step that did not succeed: over, unless something of it bears a hidden name still.
  private func end(_ step: inout Step) {
    let isLeft =
      (step.operation == .copy || step.operation == .move)
      && FileCalls.exists(step.growing.folder, step.growing.name)
    if isLeft { self.isLeft = true } else { step.record.state = .failed }
  }

  private func take(_ steps: inout [Step], _ runner: StepRunner) {
    var positions: [Int64: Int] = [:]
    func depart() {
      let late = runner.depart()
      for (index, reason) in late {
        fail(Int(index), reason)
        guard let position = positions[index], reason != .bothHold else { continue }
        steps[position].record.state = .failed
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
        let index = Int(steps[position].record.index)
        do {
          if let problem {
            runner.discard(steps[position])
            throw problem
          }
          try runner.land(&steps[position])
          succeed(index, &steps[position], .min)
        } catch {
          meter.goBack(toBytes: meter.progress.bytesDone - (bytes[position] ?? 0))
          end(&steps[position])
          fail(index, Reason(error))
        }
      }
      (whole, bytes) = ([], [:])
    }
    for position in steps.indices {
      // No state but `.intended` may be stored while anything is under way: recovery looks at the
      // disk for those only.
      if wasCancelled {
        steps[position].record.state = .failed
        continue
      }
      let before = meter.progress.bytesDone
      let index = Int(steps[position].record.index)
      do {
        try runner.take(&steps[position])
        positions[Int64(index)] = position
        if steps[position].copied == nil {
          succeed(index, &steps[position], before)
        } else {
          whole.append(position)
          bytes[position] = meter.progress.bytesDone - before
        }
      } catch is CancelledByPerson {
        meter.goBack(toBytes: before)
        end(&steps[position])
        wasCancelled = true
      } catch {
        meter.goBack(toBytes: before)
        end(&steps[position])
        fail(index, Reason(error))
      }
      if runner.shouldDepart { depart() }
      if bytes.values.reduce(0, +) >= Self.flushedAtOnce { land() }
    }
    land()
    depart()
    var folders: Set<FileIdentity> = []
    for step in steps where step.record.state == .done {
      if folders.insert(step.targetFolder.stamp.identity).inserted {
        runner.flushNames(in: step.targetFolder)
      }
    }
  }

  private func succeed(_ index: Int, _ step: inout Step, _ bytesBefore: Int64) {
    step.record.state = .done
    landings[index] = step.record.target
    result.leftOut += step.leftOut.failures.map {
      FileFailure(
        source: FilePath(rawBytes: step.record.source.rawBytes + $0.path), reason: $0.reason)
    }
    if meter.progress.bytesDone == bytesBefore, step.record.before.kind == .file,
      step.operation == .move || step.operation == .copy
    {
      // A rename moves all of it at once.
      try? meter.add(step.record.before.size)
    }
    meter.itemDone()
  }

  private func fail(_ index: Int, _ reason: Reason) {
    reasons[index] = reason
    landings[index] = nil
  }

  private func conclude() {
    let sources = order.sources
    result.delivered = landings.count
    result.failures = reasons.sorted { $0.key < $1.key }.map {
      FileFailure(source: sources[$0.key], reason: $0.value)
    }
    if !(order.operation == .remove && order.permanently) {
      result.landed = landings.sorted { $0.key < $1.key }.map {
        FileLanding(source: sources[$0.key], path: $0.value)
      }
    }
    result.bytes = meter.progress.bytesDone
    result.verified = result.delivered > 0
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
