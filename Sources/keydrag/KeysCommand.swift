import ArgumentParser
import KeyDragCore
import KeyDragTerminal

/// `keydrag keys`: the keymap, as it is after the configuration.
struct KeysCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "keys",
      // Help page: what keydrag keys does.
      abstract: Words.phrases.phrase("List the keys and what they do."))
  }

  @OptionGroup var options: SharedOptions

  func run() throws { throw list().code }

  private func list() -> ExitStatus {
    do throws(CommandError) {
      let composition = try Composition(options)
      let lines = try SpokenLines(composition)
      for (index, phase) in PhaseName.allCases.enumerated() {
        if index > 0 { lines.add(id: "heading") { _ in "" } }
        lines.add(id: "heading") { $0.name(phase) }
        for binding in composition.settings.keymap.bindings where binding.phases.contains(phase) {
          lines.add(id: "key") {
            Self.shown(binding, in: phase, $0)
          } said: {
            Self.said(binding, in: phase, $0)
          }
        }
      }
      return lines.end(.done)
    } catch {
      return report(error)
    }
  }

  /// A row of the table: the keys, what they do and, for scripts, the command's name.
  static func shown(
    _ binding: Keymap.Binding, in phase: PhaseName, _ phrases: Phrasebook
  ) -> String {
    let keys = keys(of: binding, phrases)
    let columns = keys.isEmpty ? noKey(phrases) : keys.joined(separator: " / ")
    let padding = String(repeating: " ", count: max(20 - TextWidth.columns(columns), 1))
    let name = phrases.verbosity == .full ? " (\(binding.command.rawValue))" : ""
    return "  \(columns)\(padding)\(phrases.describe(binding.command, in: phase))\(name)"
  }

  static func said(
    _ binding: Keymap.Binding, in phase: PhaseName, _ phrases: Phrasebook
  ) -> String {
    let keys = keys(of: binding, phrases)
    return phrases.term(
      in: "a key",
      // One line of the list of keys. %1$@ is one or more keys, %2$@ what they do.
      "%1$@: %2$@.", keys.isEmpty ? noKey(phrases) : Words.choices(keys, in: phrases),
      phrases.describe(binding.command, in: phase))
  }

  private static func keys(of binding: Keymap.Binding, _ phrases: Phrasebook) -> [String] {
    binding.chords.map { $0.map(phrases.keyName).joined(separator: " ") }
  }

  // In place of a key, where the settings take all keys away from a command.
  private static func noKey(_ phrases: Phrasebook) -> String { phrases.phrase("no key") }
}
