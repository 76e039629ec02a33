import KeyDragCore
import KeyDragThreads

/// Reads the selections of a display on a thread of its own.
///
/// Safe from any thread. Beside ``ClipboardKeeper``, which also writes.
package final class SelectionReader: SelectionReading {
  private let worker: SelectionWorker

  /// Blocks for connecting.
  ///
  /// - Parameter display: `nil` for the one that DISPLAY names.
  package init(
    display: String? = nil, timing: SelectionFetch.Timing = .init()
  ) throws(XError) {
    worker = try SelectionWorker(display: display, timing: timing)
  }

  /// Empty forms mean all of them. `most` is in bytes.
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
  /// Long texts as well: for what is given back, not read out.
  static var everything: Self {
    var limits = Self()
    limits.text = limits.whole
    return limits
  }

  /// As little as is asked for, and never more than is good.
  ///
  /// In bytes, all forms together.
  init(most: Int) {
    self.init()
    whole = min(max(most, 0), whole)
  }
}

/// The thread that a desk belongs to.
///
/// Ends with its last reference.
final class SelectionWorker: Sendable {
  private let thread: EventLoop
  private let box: ThreadConfined<SelectionDesk>

  /// Blocks for connecting.
  ///
  /// - Parameter holder: `nil` where what is put back is held by this process alone.
  init(
    display: String?, timing: SelectionFetch.Timing, holder: ClipboardHolder? = nil
  ) throws(XError) {
    guard let thread = EventLoop() else { throw .unreachable(display: display) }
    let box = ThreadConfined(
      try SelectionDesk(display: display, timing: timing, holder: holder, thread: thread))
    guard BackgroundThread.start({ box.value.run() }) else {
      throw .unreachable(display: display)
    }
    (self.thread, self.box) = (thread, box)
  }

  deinit { thread.stop() }

  /// Has the job run on the thread; `false` when it has ended.
  ///
  /// In the order of posting.
  @discardableResult
  func post(_ job: @escaping @Sendable (SelectionDesk) -> Void) -> Bool {
    let box = box
    return thread.post { job(box.value) }
  }
}
