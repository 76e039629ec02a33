/// The overlay of a drag on a desktop: a frame around the drop point, and text beside it.
package struct OverlayView: Hashable, Sendable {
  /// Around the drop point; `nil` if its position is unknown. May lie off screen.
  package var frame: ScreenRectangle?
  /// The most important first; each is truncated to fit.
  package var lines: [String]
  /// Shown by colour, line and symbol, never by colour alone; `nil` for no verdict.
  package var verdict: Verdict?
  /// Shown whole instead of the lines, over everything; empty for none.
  package var help: [String]

  package init(
    frame: ScreenRectangle?, lines: [String], verdict: Verdict?, help: [String] = []
  ) {
    self.frame = frame
    self.lines = lines
    self.verdict = verdict
    self.help = help
  }
}
