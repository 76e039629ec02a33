import KeyDragCore
import KeyDragThreads

/// A drag source that needs no mapped window, no pointer and no grab: it holds the conversation of
/// XDND with running programs, and serves them the data.
///
/// Every call returns at once; what comes of it is told to the handler, on a thread of its own.
///
/// Owns the thread, which it ends when nobody holds it any more.
package final class XdndSource: Sendable {
  package enum Event: Hashable, Sendable {
    /// One that comes late, after ``DragVerdict/silent``, is told all the same.
    case verdict(DragVerdict)
    /// An outcome after ``DragOutcome/unknown`` is the late end of the same drop.
    case ended(DragOutcome)
    /// The target asks that the source be removed, after a move.
    case deleteSource
    /// The target of a drop has taken a part of what goes in portions.
    case taken(bytes: Int, of: Int)
    /// Another drag began somewhere on this display: this one is over.
    case superseded
    case connectionLost
    /// The last: nothing is told after it.
    case closed
  }

  /// Which place is asked: the topmost window at the point, or a window that may be covered.
  package enum Target: Hashable, Sendable {
    /// As a pointer would find it.
    case screen
    case window(XWindow)
  }

  private let thread: EventLoop
  private let box: ThreadConfined<DragConversation>

  /// Connects and takes the selection.
  ///
  /// Blocks for connecting. A drag that another program has on this display is over from then on:
  /// XdndSelection has one owner.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - handler: called on the source's own thread, in order.
  package init(
    display: String? = nil, forms: [DragForm], timing: Handshake.Timing = .init(),
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

  /// A drop of unknown end is served on: the thread ends by itself when nothing can come any more.
  ///
  /// Calls are posted, so that this returns at once.
  deinit { end() }

  /// Asks the target at a point; offers this operation and no other.
  ///
  /// - Parameter first: called on the source's thread after everything of the question before is
  ///   told, and before anything of this one; when it says `false`, nothing is asked.
  /// - Returns: `false` when the source is closed; nothing is called then.
  @discardableResult
  package func hover(
    _ place: Target, at point: RootPoint, operation: DragOperation,
    first: @escaping @Sendable () -> Bool = { true }
  ) -> Bool {
    onThread {
      if first() { $0.hover(place, point, operation) }
    }
  }

  /// Says again where it is, as a pointer that rests on something to open it; told as a verdict.
  @discardableResult
  package func stay(first: @escaping @Sendable () -> Bool = { true }) -> Bool {
    onThread {
      if first() { $0.stay() }
    }
  }

  /// Goes away from the target; nothing is dropped.
  package func leave(first: @escaping @Sendable () -> Void = {}) {
    onThread {
      first()
      $0.leave()
    }
  }

  /// Drops at a point, asked before or not, when the target accepts; its outcome is told.
  ///
  /// Waits for hands to leave modifiers and buttons, keeps the pointer at the point meanwhile, and
  /// asks before.
  ///
  /// - Parameter isThere: called after the last position, right before the drop; where it says no,
  ///   the drop is refused with ``Reason/placeMoves``.
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

  /// Gives up the drop that is on its way.
  ///
  /// - Parameter answer: called on the source's thread, before the end is told: `false` where there
  ///   is no such drop, or what it brings may land.
  /// - Returns: `false` when the source is closed; nothing is called then.
  @discardableResult
  package func giveUp(_ answer: @escaping @Sendable (Bool) -> Void) -> Bool {
    onThread { answer($0.giveUp()) }
  }

  /// Ends the drag; data that a target is still taking is served to its end.
  package func end() { onThread { $0.end() } }

  /// The same.
  ///
  /// - Parameter answer: called on the source's thread once the display has passed it on.
  /// - Returns: `false` when the source is closed; nothing is called then.
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
