import ArgumentParser
import KeyDragCore

/// `keydrag keys`: the keymap, as it is after the configuration.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "List the keys and what they do.")

  @OptionGroup var options: SharedOptions

  func run() throws { throw list().code }

  private func list() -> ExitStatus {
    do throws(CommandError) {
      let composition = try Composition(options)
      let phrases = composition.phrases
      let lines = try SpokenLines(composition)
      for (index, phase) in PhaseName.allCases.enumerated() {
        if index > 0 { lines.add("", id: "heading") }
        lines.add(phrases.name(phase), id: "heading")
        for binding in composition.keymap.bindings where binding.phases.contains(phase) {
          let (keys, meaning) = parts(binding, phrases)
          let padding = String(repeating: " ", count: max(20 - keys.count, 1))
          let name = phrases.verbosity == .full ? " (\(binding.command.rawValue))" : ""
          lines.add(
            "  \(keys)\(padding)\(meaning)\(name)", id: "key", spoken: "\(keys): \(meaning).")
        }
      }
      return lines.end(.done)
    } catch {
      return report(error)
    }
  }

  private func parts(
    _ binding: Keymap.Binding, _ phrases: Phrasebook
  ) -> (keys: String, meaning: String) {
    let keys = binding.chords.map { $0.map(phrases.keyName).joined(separator: " ") }
      .joined(separator: " / ")
    return (
      keys.isEmpty ? phrases.phrase("no key") : keys, phrases.describe(binding.command)
    )
  }
}
