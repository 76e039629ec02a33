import ArgumentParser
import Glibc

/// The program: one subcommand a file.
@main
struct KeyDragCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keydrag",
    abstract: "Drag and drop without a pointer.",
    discussion: """
      Pick something up with a key, walk the places that can take it, hear what each would do, \
      drop, hear the outcome, undo. Without a subcommand: keydrag files .

      keydrag doctor says what works on this machine, keydrag keys lists the keys.
      """,
    version: version,
    subcommands: [
      FilesCommand.self, CopyCommand.self, MoveCommand.self, LinkCommand.self, UndoCommand.self,
      RedoCommand.self, HistoryCommand.self, SayCommand.self, KeysCommand.self,
      DoctorCommand.self,
    ],
    defaultSubcommand: FilesCommand.self)

  static let version = "0.1.0"

  /// Parses and runs; what is wrong on the command line is told in one or two sentences.
  static func main() async {
    StandardStreams.reserve()
    StandardStreams.quietLibraries()
    do {
      var command = try await asyncParseAsRoot(
        ManyArguments.joined(Array(CommandLine.arguments.dropFirst())))
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
    let code = exitCode(for: error)
    if error is ExitCode { Glibc.exit(code.rawValue) }
    if code.isSuccess {
      // Help, the version or a completion script.
      let isWritten = Descriptor.write(
        Array((fullMessage(for: error) + "\n").utf8), to: STDOUT_FILENO)
      Glibc.exit(isWritten ? code.rawValue : ExitStatus.inputOutput.rawValue)
    }
    let sentence = UsageMistake.sentence(
      message(for: error), full: fullMessage(for: error), arguments: CommandLine.arguments)
    Glibc.exit(report(CommandError(description: sentence, status: .usage)).rawValue)
  }
}
