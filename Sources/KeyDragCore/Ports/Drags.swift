/// One form in which items are offered to other programs.
package struct DragForm: Sendable {
  /// MIME name of the type, such as "text/uri-list".
  package var contentType: String
  /// Gives the bytes when a target asks; `nil` when it can't.
  package var load: @Sendable () async -> [UInt8]?
  /// Whether it says where files are and nothing of what is in them: a program that takes this form
  /// alone writes down their paths.
  package var isPaths = false
  /// Whether it is what is in one of the files alone.
  package var isContent = false
  /// Has it written as a file where the target says, in place of its bytes.
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

/// A program's answer for a place asked about.
package enum DragVerdict: Hashable, Sendable {
  /// The operation it names; `nil` for one that is none of ours.
  case accepts(DragOperation?)
  case refuses
  /// No answer in time.
  case silent
  /// There is no window that takes drops.
  case noTarget
  /// The window or the program is gone.
  case gone
  /// Another drag began on this display, or the display is gone: this one is over.
  case over
}

/// The outcome of a drop into a program.
package enum DragOutcome: Hashable, Sendable {
  /// The program says that it has the data; `nil` where it does not say what it did. This does not
  /// say that anything landed.
  case delivered(DragOperation?)
  /// Nothing was dropped, with the reason: ``Reason/notTaken``, ``Reason/notResponding``,
  /// ``Reason/interrupted`` or ``Reason/placeMoves``.
  case refused(Reason)
  case failed
  /// The program has been given data, and then says that nothing came of it or ends, with the reason
  /// ``Reason/programFailed`` or ``Reason/programEnded``: it may have used the data all the same.
  case doubtful(Reason)
  /// The program does not say: what was dropped may still land, and is told again if it does.
  case unknown
  case gone
}

/// One drag over the windows of a display, with neither pointer nor grab.
///
/// One question at a time: a newer one ends the one before, which is answered with `silent`.
package protocol DragConversing: AnyObject, Sendable {
  /// Asks a place with a real enter and move; one operation is offered and no other. The program
  /// stays entered until ``leave()`` or another question.
  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation
  ) async -> DragVerdict

  /// Says again where the drag is, as a pointer that rests on something to open it.
  func stay() async -> DragVerdict

  /// Goes away from the window; nothing is dropped.
  func leave()

  /// Asks a place once more and drops there. The pointer is kept at the point meanwhile and put back.
  ///
  /// - Parameters:
  ///   - isThere: called when the program has answered and had its pause, right before the drop: a list
  ///     may have moved on under the drag. Where it says no the drop is refused with
  ///     ``Reason/placeMoves``, and nothing is dropped.
  ///   - progress: called whenever the target has taken a part of what is too much to be given
  ///     whole: how many bytes of how many, from 0 on. From any thread.
  func drop(
    on window: WindowID, at point: ScreenPoint, operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> DragOutcome

  /// Gives up the drop that is on its way; `false` where its target has been given all of something,
  /// which may land; the drop goes on then.
  func giveUp() async -> Bool

  /// Called, from any thread, when what was of unknown end has ended after all.
  func onLateEnd(_ handler: @escaping @Sendable (DragOutcome) -> Void)

  /// Whether the target asked that the source be removed, after a move.
  var isSourceToBeDeleted: Bool { get }

  /// Ends the drag; data that a target is still taking is served to its end.
  func end()

  /// The same, and returns once the display has passed it on. Another drag comes by another connection,
  /// and its words may be there first.
  func finish() async

  /// Whether nothing can be asked by this drag any more: the display is gone or has not answered, or
  /// another drag has begun on it.
  var isLost: Bool { get }
}

extension DragConversing {
  package func finish() async { end() }
}

extension DragConversing {
  package var isLost: Bool { false }
}

/// Begins drags on a display.
package protocol DragMaking: AnyObject, Sendable {
  /// - Throws: ``Reason/noDisplay`` or ``Reason/notResponding``.
  func begin(_ forms: [DragForm]) throws(Reason) -> any DragConversing
}

// MARK: Selections

/// The selections of a desktop: the one that a person has made, and the one that was copied.
package enum DesktopSelection: String, Hashable, Sendable, CaseIterable {
  /// The text that is selected in some window.
  case primary
  case clipboard
}

/// One form of what is in a selection, as its type and its bytes.
package typealias SelectedForm = (contentType: String, bytes: [UInt8])

/// Reads the selections of a display.
package protocol SelectionReading: AnyObject, Sendable {
  /// The forms wanted, in their order, as far as the program offers them; all that it offers when
  /// none is named. A program that makes no progress for half a second is not waited for.
  ///
  /// - Parameters:
  ///   - forms: types such as "text/uri-list" and "UTF8_STRING".
  ///   - most: how many bytes at most, all together.
  func read(
    _ selection: DesktopSelection, forms: [String], most: Int
  ) async throws(Reason) -> [SelectedForm]
}

/// Gets at what a program's own Copy command gives, and leaves the clipboard as it was.
package protocol ClipboardBorrowing: AnyObject, Sendable {
  /// Keeps what is in the clipboard, has the program copy, reads what it gives and puts back what
  /// was kept. One at a time, the others wait.
  ///
  /// A clipboard that can't be kept is not touched: `copy` is not called then.
  ///
  /// - Parameter copy: has the program copy; called from any thread, and must not wait.
  func borrow(
    forms: [String], most: Int, copy: @escaping @Sendable () -> Void
  ) async throws(Reason) -> [SelectedForm]
}

// MARK: A drag by the pointer itself

/// The sign that the pointer's picture gives of the place that it was dragged to.
package enum PointerSign: Hashable, Sendable {
  case accepts
  case refuses
  /// A picture that says nothing, or none that is known.
  case unknown
}

/// Drags with the real pointer: the only way to drag within programs that keep drags to themselves.
package protocol PointerDragging: AnyObject, Sendable {
  /// Presses at one point, moves to another and releases there, about half a second in all; then the
  /// pointer goes back to where it was.
  ///
  /// - Returns: what the picture said before the release.
  /// - Throws: ``Reason/notTaken`` when the picture refuses: it is released at the start then;
  ///   ``Reason/interrupted`` when a hand holds a button or moves the pointer meanwhile.
  func drag(from start: ScreenPoint, to end: ScreenPoint) async throws(Reason) -> PointerSign

  /// Whether a press at each of these points would reach this window: nothing that takes presses
  /// lies over it there.
  func reaches(_ window: WindowID, at points: [ScreenPoint]) async -> Bool
}
