import KeyDragCore
import Synchronization
import SystemPackage

/// Runs what a drop on a task place starts: a print job, or a program that opens the items.
///
/// Nothing of it is written to the journal, because nothing can be taken back.
final class TaskRuns: Sendable {
  /// Everything behind the lock.
  private struct Jobs {
    /// The jobs that run, by delivery.
    var jobs: [DeliveryID: PrintJob] = [:]
    var isClosed = false
  }

  private let registry: PlaceRegistry
  private let places: TaskPlaces
  /// `nil` where there is none.
  private let clipboard: ClipboardGoods?
  private let state = Mutex(Jobs())

  init(registry: PlaceRegistry, places: TaskPlaces, clipboard: ClipboardGoods? = nil) {
    self.registry = registry
    self.places = places
    self.clipboard = clipboard
  }

  /// Reports the start, waits for the end, and reports it.
  ///
  /// Blocks until `lp` has ended; a program that opens the items is not waited for. One report of
  /// the end, always.
  func run(
    _ id: DeliveryID, _ order: DeliveryOrder, _ told: DeliveryReceiver
  ) {
    // All or nothing: a print job without one of its files is not the one that was ordered.
    let paths = registry.entries(order.items.map(\.source)).compactMap { $0?.path }
    guard paths.count == order.items.count, !paths.isEmpty else {
      told(.finished(.failed(order.items, .gone, outcome: .failed)))
      return
    }
    told(.started(DeliveryProgress()))
    let reason =
      switch PointID(order.stop.point) {
      case .program(let number): open(number, paths)
      case .clipboard: copy(paths)
      default: print(id, paths)
      }
    told(.finished(result(order, reason)))
  }

  /// Whether the delivery was one of ours.
  ///
  /// Only print jobs can be cancelled.
  func cancel(_ id: DeliveryID) -> Bool {
    guard let job = state.withLock({ $0.jobs[id] }) else { return false }
    job.cancel()
    return true
  }

  /// Ends the jobs that run and starts no more.
  ///
  /// Does not wait for them.
  func close() {
    let jobs = state.withLock { state in
      state.isClosed = true
      return state.jobs.values.map { $0 }
    }
    for job in jobs { job.cancel() }
  }

  /// The reason why it failed; blocks until it has ended.
  private func print(_ id: DeliveryID, _ paths: [FilePath]) -> Reason? {
    guard let printer = TaskPlaces.printer() else { return .noProgram }
    let job = PrintJob()
    let isOpen = state.withLock { state in
      if !state.isClosed { state.jobs[id] = job }
      return !state.isClosed
    }
    guard isOpen else { return .interrupted }
    defer { state.withLock { $0.jobs[id] = nil } }
    return job.run(printer, files: paths)
  }

  /// Puts the files on the clipboard.
  private func copy(_ paths: [FilePath]) -> Reason? {
    guard let clipboard else { return .noClipboard }
    return clipboard.put(paths)
  }

  /// The reason why the program could not be started.
  private func open(_ number: UInt32, _ paths: [FilePath]) -> Reason? {
    guard let program = places.program(number) else { return .noProgram }
    return places.programs.start(program.id, with: paths.map(\.rawBytes))
  }

  /// `nil` means that all of it was done: a task takes all items or none.
  private func result(_ order: DeliveryOrder, _ reason: Reason?) -> DeliveryResult {
    switch reason {
    case nil:
      return DeliveryResult(outcome: .delivered, route: .files, delivered: order.items.count)
    case .interrupted?:
      return .failed(order.items, .interrupted, outcome: .cancelled)
    case .some(let reason):
      return .failed(order.items, reason, outcome: .failed)
    }
  }
}
