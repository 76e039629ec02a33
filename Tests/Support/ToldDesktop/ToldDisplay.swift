import KeyDragCore

/// A display with windows as they are told, and with a drag where a test has one. Nothing else.
package final class ToldDisplay: Display {
  package let name: String
  private let told: any WindowReading
  private let outgoing: (any OutgoingDrag)?

  package init(
    _ windows: any WindowReading, drag: (any OutgoingDrag)? = nil, name: String = ""
  ) {
    (told, outgoing, self.name) = (windows, drag, name)
  }

  package var windows: any WindowReading { told }
  package var isSilent: Bool { false }

  package func beginDrag(_ forms: [DragForm]) throws(Reason) -> any OutgoingDrag {
    guard let outgoing else { throw .noDisplay }
    return outgoing
  }

  package var clipboard: any ClipboardLending { get throws(Reason) { throw .notTaken } }
  package var pointer: any PointerDragging { get throws(Reason) { throw .notTaken } }
  package var copyKey: any KeyPressing { get throws(Reason) { throw .notTaken } }
  package func openOverlay() throws(Reason) -> any DragOverlay { throw .notTaken }
  package func grabKeys(
    _ chords: [KeyStroke], handler: @escaping @Sendable (KeyGrabEvent) -> Void
  ) throws(Reason) -> any KeyGrabbing { throw .notTaken }
  package func taken(
    of chords: [KeyStroke], within patience: Duration
  ) throws(Reason) -> [KeyStroke]? { [] }
  package func takeSeat() throws(Reason) -> AnyObject? { nil }
}
