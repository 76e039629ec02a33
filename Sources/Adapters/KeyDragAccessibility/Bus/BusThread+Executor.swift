/// Lets an actor live on the thread, so that what it does with its connection needs no locks.
extension BusThread: SerialExecutor {
  /// Runs a job of the actor, behind all that was handed over before.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Stops the program where something of the actor is called on another thread.
  func checkIsolated() { loop?.checkIsolated() }
}
