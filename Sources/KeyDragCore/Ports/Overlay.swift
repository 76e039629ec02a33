/// The overlay of a drag on a desktop: a frame around the drop point, and text beside it.
package struct OverlayView: Hashable, Sendable {
  /// Around the drop point; `nil` if its position is unknown. May lie off screen.
  package var frame: ScreenRectangle?
  /// The most important first; each is truncated to fit.
  package var lines: [String]
  /// Shown by colour, line and symbol, never by colour alone; `nil` for no verdict.
  package var verdict: Verdict.Word?
  /// Shown whole instead of the lines, over everything; empty for none.
  package var help: [String]

  package init(
    frame: ScreenRectangle?, lines: [String], verdict: Verdict.Word?, help: [String] = []
  ) {
    self.frame = frame
    self.lines = lines
    self.verdict = verdict
    self.help = help
  }
}

/// The window that contains a place: the frame moves with it.
package struct OverlayAnchor: Hashable, Sendable {
  package var window: WindowID
  /// The window's rectangle when the place was found; `nil` when unknown, and the frame stays put.
  package var rectangle: ScreenRectangle?

  package init(window: WindowID, rectangle: ScreenRectangle?) {
    self.window = window
    self.rectangle = rectangle
  }
}

/// Shows a frame and a label above all windows of a display. Clicks, keys and drags pass through.
package protocol DragOverlay: AnyObject, Sendable {
  /// Replaces what is shown.
  ///
  /// - Parameters:
  ///   - anchor: the window it concerns: the frame follows it, and is hidden while the window is.
  ///   - then: called on the overlay's thread once this, or something newer, is on the screen.
  func show(_ view: OverlayView, in anchor: OverlayAnchor?, then: (@Sendable () -> Void)?)

  func hide(then: (@Sendable () -> Void)?)

  /// Calls the handler, on the overlay's thread, when the followed window is resized or reappears:
  /// the places in it must be looked up again.
  func onOutdated(_ handler: @escaping @Sendable () -> Void)
}
