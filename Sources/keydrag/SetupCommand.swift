import ArgumentParser
import Glibc
import KeyDragCore

/// `keydrag setup`: fixes the doctor's findings, one confirmed command at a time.
struct SetupCommand: BlockingSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "setup",
      abstract: Words.phrases.phrase(
        // Help page: what keydrag setup does. keydrag doctor stays as it is.
        "Mend what keydrag doctor finds, one command at a time."),
      discussion: Words.phrases.phrase(
        // Help page of keydrag setup.
        "Each command is shown, and is run only after a yes. Without a terminal the commands are "
          + "only shown."))
  }

  @OptionGroup var options: SharedOptions

  func perform() throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    let parts = DoctorRun(composition).parts()
    // Reported as parts of their own.
    composition.settings.fileProblems = []
    composition.settings.keyProblems = []
    let isSomebodyThere = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let run = SetupRun(
      environment: composition.environment, lines: try SpokenLines(composition),
      answer: isSomebodyThere ? { readLine() } : nil,
      lookAgain: { id in
        // The settings may have changed as well.
        (try? Composition(options)).flatMap { DoctorRun($0).part(id) }
      })
    return run.mend(parts)
  }
}

/// One pass over the parts that can be fixed.
struct SetupRun {
  let environment: [String: String]
  let lines: SpokenLines
  /// Waits for an answer, and returns `nil` at the end of input; `nil` if no person is there.
  let answer: (() -> String?)?
  /// Probes a part again, by its ID.
  let lookAgain: (String) -> DoctorPart?

  func mend(_ found: [DoctorPart]) -> ExitStatus {
    var parts = found
    for index in parts.indices {
      guard let repair = parts[index].repair else { continue }
      let part = parts[index]
      lines.add(id: "part") { part.line($0, hasRemedy: false) }
      lines.add(id: "command") { _ in repair.line(environment) }
      guard let answer, repair.canRun(environment) else { continue }
      lines.add(id: "question") { phrases in
        // keydrag setup: after a command that it has shown.
        phrases.phrase("Run it? 1 or y, and Enter, runs it; Enter alone leaves it.")
      }
      guard let word = answer() else { break }
      guard Self.isYes(word) else { continue }
      let status = repair.run(environment)
      if status != 0 {
        lines.add(id: "failed") { phrases in
          // keydrag setup: a command was run and went wrong. %1$@ is the number that it ended with.
          phrases.phrase("The command ended with status %1$@.", phrases.number(Int(status)))
        }
      }
      let mended = lookAgain(part.id) ?? part
      lines.add(id: "part") { mended.line($0) }
      parts[index] = mended
    }
    lines.add(id: "summary") { DoctorCommand.summary(parts, $0, isSetup: true) }
    return lines.end(parts.contains(where: \.affectsExitStatus) ? .unavailable : .done)
  }

  /// 1 is on every keyboard, whatever its script.
  static func isYes(_ answer: String) -> Bool {
    let word = answer.split { $0 == " " || $0 == "\t" }.joined().lowercased()
    return ["1", "y", "yes"].contains(word)
  }
}
