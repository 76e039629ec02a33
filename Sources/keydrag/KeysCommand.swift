import ArgumentParser
import Glibc
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
      let output = TextStream(descriptor: STDOUT_FILENO)
      for problem in composition.problems { _ = output.write(phrases.problemText(problem)) }
      for (index, phase) in PhaseName.allCases.enumerated() {
        if index > 0 { _ = output.write("") }
        guard output.write(phrases.name(phase)) else { return .done }
        for binding in composition.keymap.bindings where binding.phases.contains(phase) {
          _ = output.write(line(binding, phrases))
        }
      }
      return .done
    } catch {
      return report(error)
    }
  }

  private func line(_ binding: Keymap.Binding, _ phrases: Phrasebook) -> String {
    let keys = binding.chords.map { $0.map(phrases.keyName).joined(separator: " ") }
      .joined(separator: " / ")
    let shown = keys.isEmpty ? phrases.phrase("no key") : keys
    let padding = String(repeating: " ", count: max(20 - shown.count, 1))
    return "  \(shown)\(padding)\(phrases.describe(binding.command)) (\(binding.command.rawValue))"
  }
}
