import KeyDragCore
import KeyDragThreads

/// Reads a display's selections on its own thread; ``ClipboardCoordinator`` also writes. Safe from any
/// thread.
package final class SelectionReader: SelectionReading {
  private let worker: SelectionWorker

  /// Blocks while connecting.
  package init(
    display: String? = nil, timing: SelectionFetch.Timing = .init()
  ) throws(XError) {
    worker = try SelectionWorker(display: display, timing: timing)
  }

  /// No forms means all. `most` is in bytes.
  package func read(
    _ selection: DesktopSelection, forms: [String], most: Int
  ) async throws(Reason) -> [SelectedForm] {
    try await answered { reply in
      let isTaken = worker.post { desk in
        desk.read(selection, forms: forms.isEmpty ? nil : forms, limits: .init(most: most)) {
          reply($0.map(desk.names(of:)))
        }
      }
      if !isTaken { reply(.failure(.noDisplay)) }
    }
  }
}

extension SelectionFetch.Limits {
  /// Long texts as well: for restoring, not for reading out.
  static var everything: Self {
    var limits = Self()
    limits.text = limits.whole
    return limits
  }

  /// Lowers the limit, in bytes for all forms together.
  init(most: Int) {
    self.init()
    whole = min(max(most, 0), whole)
  }
}

/// The thread of a desk. Ends with its last reference.
final class SelectionWorker: Sendable {
  private let thread: EventLoop
  private let box: ThreadConfined<SelectionCoordinator>

  /// Blocks while connecting.
  ///
  /// - Parameter holder: `nil` when only this process holds restored content.
  init(
    display: String?, timing: SelectionFetch.Timing, holder: ClipboardHolder? = nil
  ) throws(XError) {
    guard let thread = EventLoop() else { throw .unreachable(display: display) }
    let box = ThreadConfined(
      try SelectionCoordinator(display: display, timing: timing, holder: holder, thread: thread))
    guard BackgroundThread.start({ box.value.run() }) else {
      throw .unreachable(display: display)
    }
    (self.thread, self.box) = (thread, box)
  }

  deinit { thread.stop() }

  /// Posts a job to the thread, in order; `false` when the thread has ended.
  @discardableResult
  func post(_ job: @escaping @Sendable (SelectionCoordinator) -> Void) -> Bool {
    let box = box
    return thread.post { job(box.value) }
  }
}
