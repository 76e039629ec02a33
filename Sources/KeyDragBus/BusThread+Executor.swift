/// Lets actors run on the thread, so that their use of its connections needs no locks.
extension BusThread: SerialExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Traps when the actor is used on another thread.
  package func checkIsolated() { loop?.checkIsolated() }
}
