import KeyDragCore
import KeyDragThreads

/// A worker on a thread of its own, which ends with the last reference.
final class WorkerThread<Worker>: Sendable {
  private let loop: EventLoop
  /// `nil` once the thread has ended.
  private let box: ThreadConfined<Worker?>

  /// Blocks while the worker is made, on the caller's thread.
  ///
  /// - Parameter run: blocks the thread until its loop ends; the worker is then released.
  init(
    _ make: (EventLoop) throws(Reason) -> Worker,
    run: @escaping @Sendable (Worker, EventLoop) -> Void
  ) throws(Reason) {
    guard let loop = EventLoop() else { throw .noDisplay }
    let box = ThreadConfined<Worker?>(try make(loop))
    let isStarted = BackgroundThread.start {
      if let worker = box.value { run(worker, loop) }
      box.value = nil
    }
    guard isStarted else { throw .noDisplay }
    (self.loop, self.box) = (loop, box)
  }

  deinit { loop.stop() }

  func stop() { loop.stop() }

  /// Posts a job, in order; `false` when the thread has ended.
  @discardableResult
  func post(_ job: @escaping @Sendable (Worker) -> Void) -> Bool {
    let box = box
    return loop.post {
      if let worker = box.value { job(worker) }
    }
  }
}
