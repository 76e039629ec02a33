import KeyDragCore

/// Shows contents on a terminal; from any thread, and never waiting for the terminal.
package final class TerminalScreen: Sendable {
  private let terminal: Terminal
  private let colors: KindColors
  /// Whether a screen reader says nothing of words that come behind a scroll.
  package let scrolls: Bool
  /// Whether it is told of all that changes as of one text.
  package let tellsWhole: Bool

  package init(
    terminal: Terminal, colors: KindColors = KindColors(), environment: [String: String] = [:]
  ) {
    (self.terminal, self.colors) = (terminal, colors)
    tellsWhole = environment["VTE_VERSION"] != nil && TerminalProbe.isInVTE()
    scrolls = tellsWhole && ScreenLayout.scrolls(environment)
  }

  private var layout: ScreenLayout {
    ScreenLayout(size: terminal.size, colors: colors, scrolls: scrolls)
  }

  /// How many rows fit beside the title, what is carried, the deliveries and the message of
  /// `contents`; its own rows do not count. At least 1.
  package func visibleRows(for contents: ScreenContents) -> Int {
    layout.visibleRows(for: contents)
  }

  /// Brings the terminal from what it shows to `contents`; writes nothing when they are the same.
  package func show(_ contents: ScreenContents) {
    terminal.show(layout.frame(for: contents), keepsCursor: contents.keepsCursor)
  }

  /// Writes no words, because a screen reader would read them out: what `contents` still says keeps its
  /// words and shows by its looks where the person is, the rest becomes faint.
  package func hold(_ contents: ScreenContents) {
    terminal.hold(layout.frame(for: contents), adds: contents.mayAdd)
  }

  package func clearCursorLine() -> Bool { terminal.clearCursorLine() }

  /// Writes everything again, for the redraw command: another program may have written over it.
  package func redraw() { terminal.repaint() }
}
