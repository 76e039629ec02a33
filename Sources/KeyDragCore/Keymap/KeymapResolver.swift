/// What a stroke led to.
package enum KeyOutcome: Hashable, Sendable {
  /// The beginning of a longer chord; nothing happens yet.
  case pending
  case matched(CommandName)
  /// A letter or digit without a meaning of its own: type-ahead.
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

  /// Takes one stroke in one phase.
  package mutating func resolve(_ stroke: KeyStroke, in phase: PhaseName) -> KeyOutcome {
    if begunIn != phase { begun = [] }
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
    if case .character(let character) = stroke.key, stroke.modifiers.isSubset(of: .shift),
      // A question may ask for a number, and none for a name.
      character.isNumber || character.isLetter && phase != .confirming
    {
      return .typed(character)
    }
    return .unbound
  }
}
