/// The view over a desktop while something is carried: a frame around the drop point reached, and
/// beside it what was said of it.
package struct OverlayView: Hashable, Sendable {
  /// Around the drop point; `nil` where its place is not known. It may lie anywhere.
  package var frame: ScreenRectangle?
  /// In words, the most important first; each is cut where it is too long.
  package var lines: [String]
  /// Seen by colour, line and sign, never by colour alone; `nil` for what is no answer.
  package var verdict: Verdict?
  /// Shown whole in place of the words, over whatever is there; empty for nothing but the words.
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
