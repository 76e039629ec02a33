package struct DragForm: Sendable {
  /// MIME name of the type, such as "text/uri-list".
  package var contentType: String
  /// Loads the bytes when a target asks; `nil` on failure.
  package var load: @Sendable () async -> [UInt8]?
  /// Whether it holds only the paths of files, which a program that takes it alone inserts.
  package var isPaths = false
  /// Whether it holds the contents of a single file only.
  package var isContent = false
  /// Set for a file to be written where the target says, instead of the bytes.
  package var save: DirectSave?

  package init(_ save: DirectSave) {
    self.init(DirectSave.type) { nil }
    self.save = save
  }

  package init(_ contentType: String, load: @escaping @Sendable () async -> [UInt8]?) {
    self.contentType = contentType
    self.load = load
  }

  package init(_ contentType: String, bytes: [UInt8]) {
    self.init(contentType) { bytes }
  }
}

/// The answer of a program to a drag over it, or to a drop.
package enum DragAnswer: Hashable, Sendable {
  /// The operation in the answer; `nil` for one that is none of ours. Of a drop: the program reports
  /// that it has the data, which is no proof that anything landed.
  case accepts(DragOperation?)
  /// Nothing was dropped: ``Reason/notTaken``, ``Reason/notResponding``, ``Reason/placeMoves``, or
  /// ``Reason/notShown`` where no window takes drops, ``Reason/gone``, and ``Reason/interrupted``
  /// for a drag that is over, as another one began on this display, or the display is gone.
  case refuses(Reason)
  /// The program reported failure (``Reason/programFailed``) or ended (``Reason/programEnded``).
  case failed(Reason)
  /// As ``failed(_:)``, after the program got data, which it may have used all the same.
  case doubtful(Reason)
  /// No answer in time. A drop may still land, which is reported later.
  case silent
}

/// A drag over the windows of a display, without pointer or grab.
///
/// One question at a time: a newer one ends the previous one, which is answered with `silent`.
package protocol OutgoingDrag: AnyObject, Sendable {
  /// Asks a place with a real enter and motion, offering one operation only. The window stays
  /// entered until ``leave()`` or the next question.
  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation
  ) async -> DragAnswer

  /// Repeats the position, as a pointer that hovers over something to open it.
  func stay() async -> DragAnswer

  /// Leaves the window without a drop.
  func leave()

  /// Asks a place again and drops there. The pointer is held at the point meanwhile and moved back
  /// afterwards.
  ///
  /// - Parameters:
  ///   - isThere: called after the program's answer and a pause, right before the drop, since a
  ///     list may have scrolled under the drag; on `false` the drop is refused with
  ///     ``Reason/placeMoves``.
  ///   - progress: called on any thread when the target has read another part of data that is
  ///     transferred in parts, in bytes, from 0.
  ///   - late: called on any thread when an unknown outcome becomes known.
  func drop(
    on window: WindowID, at point: ScreenPoint, operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool,
    progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void,
    late: @escaping @Sendable (DragAnswer) -> Void
  ) async -> DragAnswer

  /// Cancels the drop in progress; `false` if its target has all of some data, which may land: the
  /// drop then continues.
  func giveUp() async -> Bool

  /// Ends the drag, which nobody else does; data that a target is still reading is served to its
  /// end, and a drop of unknown outcome until it is known.
  func end()

  /// Ends the drag and returns once the display has processed that. Another drag uses another
  /// connection, whose messages could overtake this one's.
  func finish() async

  /// Whether this drag can ask nothing any more: the display is gone or does not respond, or
  /// another drag has begun on it.
  var isLost: Bool { get }
}

// MARK: Selections

/// One form of a selection.
package typealias SelectedForm = (contentType: String, bytes: [UInt8])

// MARK: A drag by the pointer itself

/// Drags with the real pointer: the only way within programs that keep drags to themselves.
package protocol PointerDragging: AnyObject, Sendable {
  /// Presses at one point, moves to another and releases there, in about half a second; then moves
  /// the pointer back.
  ///
  /// - Returns: the pointer shape before the release; `silent` for one that is unknown.
  /// - Throws: ``Reason/notTaken`` when the shape refuses, after a release at the start;
  ///   ``Reason/interrupted`` when the person holds a button or moves the pointer meanwhile.
  func drag(from start: ScreenPoint, to end: ScreenPoint) async throws(Reason) -> DragAnswer

  /// Whether a press at each of these points would reach this window, not one above it.
  func reaches(_ window: WindowID, at points: [ScreenPoint]) async -> Bool
}
