/// A name that may be mistaken for another: it has letters of another alphabet, blanks or marks
/// that are neither seen nor heard, or combining accents.
///
/// `nil` for a name that looks and sounds like what it is.
struct ConfusableName {
  private let name: String
  private let form: [Unicode.Scalar]

  init?(_ name: String) {
    let form = Array(Form(name))
    guard Self.isDoubtful(name, form) else { return nil }
    (self.name, self.form) = (name, form)
  }

  /// Whether a reader or listener cannot tell the two apart.
  func isLike(_ other: String) -> Bool {
    var scalars = Form(other).makeIterator()
    for scalar in form {
      guard let next = scalars.next() else { return false }
      // Combining accents, and those that are part of their letters.
      if next != scalar { return next.value >= 0xC0 && name == other }
    }
    return scalars.next() == nil
  }

  private static func isDoubtful(_ name: String, _ form: [Unicode.Scalar]) -> Bool {
    let scalars = name.unicodeScalars
    if scalars.elementsEqual(form) {
      return scalars.contains { isAccent($0) || $0 == "\u{FFFD}" }
    }
    // A word of its own language, unless each of its letters resembles a Latin one.
    return scalars.contains(where: InvisibleCharacters.isOne)
      || !form.contains { (0x370...0x58F).contains($0.value) }
  }

  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value)
  }

  /// The scalars of a name as they look: Latin letters for their look-alikes, one blank for several
  /// and none at an end, and nothing for what has no width.
  private struct Form: Sequence, IteratorProtocol {
    private var rest: String.UnicodeScalarView.Iterator
    private var hasBegun = false
    private var isBlank = false
    private var kept: Unicode.Scalar?

    init(_ name: String) { rest = name.unicodeScalars.makeIterator() }

    mutating func next() -> Unicode.Scalar? {
      if let scalar = kept.take() { return scalar }
      while let scalar = rest.next() {
        if InvisibleCharacters.isOne(scalar) { continue }
        if scalar == " " || scalar.properties.generalCategory == .spaceSeparator {
          isBlank = hasBegun
          continue
        }
        let plain = ConfusableLetters.plain(scalar)
        hasBegun = true
        if isBlank {
          isBlank = false
          kept = plain
          return " "
        }
        return plain
      }
      return nil
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
      let plain = ConfusableLetters.plain(scalar)
      if plain.isASCII, plain.properties.isAlphabetic || plain.properties.numericType != nil {
        letters.unicodeScalars.append(plain)
      }
    }
    return letters.lowercased()
  }
}
