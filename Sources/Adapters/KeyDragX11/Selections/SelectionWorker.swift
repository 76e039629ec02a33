import KeyDragCore
import KeyDragThreads

/// The thread of a coordinator. Ends with its last reference.
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
