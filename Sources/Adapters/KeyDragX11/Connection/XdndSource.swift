import KeyDragCore
import KeyDragThreads

/// A drag source without a mapped window, pointer or grab: it holds the XDND conversation with
/// running programs and serves them the data. Calls return at once; results go to the handler on
/// the source's own thread, which ends after the source is released.
package final class XdndSource: Sendable {
  package enum Event: Hashable, Sendable {
    /// Delivered even when late, after ``DragVerdict/silent``.
    case verdict(DragVerdict)
    /// After ``DragOutcome/unknown``, the late outcome of the same drop.
    case ended(DragOutcome)
    /// The target asks for the source to be removed, after a move.
    case deleteSource
    /// Progress of a drop whose data goes in portions.
    case taken(bytes: Int, of: Int)
    /// Another drag started on this display: this one is over.
    case superseded
    case connectionLost
    /// The last event.
    case closed
  }

  /// The place to ask: the topmost window at a point, or a window that may be covered.
  package enum Target: Hashable, Sendable {
    /// As a pointer would find it.
    case screen
    case window(XWindow)
  }

  private let thread: EventLoop
  private let box: ThreadConfined<DragConversation>

  /// Connects and takes the selection, blocking while it connects. Another program's drag on this
  /// display ends: XdndSelection has one owner.
  ///
  /// - Parameter handler: called on the source's own thread, in order.
  package init(
    display: String? = nil, forms: [DragForm], timing: XdndHandshake.Timing = .init(),
    handler: @escaping @Sendable (Event) -> Void
  ) throws(XError) {
    guard let thread = EventLoop() else { throw .unreachable(display: display) }
    let box = ThreadConfined(
      try DragConversation(
        display: display, forms: forms, timing: timing, thread: thread, handler: handler))
    guard BackgroundThread.start({ box.value.run() }) else {
      throw .unreachable(display: display)
    }
    (self.thread, self.box) = (thread, box)
  }

  /// A drop of unknown outcome is still served: the thread ends by itself when nothing more can
  /// arrive.
  deinit { end() }

  /// Asks the target at a point, offering only this operation.
  ///
  /// - Parameter first: called on the source's thread after all events of the previous question and
  ///   before any of this one; `false` cancels the question.
  /// - Returns: `false`, without calling back, when the source is closed.
  @discardableResult
  package func hover(
    _ place: Target, at point: RootPoint, operation: DragOperation,
    first: @escaping @Sendable () -> Bool = { true }
  ) -> Bool {
    onThread {
      if first() { $0.hover(place, point, operation) }
    }
  }

  /// Repeats the last position, like a pointer resting on something to open it; answered by a
  /// verdict.
  @discardableResult
  package func stay(first: @escaping @Sendable () -> Bool = { true }) -> Bool {
    onThread {
      if first() { $0.stay() }
    }
  }

  package func leave(first: @escaping @Sendable () -> Void = {}) {
    onThread {
      first()
      $0.leave()
    }
  }

  /// Drops at a point, asked before or not, if the target accepts; the outcome is reported.
  ///
  /// Waits for modifiers and buttons to be released, parks the pointer at the point, and asks
  /// first.
  ///
  /// - Parameter isThere: called after the last position, right before the drop; `false` refuses
  ///   the drop with ``Reason/placeMoves``.
  @discardableResult
  package func drop(
    _ place: Target, at point: RootPoint, operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool,
    first: @escaping @Sendable () -> Bool = { true }
  ) -> Bool {
    onThread {
      if first() { $0.drop(place, point, operation, isThere: isThere) }
    }
  }

  /// Abandons the drop in flight.
  ///
  /// - Parameter answer: called on the source's thread; `false` when there is no such drop, or its
  ///   data may have landed.
  /// - Returns: `false`, without calling back, when the source is closed.
  @discardableResult
  package func giveUp(_ answer: @escaping @Sendable (Bool) -> Void) -> Bool {
    onThread { answer($0.giveUp()) }
  }

  /// Ends the drag; transfers in progress are served to their end.
  package func end() { onThread { $0.end() } }

  /// Ends the drag, as ``end()`` does.
  ///
  /// - Parameter answer: called on the source's thread after a round trip to the display.
  /// - Returns: `false`, without calling back, when the source is closed.
  func end(_ answer: @escaping @Sendable () -> Void) -> Bool {
    onThread {
      $0.end()
      $0.awaitDisplay()
      answer()
    }
  }

  @discardableResult
  private func onThread(_ body: @escaping @Sendable (DragConversation) -> Void) -> Bool {
    let box = box
    return thread.post { body(box.value) }
  }
}
