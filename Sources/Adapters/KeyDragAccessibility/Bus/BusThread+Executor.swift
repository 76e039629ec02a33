/// Lets an actor live on the thread, so that what it does with its connection needs no locks.
extension BusThread: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
