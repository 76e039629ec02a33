import Dispatch
import Foundation
import Synchronization

/// Threads for tests that wait for other programs: as many as there are waits at a time.
///
/// Swift's own pool has one thread a processor. A test that waits on one of them takes it from
/// every other test and from the code under test: two such tests stop a machine of two processors.
final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  private struct State {
    var jobs: [UnownedJob] = []
    var idle = 0
  }

  private let state = Mutex(State())
  private let wakeUp = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasThread = state.withLock { state in
      state.jobs.append(job)
      guard state.idle > 0 else { return false }
      state.idle -= 1
      return true
    }
    if hasThread {
      wakeUp.signal()
    } else {
      Thread.detachNewThread { [self] in work() }
    }
  }

  private func work() {
    while true {
      let job = state.withLock { state -> UnownedJob? in
        if state.jobs.isEmpty {
          state.idle += 1
          return nil
        }
        return state.jobs.removeFirst()
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else {
        wakeUp.wait()
      }
    }
  }
}
