import KeyDragCore

/// An X server, or the one that a Wayland session has for X11 programs.
package final class XDisplay: Display {
  package let name: String
  private let reader: DisplayWindows
  private let timing: XdndHandshake.Timing
  package let clipboard: any ClipboardLending
  package let pointer: any PointerDragging
  package let copyKey: any KeyPressing

  /// Connects for the windows, and blocks for it; the other parts connect on first use.
  ///
  /// - Parameters:
  ///   - patience: the timeout of each answer about windows; `nil` for the default.
  ///   - timing: how long programs are waited for in drags.
  ///   - holder: the program that keeps restored clipboard content after the end of this one, see
  ///     ``ClipboardHolder``; `nil` when only this process does.
  package init(
    _ name: String, within patience: Duration? = nil, timing: XdndHandshake.Timing = .init(),
    holder: String? = nil
  ) throws(Reason) {
    (self.name, self.timing) = (name, timing)
    reader = try DisplayWindows(display: name, within: patience)
    clipboard = Self.clipboard(name, holder: holder)
    pointer = PointerDrag(display: name)
    copyKey = CopyKey(display: name)
  }

  /// The clipboard alone, connected on first use.
  package static func clipboard(
    _ name: String, holder: String?
  ) -> any ClipboardLending & ClipboardAccess {
    ClipboardCoordinator(
      display: name, holder: holder.map { ClipboardHolder(program: $0, display: name) })
  }

  package var windows: any WindowReading { reader }

  package var isSilent: Bool { reader.isSilent }

  package func beginDrag(_ forms: [DragForm]) throws(Reason) -> any OutgoingDrag {
    try XdndSource(display: name, forms: forms, timing: timing)
  }

  package func openOverlay() throws(Reason) -> any DragOverlay { try Overlay(display: name) }

  package func grabKeys(
    _ chords: [KeyStroke], handler: @escaping @Sendable (KeyGrabEvent) -> Void
  ) throws(Reason) -> any KeyGrabbing {
    try DesktopKeys(display: name, chords: chords, handler: handler)
  }

  package func taken(
    of chords: [KeyStroke], within patience: Duration
  ) throws(Reason) -> [KeyStroke]? {
    let isRunning = try AgentSelectionLock.isTaken(on: name, within: patience)
    return isRunning ? nil : try DesktopKeys.taken(of: chords, on: name, within: patience)
  }

  package func takeSeat() throws(Reason) -> AnyObject? { try AgentSelectionLock.take(on: name) }
}
