import KeyDragCore

/// A screen that shows the session: a terminal, an overlay.
package protocol Screen: AnyObject, Sendable {
  /// How many rows of a list fit beside everything else.
  func visibleRows(for contents: ScreenContents) -> Int

  /// Shows these contents; returns at once, and shows the newest when asked faster than it can.
  func show(_ contents: ScreenContents)

  /// Paints no words, but the looks of what stands there, which may be shown as out of date; an
  /// empty screen stays empty.
  func hold(_ contents: ScreenContents)

  /// Takes away what stands at the cursor for a braille display, because it is about to be out of
  /// date; `false` where nothing does.
  func clearCursorLine() -> Bool

  /// Paints everything anew, because what is on the screen was lost.
  func repaint()

  /// Whether a screen reader reads by itself what is painted here, as it does in a terminal.
  var isRead: Bool { get }

  /// Whether the reader is told nothing of words that are painted here behind a scroll.
  var scrolls: Bool { get }

  /// Whether the reader is told of all that changes here as of one text.
  var tellsWhole: Bool { get }
}

/// Taken for a terminal: it is read, and nothing stands at its cursor.
extension Screen {
  package var isRead: Bool { true }

  package var scrolls: Bool { false }

  package var tellsWhole: Bool { false }

  package func clearCursorLine() -> Bool { false }
}

/// A place for messages in plain text, a line each.
package protocol TextOutput: AnyObject, Sendable {
  /// `false` when nothing can be written there any more.
  func write(_ line: String) -> Bool
}

/// The receivers of a run's messages.
///
/// All may be there at once, or none.
package struct Outputs: Sendable {
  /// `nil` where no transcript is written.
  package var transcript: (any TranscriptSink)?
  /// `nil` for a run without a screen.
  package var screen: (any Screen)?
  /// `nil` once nothing can be written any more.
  package var text: (any TextOutput)?
  /// Hands messages to the person's screen reader; while one listens, the voice is silent.
  package var announcer: (any Announcer)?
  /// Speaks under the queue's rules.
  package var voice: (any Voice)?
  /// Records every announcement, in order, none left out.
  package var recorder: (any Voice)?
  /// Hears every announcement with its words: an app that shows or speaks them itself.
  package var listener: (@Sendable (Announcement, String) -> Void)?
  /// Hears every announcement and says what the person, who is being taught, is to hear after it.
  package var teacher: (@Sendable (Announcement) -> Lesson?)?
  /// Hears of another phase before a word is said of it: whose keys they are is settled by the time
  /// that the person hears that something is held, or that it is over.
  package var phases: (@Sendable (PhaseName) -> Void)?
  /// Hears what is asked of the world, before it is.
  package var requests: (@Sendable (WorldRequest) -> Void)?
  /// Hears what the world tells, before the session does.
  package var reports: (@Sendable (WorldReport) -> Void)?
  /// Whether short sounds come with the words.
  package var earcons = false

  package init() {}

  /// The channel by which announcements reach a person without a screen reader.
  ///
  /// Speech counts only while there is sound.
  package var channel: Channel {
    if let voice, ![.noSoundDevice, .noSynthesizer].contains(voice.problem) { return .speech }
    return screen != nil ? .screen : .text
  }
}
