import KeyDragThreads

/// The one thread that owns libespeak-ng, which keeps its state in global variables.
///
/// Every voice of the process hands its work to this thread; each job has the library to itself.
package actor EspeakThread {
  package static let shared = EspeakThread()

  /// Work for the library; `nil` when it could not be set up.
  package typealias Job = @Sendable (EspeakLibrary?) -> Void

  /// `nil` where no thread is to be had; jobs run at once and without the library then.
  private let loop: EventLoop?
  /// Set up by the first job.
  private lazy var library = EspeakLibrary()

  /// Without a loop nothing ever runs on it.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop?.asUnownedSerialExecutor() ?? MainActor.sharedUnownedExecutor
  }

  private init() {
    let loop = EventLoop()
    self.loop = loop?.start() == true ? loop : nil
  }

  /// Adds work after all that was added before, and returns at once.
  package nonisolated func submit(_ job: @escaping Job) {
    guard let loop else { return job(nil) }
    loop.post { self.assumeIsolated { job($0.library) } }
  }
}
