import KeyDragCore
import Synchronization

/// A person's wish to stop a delivery, seen by the thread that works on it.
///
/// Cannot be taken back. Seen at the next ``Meter/check()``, which may be as late as the system
/// call that runs now.
final class Cancellation: Sendable {
  private let requested = Atomic(false)

  var isRequested: Bool { requested.load(ordering: .relaxed) }

  func request() { requested.store(true, ordering: .relaxed) }
}

/// Counts what a delivery has done, tells about it at most ten times a second, and notices the wish
/// to stop. Belongs to the thread that works on the delivery.
///
/// Not safe for two threads.
final class Meter {
  private let cancellation: Cancellation
  /// Called on the thread of the delivery, often.
  private let alive: () -> Void
  private let report: (DeliveryProgress) -> Void
  private let clock: any Clock<Duration>
  /// How long ago the count began.
  private var time: @Sendable () -> Duration
  /// When it was told last, since the count began.
  private var lastReport = Duration.zero
  private(set) var progress = DeliveryProgress()

  /// - Parameters:
  ///   - alive: called whenever anything was got on with.
  ///   - clock: one that stands still while the computer sleeps, as what is left is told by it.
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

  /// Starts the count again from nothing.
  func begin(total: Int64) {
    progress = DeliveryProgress(bytesTotal: total)
    (time, lastReport) = (clock.stopwatch(), .zero)
  }

  /// Something was got on with that is not stopped in the middle.
  func beat() { alive() }

  /// Throws ``CancelledByPerson`` when the person wants it to stop.
  ///
  /// Called between pieces of work, where stopping leaves nothing half done that is not cleaned up.
  func check() throws(CancelledByPerson) {
    alive()
    if cancellation.isRequested { throw CancelledByPerson() }
  }

  /// The bytes are counted even where this throws.
  func add(_ bytes: Int64) throws {
    progress.bytesDone += bytes
    try check()
    reportIfDue()
  }

  /// Takes back what was counted for an item that failed.
  func goBack(toBytes bytes: Int64) { progress.bytesDone = bytes }

  /// Counts a whole item: parts of folders are not.
  func itemDone() {
    progress.itemsDone += 1
    reportIfDue()
  }

  /// At most each 100 ms; the caller is held up while the report is taken.
  private func reportIfDue() {
    let now = time()
    guard now - lastReport >= .milliseconds(100) else { return }
    lastReport = now
    progress.milliseconds = Int64(now / .milliseconds(1))
    report(progress)
  }
}
