/// A display server: the windows of all programs on it, and the ways into them.
///
/// Each part throws why it is missing. The functions connect, and block for it.
package protocol Display: AnyObject, Sendable {
  /// Borne by the identities of its windows, such as ":0".
  var name: String { get }

  /// Whether the last question about its windows was not answered in time.
  var isSilent: Bool { get }

  var windows: any WindowReading { get throws(Reason) }

  /// Begins a drag that offers these forms, and ends another one on this display.
  func beginDrag(_ forms: [DragForm]) throws(Reason) -> any OutgoingDrag

  /// For programs to paste from and to copy into.
  var clipboard: any ClipboardLending { get throws(Reason) }

  var pointer: any PointerDragging { get throws(Reason) }

  var copyKey: any KeyPressing { get throws(Reason) }

  func openOverlay() throws(Reason) -> any DragOverlay

  /// Grabs chords from all programs.
  ///
  /// - Parameter handler: called in order on a thread of its own; may block.
  func grabKeys(
    _ chords: [KeyStroke], handler: @escaping @Sendable (KeyGrabEvent) -> Void
  ) throws(Reason) -> any KeyGrabbing

  /// Those of the chords that another program has grabbed; `nil` while an agent runs, which grabs
  /// them itself.
  ///
  /// - Parameter patience: the timeout of each query.
  func taken(of chords: [KeyStroke], within patience: Duration) throws(Reason) -> [KeyStroke]?

  /// Takes the only seat of an agent, up to the release of the result; `nil` if it is taken.
  func takeSeat() throws(Reason) -> AnyObject?
}

// MARK: Grabbed keys

package enum KeyGrabEvent: Hashable, Sendable {
  /// A chord was pressed; holding it down reports it once.
  case chord(KeyStroke)
  /// A stroke of the walk; keys that move or type repeat while held.
  case stroke(KeyStroke)
  /// Held by another program; the rest work. Reported at the start and on each change: keys that
  /// the other program releases are grabbed.
  case taken([KeyStroke])
  /// No key of this keyboard produces these. Reported at the start and on each change.
  case missing([KeyStroke])
  /// A chord was pressed while an open menu's program had grabbed the keyboard.
  case blockedByMenu
  /// The last event: all keys are released.
  case connectionLost
}

/// KeyDrag's keys, taken from all programs: the chords always, the strokes of the walk while
/// something is carried.
package protocol KeyGrabbing: AnyObject, Sendable {
  /// Grabs these strokes instead of the previous ones; at most 64.
  ///
  /// - Parameters:
  ///   - finder: the stroke that starts typing a name, up to Enter or Escape. Even the very next
  ///     key is ours, however quickly it follows.
  ///   - then: called once the grabs are made.
  func carry(_ strokes: [KeyStroke], finder: KeyStroke?, then: @escaping @Sendable () -> Void)

  /// Releases all strokes; the chords stay. Returns at once, like all calls here.
  func rest(then: @escaping @Sendable () -> Void)

  /// While on, every stroke goes to its owner, as when a password is typed. Holds from the next
  /// key.
  func passStrokes(_ isOn: Bool)

  /// Answers whether Ctrl, Alt, Shift or a button is still down, which would reach a program with
  /// the drop. Called on the handler's thread; `false` when the display is lost.
  func isHeld(_ reply: @escaping @Sendable (Bool) -> Void)

  func end()
}
