import KeyDragThreads

/// The one thread that owns libespeak-ng, which keeps its state in global variables. Every voice of
/// the process submits its jobs here.
package actor EspeakExecutor {
  package static let shared = EspeakExecutor()

  /// Work for the library; `nil` if that could not be set up.
  package typealias Job = @Sendable (EspeakLibrary?) -> Void

  /// `nil` if no thread could be started; jobs then run at once, without the library.
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

  /// Enqueues a job, and returns at once.
  package nonisolated func submit(_ job: @escaping Job) {
    guard let loop else { return job(nil) }
    loop.post { self.assumeIsolated { job($0.library) } }
  }
}
