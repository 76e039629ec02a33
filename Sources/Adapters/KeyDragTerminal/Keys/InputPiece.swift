/// A complete unit of terminal input.
enum InputPiece: Hashable, Sendable {
  /// A complete character or escape sequence; `alt` if an Escape preceded it.
  case key([UInt8], alt: Bool)
  /// The raw text of a bracketed paste; bounded.
  case paste([UInt8])
  /// A dropped paste over the length limit.
  case tooLongPaste
  /// A device status report (ECMA-48 §8.3.35): ready, or not.
  case status
}
