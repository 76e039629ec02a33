import KeyDragCore

/// Shows contents on a terminal without blocking. Safe from any thread.
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

  /// The number of rows that fit beside the title, the items carried, the deliveries and the
  /// message of `contents`, whose own rows do not count; at least 1.
  package func visibleRows(for contents: ScreenContents) -> Int {
    layout.visibleRows(for: contents)
  }

  /// Whether there is room for the contents of the folder stood on.
  package var hasPreview: Bool { layout.hasPreview }

  /// Updates the terminal to `contents`; writes nothing if they are the same.
  package func show(_ contents: ScreenContents) {
    terminal.output.show(layout.frame(for: contents), keepsCursor: contents.keepsCursor)
  }

  /// Writes no words, because a screen reader would read them: unchanged words take the style of
  /// `contents`, and the rest becomes faint.
  package func hold(_ contents: ScreenContents) {
    terminal.output.hold(layout.frame(for: contents), adds: contents.mayAdd)
  }

  package func clearCursorLine(except name: String?) -> Bool {
    terminal.output.clearCursorLine(except: name)
  }

  package func showMessage(of contents: ScreenContents) -> Bool {
    let frame = layout.frame(for: contents)
    let plain = ScreenText.clean(contents.message)
    // Isolates would be read, or spelled.
    guard frame.isHeard, plain == contents.message,
      frame.lines[frame.cursorRow].text == " " + plain
    else { return false }
    return terminal.output.showCursorLine(contents.message)
  }

  /// Writes everything again, for the redraw command: another program may have overwritten it.
  package func repaint() { terminal.output.repaint() }
}
