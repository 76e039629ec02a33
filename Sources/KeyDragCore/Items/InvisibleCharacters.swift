/// Letters and marks that are neither seen nor heard by themselves (Default_Ignorable_Code_Point).
///
/// Some have a place beside certain letters, as in Persian or in a composite emoji, where they are
/// harmless.
enum InvisibleCharacters {
  /// Whether a mark belongs between two letters.
  private typealias Place = @Sendable (_ last: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool

  private static let tags: ClosedRange<UInt32> = 0xE0020...0xE007F

  /// The marks that have a place, by chapter of the Unicode Standard.
  private static let places: [(marks: ClosedRange<UInt32>, place: Place)] = [
    // Joiners (23.2). Latin, Greek and Cyrillic have no use for them: there they only make names
    // look alike.
    (0x200C...0x200D, { isJoined($0) && isJoined($1) }),
    // Variation selectors (23.4) of emoji, keycaps, symbols and ideographs.
    (
      0xFE0E...0xFE0F,
      { last, next in
        last.value >= 0x80 && last.properties.isEmoji || next.value == 0x20E3
      }
    ),
    (0xFE00...0xFE0D, { last, _ in last.value >= 0x1000 && isJoined(last) }),
    (0xE0100...0xE01EF, { last, _ in last.properties.isIdeographic }),
    (0x180B...0x180D, { last, _ in (0x1820...0x18AA).contains(last.value) }),
    (0x180F...0x180F, { last, _ in (0x1820...0x18AA).contains(last.value) }),
    // Flag emoji (23.9).
    (tags, { last, _ in last.value == 0x1F3F4 || tags.contains(last.value) }),
    // Parts of Korean syllables (18.6), shorthand (21.6), and the blank braille pattern (21.1).
    (0x115F...0x115F, { _, next in (0x1161...0x11A7).contains(next.value) }),
    (0x1160...0x1160, { last, _ in (0x1100...0x115E).contains(last.value) }),
    (0x1BCA0...0x1BCA3, { last, _ in (0x1BC00...0x1BC9F).contains(last.value) }),
    (
      0x2800...0x2800,
      { last, next in
        [last, next].contains { (0x2801...0x28FF).contains($0.value) }
      }
    ),
  ]

  /// Whether it has a place there, so that it hides nothing.
  static func belongs(
    _ scalar: Unicode.Scalar, after last: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    places.contains { $0.marks.contains(scalar.value) && $0.place(last ?? " ", next ?? " ") }
  }

  /// Whether it has a place anywhere.
  static func isPlaced(_ scalar: Unicode.Scalar) -> Bool {
    places.contains { $0.marks.contains(scalar.value) }
  }

  /// Direction marks are excluded: they change how others look.
  static func isOne(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0xAD, scalar.value != 0x2800 else { return scalar.value == 0x2800 }
    return scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isBidiControl
  }

  private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x0590 && scalar.value != 0xFFFD
  }
}
