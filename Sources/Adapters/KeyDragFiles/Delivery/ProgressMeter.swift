import KeyDragCore
import Synchronization

/// Cancels a delivery from another thread. Permanent. Takes effect at the next ``ProgressMeter/check()``,
/// after any system call in progress.
final class Cancellation: Sendable {
  private let requested = Atomic(false)

  var isRequested: Bool { requested.load(ordering: .relaxed) }

  func request() { requested.store(true, ordering: .relaxed) }
}

/// Counts a delivery's progress, reports it at most ten times a second, and checks for
/// cancellation. Not thread-safe: belongs to the delivery's thread.
final class ProgressMeter {
  private let cancellation: Cancellation
  /// Called often, on the delivery's thread.
  private let alive: () -> Void
  private let report: (DeliveryProgress) -> Void
  private let clock: any Clock<Duration>
  private var time: @Sendable () -> Duration
  private var lastReport = Duration.zero
  private(set) var progress = DeliveryProgress()

  /// - Parameters:
  ///   - alive: called on progress.
  ///   - clock: one that stops while the computer sleeps, since the remaining time is estimated by
  ///     it.
  init(
    cancellation: Cancellation = Cancellation(),
    report: @escaping (DeliveryProgress) -> Void = { _ in }, alive: @escaping () -> Void = {},
    clock: any Clock<Duration> = SuspendingClock()
  ) {
    self.cancellation = cancellation
    self.alive = alive
    self.report = report
    (self.clock, time) = (clock, clock.stopwatch())
  }

  func begin(total: Int64) {
    progress = DeliveryProgress(bytesTotal: total)
    (time, lastReport) = (clock.stopwatch(), .zero)
  }

  /// Reports progress without checking for cancellation.
  func beat() { alive() }

  /// Throws ``CancelledByPerson`` if the delivery is cancelled. Call only where stopping leaves
  /// nothing that is not cleaned up.
  func check() throws(CancelledByPerson) {
    alive()
    if cancellation.isRequested { throw CancelledByPerson() }
  }

  /// Counts the bytes even if it throws.
  func add(_ bytes: Int64) throws {
    progress.bytesDone += bytes
    try check()
    reportIfDue()
  }

  func goBack(toBytes bytes: Int64) { progress.bytesDone = bytes }

  /// Counts a whole item, not a part of a folder.
  func itemDone() {
    progress.itemsDone += 1
    reportIfDue()
  }

  /// At most every 100 ms; blocks during the report.
  private func reportIfDue() {
    let now = time()
    guard now - lastReport >= .milliseconds(100) else { return }
    lastReport = now
    progress.milliseconds = Int64(now / .milliseconds(1))
    report(progress)
  }
}
