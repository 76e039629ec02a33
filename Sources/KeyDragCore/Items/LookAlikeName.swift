/// A name that may be taken for another one: written with the letters of another alphabet, with blanks
/// or marks that nobody sees or hears, or with accents that stand by themselves.
///
/// A name that looks and sounds like what it is has none.
struct LookAlikeName {
  private let name: String
  private let form: [Unicode.Scalar]

  init?(_ name: String) {
    let form = Array(Form(name))
    guard Self.isDoubtful(name, form) else { return nil }
    (self.name, self.form) = (name, form)
  }

  /// Whether nobody who reads or hears the two can tell them apart.
  func isLike(_ other: String) -> Bool {
    var scalars = Form(other).makeIterator()
    for scalar in form {
      guard let next = scalars.next() else { return false }
      // Accents that stand by themselves, and those that are one with their letters.
      if next != scalar { return next.value >= 0xC0 && name == other }
    }
    return scalars.next() == nil
  }

  /// Whether there is anything in the name that can be mistaken.
  private static func isDoubtful(_ name: String, _ form: [Unicode.Scalar]) -> Bool {
    let scalars = name.unicodeScalars
    if scalars.elementsEqual(form) {
      return scalars.contains { isAccent($0) || $0 == "\u{FFFD}" }
    }
    // A word of its own language, unless each of its letters stands for another.
    return scalars.contains(where: UnseenLetters.isOne)
      || !form.contains { (0x370...0x52F).contains($0.value) }
  }

  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value)
  }

  /// The scalars of a name as they look: Latin letters for those that are drawn like them, one blank
  /// for several and none at an end, and nothing for what has no width.
  private struct Form: Sequence, IteratorProtocol {
    private var rest: String.UnicodeScalarView.Iterator
    private var hasBegun = false
    private var isBlank = false
    private var kept: Unicode.Scalar?

    init(_ name: String) { rest = name.unicodeScalars.makeIterator() }

    mutating func next() -> Unicode.Scalar? {
      if let scalar = kept.take() { return scalar }
      while let scalar = rest.next() {
        if UnseenLetters.isOne(scalar) { continue }
        if scalar == " " || scalar.properties.generalCategory == .spaceSeparator {
          isBlank = hasBegun
          continue
        }
        let plain = Self.plain(scalar)
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

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      switch scalar.value {
      case 0..<0x370: scalar
      case 0x370...0x52F: LookAlikeLetters.latin[scalar] ?? scalar
      case 0x2010, 0x2011: "-"
      // Letters and signs as wide as a Chinese character.
      case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
      default: scalar
      }
    }
  }
}

extension Sequence<DragSourceDescriptor> {
  /// Whether the name of one of them can be mistaken for that of another one.
  func holdAlike(_ source: DragSourceDescriptor) -> Bool {
    guard let name = LookAlikeName(source.name) else { return false }
    return contains { $0.id != source.id && name.isLike($0.name) }
  }
}

extension Sequence<DropPointDescriptor> {
  /// Whether the name of one of them can be mistaken for that of another one in the same container.
  func holdAlike(_ point: DropPointDescriptor) -> Bool {
    guard let name = LookAlikeName(point.name) else { return false }
    return contains {
      $0.id != point.id && $0.container == point.container && name.isLike($0.name)
    }
  }
}

extension SpokenName {
  /// The Latin letters and the digits of a name as it looks, in lower case, and nothing between them.
  package static func letters(of name: String) -> String {
    var letters = ""
    for scalar in name.unicodeScalars {
      let plain = LookAlikeLetters.latin[scalar] ?? scalar
      if plain.isASCII, plain.properties.isAlphabetic || plain.properties.numericType != nil {
        letters.unicodeScalars.append(plain)
      }
    }
    return letters.lowercased()
  }
}
