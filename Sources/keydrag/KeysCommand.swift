import ArgumentParser
import KeyDragCore
import KeyDragTerminal

/// `keydrag keys`: the effective keymap.
struct KeysCommand: BlockingSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "keys",
      // Help page: what keydrag keys does.
      abstract: Words.phrases.phrase("List the keys and what they do."))
  }

  @OptionGroup var options: SharedOptions

  func perform() throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let lines = try SpokenLines(composition)
    for (index, phase) in PhaseName.allCases.enumerated() {
      if index > 0 { lines.add(id: "heading") { _ in "" } }
      lines.add(id: "heading") { $0.name(phase) }
      for binding in composition.settings.keymap.bindings
      where binding.phases.contains(phase)
        // Only in lists; a question that needs an answer is repeated.
        && !(phase == .confirming && [.undo, .redo].contains(binding.command))
      {
        lines.add(id: "key") {
          Self.shown(binding, in: phase, $0)
        } said: {
          Self.said(binding, in: phase, $0)
        }
      }
    }
    addDesktop(composition.settings.desktopChords, to: lines)
    return lines.end(.done)
  }

  /// Adds the keys that `keydrag desktop` grabs; any other reaches the active program.
  private func addDesktop(_ chords: DesktopChords, to lines: SpokenLines) {
    lines.add(id: "heading") { _ in "" }
    lines.add(id: "heading") { phrases in
      // The heading of a table of keys: the keys of the program that drags between other programs.
      phrases.term(in: "heading", "On the desktop")
    }
    let rows: [([KeyStroke], (Phrasebook) -> String)] = [
      (chords[.pickUp], Self.pickUp), (chords[.deliveries], Self.list),
      ([DesktopKeyRelay.finder], { $0.describesFinder }),
    ]
    for (strokes, does) in rows where !strokes.isEmpty {
      lines.add(id: "key") {
        Self.row(strokes.map($0.keyName), does($0))
      } said: {
        Self.sentence(strokes.map($0.keyName), does($0), $0)
      }
    }
    lines.add(id: "keys") { phrases in
      let taken = DesktopChords.walk.map(phrases.keyName)
      return phrases.phrase(
        // Below a list of keys, for the program that drags between other programs. %1$@ is a list of
        // keys, such as "Tab, Shift+Tab, Up".
        "While something is carried these keys are taken, and every other goes to the program: %1$@.",
        phrases.list(taken))
    }
  }

  private static func pickUp(_ phrases: Phrasebook) -> String {
    // Use of a key, in the list of keys, beside other programs: what the keyboard is at in one of
    // them is picked up, or added to what is carried.
    phrases.term(in: "what a key does", "pick up what is in focus, or add it")
  }

  private static func list(_ phrases: Phrasebook) -> String {
    // Use of a key, in the list of keys. Opens a list with all of these.
    phrases.term(in: "what a key does", "deliveries, undo, redo, history and quit")
  }

  /// A row of the table: the keys, their effect and, for scripts, the command's name.
  static func shown(
    _ binding: Keymap.Binding, in phase: PhaseName, _ phrases: Phrasebook
  ) -> String {
    let name = phrases.verbosity == .full ? " (\(binding.command.rawValue))" : ""
    return row(keys(of: binding, phrases), phrases.describe(binding.command, in: phase) + name)
  }

  private static func row(_ keys: [String], _ does: String) -> String {
    let columns = keys.joined(separator: " / ")
    let padding = String(repeating: " ", count: max(20 - TextWidth.columns(columns), 2))
    return "  \(columns)\(padding)\(does)"
  }

  static func said(
    _ binding: Keymap.Binding, in phase: PhaseName, _ phrases: Phrasebook
  ) -> String {
    sentence(keys(of: binding, phrases), phrases.describe(binding.command, in: phase), phrases)
  }

  private static func sentence(
    _ keys: [String], _ does: String, _ phrases: Phrasebook
  ) -> String {
    phrases.term(
      in: "a key",
      // One line of the list of keys. %1$@ is one or more keys, %2$@ what they do.
      "%1$@: %2$@.", Words.choices(keys, in: phrases), does)
  }

  private static func keys(of binding: Keymap.Binding, _ phrases: Phrasebook) -> [String] {
    let keys = binding.chords.map { $0.map(phrases.keyName).joined(separator: " ") }
    return keys.isEmpty ? [noKey(phrases)] : keys
  }

  // In place of a key, where the settings take all keys away from a command.
  private static func noKey(_ phrases: Phrasebook) -> String { phrases.phrase("no key") }
}
