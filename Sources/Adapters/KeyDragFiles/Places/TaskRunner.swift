import KeyDragCore
import Synchronization
import SystemPackage

/// Runs task drops: a print job, a program start, or a copy to the clipboard. Not journaled, since
/// none can be undone.
final class TaskRunner: Sendable {
  private struct Jobs {
    var jobs: [DeliveryID: PrintJob] = [:]
    var isClosed = false
  }

  private let registry: PlaceRegistry
  private let places: TaskPlaces
  private let clipboard: ClipboardPayload?
  private let state = Mutex(Jobs())

  init(registry: PlaceRegistry, places: TaskPlaces, clipboard: ClipboardPayload? = nil) {
    self.registry = registry
    self.places = places
    self.clipboard = clipboard
  }

  /// Runs a task and reports its start and end. Blocks until `lp` has ended, but not for a started
  /// program. Always reports the end once.
  func run(
    _ id: DeliveryID, _ order: DeliveryOrder, _ told: DeliveryReceiver
  ) {
    // All or nothing: an incomplete print job is not what was ordered.
    let paths = registry.entries(order.items.map(\.source)).compactMap { $0?.path }
    guard paths.count == order.items.count, !paths.isEmpty else {
      return told(.finished(result(order, .gone)))
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

  /// Returns whether the delivery was a running print job, the only task that can be cancelled.
  func cancel(_ id: DeliveryID) -> Bool {
    guard let job = state.withLock({ $0.jobs[id] }) else { return false }
    job.cancel()
    return true
  }

  /// Cancels running jobs without waiting, and prevents new ones.
  func close() {
    let jobs = state.withLock { state in
      state.isClosed = true
      return state.jobs.values.map { $0 }
    }
    for job in jobs { job.cancel() }
  }

  /// Returns the reason on failure; blocks until the job has ended.
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

  private func copy(_ paths: [FilePath]) -> Reason? {
    guard let clipboard else { return .noClipboard }
    return clipboard.put(paths)
  }

  private func open(_ number: UInt32, _ paths: [FilePath]) -> Reason? {
    guard let program = places.program(number) else { return .noProgram }
    return places.programs.start(program.id, with: paths.map(\.rawBytes))
  }

  /// `nil` means success: a task handles all items or none.
  private func result(_ order: DeliveryOrder, _ reason: Reason?) -> DeliveryResult {
    guard let reason else {
      return DeliveryResult(outcome: .delivered, route: .files, delivered: order.items.count)
    }
    return .failed(
      order.items.map(\.name), reason, reason == .interrupted ? .cancelled : .failed, by: .files)
  }
}
