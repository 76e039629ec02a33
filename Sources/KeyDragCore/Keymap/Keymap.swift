/// The table of commands by stroke and phase, from which help and the manual are generated.
package struct Keymap: Hashable, Sendable {
  /// One or more strokes in sequence.
  package typealias Chord = [KeyStroke]

  package struct Binding: Hashable, Sendable {
    /// Several for a command that the phases share.
    package var phases: [PhaseName]
    package var command: CommandName
    /// The default first, then its aliases.
    package var chords: [Chord]
  }

  /// Two commands on one chord, or a chord that begins another.
  package struct Clash: Hashable, Sendable, Error {
    package var phase: PhaseName
    package var chord: Chord
    package var first: CommandName
    package var second: CommandName
  }

  /// In the order of the help.
  package private(set) var bindings: [Binding]
  private var table: [PhaseName: [Chord: CommandName]]
  private var prefixes: [PhaseName: Set<Chord>]

  package init() {
    bindings = []
    table = [:]
    prefixes = [:]
  }

  /// Builds the lookup tables; throws the first ``Clash``.
  package init(_ bindings: [Binding]) throws(Clash) {
    self.init()
    self.bindings = bindings
    for binding in bindings {
      for phase in binding.phases {
        for chord in binding.chords where !chord.isEmpty {
          try add(chord, binding.command, in: phase)
        }
      }
    }
  }

  private mutating func add(
    _ chord: Chord, _ command: CommandName, in phase: PhaseName
  ) throws(Clash) {
    if let other = table[phase]?[chord], other != command {
      throw Clash(phase: phase, chord: chord, first: other, second: command)
    }
    if prefixes[phase]?.contains(chord) == true,
      let longer = table[phase]?.first(where: { $0.key.starts(with: chord) })
    {
      throw Clash(phase: phase, chord: chord, first: longer.value, second: command)
    }
    for length in 1..<max(chord.count, 1) {
      let prefix = Array(chord.prefix(length))
      if let other = table[phase]?[prefix] {
        throw Clash(phase: phase, chord: prefix, first: other, second: command)
      }
      prefixes[phase, default: []].insert(prefix)
    }
    table[phase, default: [:]][chord] = command
  }

  package func command(for chord: Chord, in phase: PhaseName) -> CommandName? {
    table[phase]?[chord]
  }

  func isPrefix(_ chord: Chord, in phase: PhaseName) -> Bool {
    prefixes[phase]?.contains(chord) == true
  }

  package func chords(for command: CommandName, in phase: PhaseName) -> [Chord] {
    bindings.filter { $0.command == command && $0.phases.contains(phase) }.flatMap(\.chords)
  }

  package func remapped(
    _ changes: [(phase: PhaseName, command: CommandName, chords: [Chord])]
  ) throws(Clash) -> Keymap {
    var lines: [Binding] = []
    for binding in bindings {
      for phase in binding.phases {
        let change = changes.last { $0.phase == phase && $0.command == binding.command }
        let chords = change?.chords ?? binding.chords
        lines.append(Binding(phases: [phase], command: binding.command, chords: chords))
      }
    }
    for change in changes
    where !lines.contains(where: { $0.command == change.command && $0.phases == [change.phase] }) {
      lines.append(
        Binding(phases: [change.phase], command: change.command, chords: change.chords))
    }
    return try Keymap(lines)
  }
}
