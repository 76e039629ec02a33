import Glibc
import KeyDragCore
import Synchronization

/// A person's wish to stop a delivery, seen by the thread that works on it.
final class Cancellation: Sendable {
  private let requested = Atomic(false)

  var isRequested: Bool { requested.load(ordering: .relaxed) }

  func request() { requested.store(true, ordering: .relaxed) }
}

/// Counts what a delivery has done, tells about it at most ten times a second, and notices the wish
/// to stop. Belongs to the thread that works on the delivery.
final class Meter {
  private let cancellation: Cancellation
  private let alive: () -> Void
  private let report: (DeliveryProgress) -> Void
  private var lastReport: Int64 = 0
  private var start: Int64 = 0
  private(set) var progress = DeliveryProgress()

  /// - Parameter alive: called whenever anything was got on with.
  init(
    cancellation: Cancellation = Cancellation(),
    report: @escaping (DeliveryProgress) -> Void = { _ in }, alive: @escaping () -> Void = {}
  ) {
    self.cancellation = cancellation
    self.alive = alive
    self.report = report
  }

  func begin(total: Int64) {
    progress = DeliveryProgress(bytesTotal: total)
    lastReport = Self.now
    start = lastReport
  }

  /// Something was got on with that is not stopped in the middle.
  func beat() { alive() }

  /// Throws ``CancelledByPerson`` when the person wants it to stop.
  func check() throws(CancelledByPerson) {
    alive()
    if cancellation.isRequested { throw CancelledByPerson() }
  }

  func add(_ bytes: Int64) throws {
    progress.bytesDone += bytes
    try check()
    reportIfDue()
  }

  /// Takes back what was counted for an item that failed.
  func goBack(toBytes bytes: Int64) { progress.bytesDone = bytes }

  func itemDone() {
    progress.itemsDone += 1
    reportIfDue()
  }

  private func reportIfDue() {
    let now = Self.now
    guard now - lastReport >= 100_000_000 else { return }
    lastReport = now
    progress.milliseconds = (now - start) / 1_000_000
    report(progress)
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.nanoseconds
  }
}
