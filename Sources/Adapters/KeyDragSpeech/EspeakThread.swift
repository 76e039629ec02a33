import KeyDragThreads

/// The one thread that owns libespeak-ng, which keeps its state in global variables.
///
/// Every voice of the process hands its work to this thread; each job has the library to itself.
package final class EspeakThread: Sendable {
  package static let shared = EspeakThread()

  /// Work for the library; `nil` when it could not be set up.
  package typealias Job = @Sendable (EspeakLibrary?) -> Void

  private let jobs = Monitor<[Job]>([])
  /// Whether the thread could be started; without it jobs run at once and without the library.
  private let isRunning: Bool

  private init() {
    let jobs = self.jobs
    isRunning = BackgroundThread.start {
      let library = EspeakLibrary()
      while true {
        let job = jobs.wait { $0.isEmpty ? nil : $0.removeFirst() }
        job(library)
      }
    }
  }

  /// Adds work after all that was added before, and returns at once.
  package func submit(_ job: @escaping Job) {
    guard isRunning else { return job(nil) }
    jobs.change { $0.append(job) }
  }
}
