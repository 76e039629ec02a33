/// One whole thing a terminal sent, cut out of its stream of bytes.
enum InputPiece: Hashable, Sendable {
  /// One character or one escape sequence, complete; `alt` when an Escape stood before it.
  case key([UInt8], alt: Bool)
  /// A pasted text, between the marks that enclose it; bounded and raw.
  case paste([UInt8])
  /// A paste that was longer than is taken, and is dropped.
  case tooLongPaste
}
