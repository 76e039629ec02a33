package enum KeyOutcome: Hashable, Sendable {
  /// The beginning of a longer chord; nothing happens yet.
  case pending
  case matched(CommandName)
  /// Type-ahead: a letter or digit without a command. While a name is typed to find a place, also
  /// any sign and the space.
  case typed(Character)
  /// A key without a command in this phase.
  case unbound
  /// The strokes so far began a chord that this one does not continue.
  case abandoned(Keymap.Chord)
}

/// Turns strokes into commands, keeping the beginning of a longer chord. There is no timeout: a
/// begun chord waits indefinitely.
package struct KeymapResolver: Sendable {
  package var keymap: Keymap
  private var begun: Keymap.Chord = []
  private var begunIn: PhaseName?

  package init(_ keymap: Keymap) { self.keymap = keymap }

  package var isInChord: Bool { !begun.isEmpty }

  /// Resolves one stroke in a phase.
  ///
  /// - Parameters:
  ///   - isFinding: a name is being typed to find a place, and gets all text.
  ///   - isNaming: typed letters have matched something: signs continue the name, and so does a
  ///     full stop, otherwise a command.
  ///   - isTyping: a text field is open in a question, and gets all text.
  package mutating func resolve(
    _ stroke: KeyStroke, in phase: PhaseName, isFinding: Bool = false, isNaming: Bool = false,
    isTyping: Bool = false
  ) -> KeyOutcome {
    if begunIn != phase { begun = [] }
    // A list may have opened meanwhile, whose keys are not a name.
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
  /// The character that the stroke types; `nil` for other keys.
  var written: Character? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    return switch key {
    case .character(let character): character
    case .space: " "
    default: nil
    }
  }

  /// The capital letter that it types where case counts; `nil` for none.
  fileprivate var capital: Character? {
    guard case .character(let small) = key, modifiers.contains(.shift) else { return nil }
    let capital = small.uppercased()
    return capital.count == 1 ? capital.first : nil
  }
}
