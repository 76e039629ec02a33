/// A name that may be mistaken for another: it has letters that look like others, blanks or marks
/// that are neither seen nor heard, or combining accents.
///
/// `nil` for a name that looks and sounds like what it is.
struct ConfusableName {
  private let name: String
  private let strangeness: Int

  init?(_ name: String) {
    strangeness = Self.strangeness(of: name)
    guard strangeness > 0 else { return nil }
    self.name = name
  }

  /// Whether a reader or listener cannot tell the two apart, and the other is written no more unusually.
  func isLike(_ other: String) -> Bool {
    looksLike(other) && Self.strangeness(of: other) <= strangeness
  }

  /// "l" and "1" are told apart, as long as both are ASCII.
  private func looksLike(_ other: String) -> Bool {
    var (one, another) = (Form(name), Form(other))
    one.skip(asIn: &another)
    while let look = one.next() {
      guard let next = another.next() else { return false }
      if next.isLike(look) { continue }
      // Marks of one letter may be written in another order.
      return next.isMark && look.isMark
        && Self.text(name, \.scalar) == Self.text(other, \.scalar)
    }
    return another.next() == nil
  }

  /// How unusually a name is written: 1 with letters that look like others, 2 with what is not seen, or
  /// accents beside their letters.
  private static func strangeness(of name: String) -> Int {
    if name.hasPrefix(" ") || name.hasSuffix(" ") || name.contains("  ") { return 2 }
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return 0 }
    let hasMarks = name.unicodeScalars.contains {
      InvisibleCharacters.isOne($0) || (0x300...0x36F).contains($0.value) || $0 == "\u{FFFD}"
    }
    if hasMarks { return 2 }
    return isOfOneAlphabet(name) || text(name) { $0.ascii ?? $0.scalar } == name ? 0 : 1
  }

  /// Whether all that looks like others are letters of Greek, Cyrillic or Armenian alone, and some of them
  /// look like no Latin one.
  private static func isOfOneAlphabet(_ name: String) -> Bool {
    let letters = name.unicodeScalars.filter {
      !$0.isASCII && ((0x370...0x58F).contains($0.value) || ConfusableLetters.look(of: $0) != nil)
    }
    // Where each alphabet ends; the first and the last are others.
    let ends: [UInt32] = [0x370, 0x400, 0x530, 0x590]
    let alphabets = Set(letters.map { letter in ends.firstIndex { letter.value < $0 } ?? 0 })
    return alphabets.count == 1 && alphabets != [0] && !ConfusableLetters.isIn(name)
      && letters.contains { ConfusableLetters.look(of: $0)?[0].isASCII != true }
  }

  private static func text(
    _ name: String, _ scalar: (VisibleScalar) -> Unicode.Scalar
  ) -> String {
    String(String.UnicodeScalarView(Form(name).map(scalar)))
  }

  /// A scalar as it looks, and what is written if that is ASCII.
  private struct VisibleScalar {
    var scalar: Unicode.Scalar
    var ascii: Unicode.Scalar?

    var isMark: Bool { scalar.properties.canonicalCombiningClass != .notReordered }

    func isLike(_ other: VisibleScalar) -> Bool {
      scalar == other.scalar && (ascii == nil || other.ascii == nil || ascii == other.ascii)
    }
  }

  /// The scalars of a name as they look: one blank for several and none at an end, and nothing for what
  /// has no width.
  private struct Form: Sequence, IteratorProtocol {
    private var rest: String.UnicodeScalarView.Iterator
    private var hasBegun = false
    private var isBlank = false
    private var kept: ArraySlice<Unicode.Scalar> = []
    private var ascii: Unicode.Scalar?

    init(_ name: String) { rest = name.unicodeScalars.makeIterator() }

    /// Leaves out what both begin with, but for blanks at its end.
    mutating func skip(asIn other: inout Form) {
      var (one, another) = (rest, other.rest)
      while let scalar = one.next(), scalar == another.next() {
        if Self.isBlank(scalar) { continue }
        (rest, other.rest, hasBegun, other.hasBegun) = (one, another, true, true)
      }
    }

    mutating func next() -> VisibleScalar? {
      if let scalar = kept.popFirst() { return VisibleScalar(scalar: scalar, ascii: ascii) }
      while let scalar = rest.next() {
        if InvisibleCharacters.isOne(scalar) { continue }
        if Self.isBlank(scalar) {
          isBlank = hasBegun
          continue
        }
        hasBegun = true
        ascii = scalar.isASCII ? scalar : nil
        let look = ConfusableLetters.look(of: scalar)
        if look == nil, !isBlank { return VisibleScalar(scalar: scalar, ascii: ascii) }
        kept = (look ?? [scalar])[...]
        guard isBlank else { return next() }
        isBlank = false
        return VisibleScalar(scalar: " ")
      }
      return nil
    }

    /// Space separators, which are few.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
      default: false
      }
    }
  }
}

extension Sequence<DragSourceDescriptor> {
  /// Whether the name of another source can be mistaken for this one's.
  func containsConfusable(_ source: DragSourceDescriptor) -> Bool {
    guard let name = ConfusableName(source.name) else { return false }
    return contains { $0.id != source.id && name.isLike($0.name) }
  }
}

extension Sequence<DropPointDescriptor> {
  /// Whether the name of another drop point in the same container can be mistaken for this one's.
  func containsConfusable(_ point: DropPointDescriptor) -> Bool {
    guard let name = ConfusableName(point.name) else { return false }
    return contains {
      $0.id != point.id && $0.container == point.container && name.isLike($0.name)
    }
  }
}

extension SpokenName {
  /// The Latin letters and digits of a name as it looks, in lower case, and nothing else.
  package static func letters(of name: String) -> String {
    var letters = ""
    for scalar in name.unicodeScalars {
      let look = scalar.isASCII ? [scalar] : ConfusableLetters.look(of: scalar) ?? []
      letters.unicodeScalars += look.filter {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
      }
    }
    return letters.lowercased()
  }
}
