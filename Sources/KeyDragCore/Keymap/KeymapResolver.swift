/// The outcome of a stroke.
package enum KeyOutcome: Hashable, Sendable {
  /// The beginning of a longer chord; nothing happens yet.
  case pending
  case matched(CommandName)
  /// A letter or digit without a meaning of its own: type-ahead. While a name is typed to find a
  /// place, every sign and the space too.
  case typed(Character)
  /// A key with no meaning in this phase.
  case unbound
  /// The strokes so far began a chord, this one does not go on with it.
  case abandoned(Keymap.Chord)
}

/// Turns strokes into commands, remembering the beginning of a longer chord. No key is timed: a
/// begun chord waits for as long as it takes.
package struct KeymapResolver: Sendable {
  package var keymap: Keymap
  private var begun: Keymap.Chord = []
  private var begunIn: PhaseName?

  package init(_ keymap: Keymap) { self.keymap = keymap }

  /// Whether a longer chord has begun.
  package var isInChord: Bool { !begun.isEmpty }

  /// Takes one stroke in one phase.
  ///
  /// - Parameters:
  ///   - isFinding: a name is being typed to find a place: whatever writes belongs to it.
  ///   - isNaming: letters were typed, and led to something: signs go on with its name, and so does a
  ///     full stop, which is a command otherwise.
  ///   - isTyping: a line is open in a question: whatever writes belongs to it.
  package mutating func resolve(
    _ stroke: KeyStroke, in phase: PhaseName, isFinding: Bool = false, isNaming: Bool = false,
    isTyping: Bool = false
  ) -> KeyOutcome {
    if begunIn != phase { begun = [] }
    // A list may be opened meanwhile; what it asks for is not a name.
    if isTyping || isFinding && phase != .confirming, let character = stroke.written {
      begun = []
      return .typed(isTyping ? stroke.capital ?? character : character)
    }
    if isNaming, begun.isEmpty, stroke.written == "." { return .typed(".") }
    let chord = begun + [stroke]
    if let command = keymap.command(for: chord, in: phase) {
      begun = []
      return .matched(command)
    }
    if keymap.isPrefix(chord, in: phase) {
      begun = chord
      begunIn = phase
      return .pending
    }
    if !begun.isEmpty {
      begun = []
      return .abandoned(chord)
    }
    if let character = stroke.written, isNaming || character.isNumber || character.isLetter {
      return .typed(character)
    }
    return .unbound
  }
}

extension KeyStroke {
  /// The character that the stroke writes into a name; `nil` for keys that write nothing.
  var written: Character? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    return switch key {
    case .character(let character): character
    case .space: " "
    default: nil
    }
  }

  /// The capital letter that it writes where case counts; `nil` where it writes none.
  fileprivate var capital: Character? {
    guard case .character(let small) = key, modifiers.contains(.shift) else { return nil }
    let capital = small.uppercased()
    return capital.count == 1 ? capital.first : nil
  }
}
