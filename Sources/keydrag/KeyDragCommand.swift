import ArgumentParser
import CLinux
import Glibc
import KeyDragFiles

/// The program, with one file for each subcommand.
@main
struct KeyDragCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let phrases = Words.phrases
    return CommandConfiguration(
      commandName: "keydrag",
      // Help page: what the program does, in a few words.
      abstract: phrases.phrase("Drag and drop without a pointer."),
      discussion: [
        phrases.phrase(
          // Help page of the program. keydrag files . stays as it is.
          "Pick something up with a key, walk the places that can take it, hear what each would "
            + "do, drop, hear the outcome, undo. Without a subcommand: keydrag files ."),
        phrases.phrase(
          // Help page of the program. keydrag doctor and keydrag keys stay as they are.
          "keydrag doctor says what works on this machine, keydrag keys lists the keys."),
      ].joined(separator: "\n\n"),
      version: KeyDragVersion.current,
      subcommands: [
        FilesCommand.self, TourCommand.self, DesktopCommand.self, CopyCommand.self,
        MoveCommand.self, LinkCommand.self, PointsCommand.self,
        DropCommand.self, UndoCommand.self,
        RedoCommand.self, HistoryCommand.self, SayCommand.self, KeysCommand.self,
        DoctorCommand.self, SetupCommand.self, AuditCommand.self, SampleCommand.self,
      ],
      defaultSubcommand: FilesCommand.self)
  }

  /// Runs on the main thread, before there is another.
  @MainActor
  static func main() async {
    StandardStreams.reserve()
    clinux_end_without_threads(endWithoutThreads)
    // Started by another run to hold its clipboard; no process waits for this one.
    if let isHeld = Displays.holdClipboard(CommandLine.arguments) {
      Glibc.exit(isHeld ? ExitStatus.done.rawValue : ExitStatus.unavailable.rawValue)
    }
    FrontProcess.begin()
    // After the fork: a lock that a second thread holds then would be held in the child for ever.
    if let folder = StandardFolders.unsetForeignVariables() {
      let phrases = Words.phrases
      Glibc.exit(
        report(CommandError.file(folder.string, .notResponding, as: .folder, phrases)).rawValue)
    }
    await perform()
  }

  /// Parses and runs; mistakes on the command line are reported in one or two sentences.
  private static func perform() async {
    StandardStreams.quietLibraries()
    do {
      var command = try await asyncParseAsRoot(
        FileArguments.joined(Array(ArgumentText.words.dropFirst())))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      end(error)
    }
  }

  private static func end(_ error: any Error) -> Never {
    // Checked first: for any error the parser composes a page, in 20 ms.
    if let code = error as? ExitCode { Glibc.exit(code.rawValue) }
    let code = exitCode(for: error)
    if code.isSuccess {
      // Help, the version or a completion script.
      let text = page(for: error, columns: HelpPage.columns()) + "\n"
      let isWritten = Descriptor.write(Array(text.utf8), to: STDOUT_FILENO)
      Glibc.exit(isWritten ? code.rawValue : ExitStatus.inputOutput.rawValue)
    }
    let sentence = mistake(in: CommandLine.arguments, error)
    Glibc.exit(report(CommandError(description: sentence, status: .usage)).rawValue)
  }

  /// The page requested instead of a command: help, the version or a completion script.
  static func page(for error: any Error, columns: Int) -> String {
    let page = HelpPage.translated(
      fullMessage(for: error, columns: HelpPage.unbounded), columns: columns, Words.phrases)
    return CompletionScript(program: _commandName, subcommand: FilesCommand._commandName)
      .withDefault(page)
  }

  /// The sentence on a mistake on a command line.
  static func mistake(in arguments: [String], _ error: any Error) -> String {
    UsageMistake.sentence(
      message(for: error), full: fullMessage(for: error), arguments: arguments, commands: names,
      Words.phrases)
  }

  static var names: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }
}

/// Exits at once, on any thread: nothing that was requested would ever begin. Work in progress is
/// recovered as after a kill.
private func endWithoutThreads() {
  let phrases = Words.phrases
  let sentences = [
    // The system lets no program begin another thread, and keydrag ends.
    phrases.phrase("No more threads can be started: too many programs run."),
    // Advice, after the reason why something was refused or failed.
    phrases.phrase("Try again later."),
  ]
  let problem = CommandError(description: sentences.joined(separator: " "), status: .unavailable)
  Glibc.exit(report(problem).rawValue)
}
