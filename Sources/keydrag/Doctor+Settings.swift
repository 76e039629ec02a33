import Glibc
import KeyDragConfiguration
import KeyDragCore

extension DoctorProbe {
  /// The configuration file, read as every command reads it.
  static func configuration(_ composition: Composition) -> DoctorProbe {
    let problems = composition.fileProblems
    let path = composition.options.config ?? ConfigurationFile.usualPath(composition.environment)
    return DoctorProbe(
      id: "configuration", title: "Configuration", isNeeded: { _ in true },
      run: { context in
        let phrases = context.phrases
        var part = DoctorPart(
          id: "configuration", title: phrases.phrase("Configuration"), state: .works,
          isNeeded: true)
        guard let path else {
          part.state = .absent
          part.found = phrases.phrase("HOME is not set.")
          part.meaning = phrases.phrase("The usual settings are used.")
          return part
        }
        if !problems.isEmpty {
          part.state = .missing
          part.found = sentences(problems, phrases)
          part.remedy = phrases.phrase("Correct %1$@.", context.shown(path))
        } else if access(path, F_OK) != 0 {
          part.state = .absent
          part.found = phrases.phrase("There is no %1$@.", context.shown(path))
          part.meaning = phrases.phrase("The usual settings are used.")
        } else {
          part.found = context.shown(path) + "."
        }
        return part
      })
  }

  /// The keymap as it is after the configuration.
  static func keys(_ composition: Composition) -> DoctorProbe {
    let problems = composition.keyProblems
    let keymap = composition.keymap
    return DoctorProbe(
      id: "keys", title: "Keys", isNeeded: { _ in true },
      run: { context in
        let phrases = context.phrases
        var part = DoctorPart(
          id: "keys", title: phrases.phrase("Keys"), state: .works, isNeeded: true)
        if !problems.isEmpty {
          part.state = .missing
          part.found = sentences(problems, phrases)
          part.meaning = phrases.phrase("The usual keys stand in for those.")
          part.remedy = phrases.phrase("Correct the keys in the configuration file.")
        } else if let command = unreachable(keymap) {
          part.state = .missing
          part.found = phrases.phrase("No key means %1$@.", phrases.describe(command))
          part.remedy = phrases.phrase(
            "Give %1$@ a key in the configuration file.", command.rawValue)
        } else {
          part.found = phrases.phrase("No two commands share a key.")
        }
        return part
      })
  }

  /// A command without which a person could not finish a drag, when it has no key any more.
  private static func unreachable(_ keymap: Keymap) -> CommandName? {
    let vital: [(CommandName, PhaseName)] = [
      (.nextItem, .browsing), (.pickUp, .browsing), (.quit, .browsing),
      (.nextDropPoint, .carrying), (.drop, .carrying), (.cancel, .carrying),
      (.nextChoice, .confirming), (.take, .confirming), (.back, .confirming),
    ]
    return vital.first { keymap.chords(for: $0.0, in: $0.1).isEmpty }?.0
  }

  private static func sentences(_ problems: [Problem], _ phrases: Phrasebook) -> String {
    problems.map { problem in
      guard case .configuration(_, let line, let column, let detail) = problem else {
        return phrases.problemText(problem)
      }
      return phrases.phrase(
        "Line %1$@, column %2$@: %3$@", String(line), String(column), detail)
    }.joined(separator: " ")
  }
}
