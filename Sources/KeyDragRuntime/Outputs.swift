import KeyDragCore

/// A screen that shows the session: a terminal or an overlay.
package protocol Screen: AnyObject, Sendable {
  /// The number of list rows that fit beside everything else.
  func visibleRows(for contents: ScreenContents) -> Int

  /// Shows these contents without waiting; paints only the newest when it can't keep up.
  func show(_ contents: ScreenContents)

  /// Repaints attributes but no words, to show the text as stale; an empty screen stays empty.
  func hold(_ contents: ScreenContents)

  /// Clears the text at the cursor of a braille display because it is about to be stale; `false`
  /// when there is none.
  ///
  /// - Parameter name: a line with these words in it is not stale.
  func clearCursorLine(except name: String?) -> Bool

  /// Shows the message of these contents alone, at the cursor, for a reader that reads it there; `false` where
  /// it stands there already, or is not the whole line.
  func showMessage(of contents: ScreenContents) -> Bool

  /// Repaints everything after the contents of the screen were lost.
  func repaint()

  /// Whether a screen reader reads by itself what is painted here, as in a terminal.
  var isRead: Bool { get }

  /// Whether it has room for the contents of the folder stood on.
  var hasPreview: Bool { get }

  /// Whether the reader is told nothing of words that are painted here behind a scroll.
  var scrolls: Bool { get }

  /// Whether the reader is told of all that changes here as of one text.
  var tellsWhole: Bool { get }
}

/// Taken for a small terminal: it is read, and nothing stands at its cursor.
extension Screen {
  package var isRead: Bool { true }

  package var hasPreview: Bool { false }

  package var scrolls: Bool { false }

  package var tellsWhole: Bool { false }

  package func clearCursorLine(except name: String?) -> Bool { false }

  package func showMessage(of contents: ScreenContents) -> Bool { false }
}

/// A sink for plain text messages, one a line.
package protocol TextOutput: AnyObject, Sendable {
  /// `false` when nothing can be written any more.
  func write(_ line: String) -> Bool
}

/// The outputs of a run, any of which may be missing.
package struct Outputs: Sendable {
  package var transcript: (any TranscriptSink)?
  package var screen: (any Screen)?
  /// `nil` once nothing can be written any more.
  package var text: (any TextOutput)?
  /// The person's screen reader; while it listens, the voice is silent.
  package var announcer: (any Announcer)?
  /// Speaks under the rules of ``AnnouncementQueue``.
  package var voice: (any Voice)?
  /// Records every announcement in order, dropping none.
  package var recorder: (any Voice)?
  /// Called with every announcement and its words: an app that shows or speaks them itself.
  package var listener: (@Sendable (Announcement, String) -> Void)?
  /// Called with every announcement; returns the lesson to say after it.
  package var teacher: (@Sendable (Announcement) -> Lesson?)?
  /// Called with a new phase before it is announced: key grabs are settled by the time the person
  /// hears that something is held, or that it is over.
  package var phases: (@Sendable (PhaseName) -> Void)?
  /// Called with each request before the world gets it.
  package var requests: (@Sendable (WorldRequest) -> Void)?
  /// Called with each report before the session gets it.
  package var reports: (@Sendable (WorldReport) -> Void)?
  package var earcons = false

  package init() {}

  /// The channel without a screen reader; speech counts only while there is sound.
  package var channel: Channel {
    if let voice, ![.noSoundDevice, .noSynthesizer].contains(voice.problem) { return .speech }
    return screen != nil ? .screen : .text
  }
}
