import ArgumentParser

/// The program: one subcommand a file.
@main
struct KeyDragCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keydrag",
    abstract: "Drag and drop without a pointer.",
    discussion: """
      Pick something up with a key, walk the places that can take it, hear what each would do, \
      drop, hear the outcome, undo. Without a subcommand: keydrag files .
      """,
    version: version,
    subcommands: [
      FilesCommand.self, CopyCommand.self, MoveCommand.self, LinkCommand.self, UndoCommand.self,
      RedoCommand.self, HistoryCommand.self, SayCommand.self, KeysCommand.self,
    ],
    defaultSubcommand: FilesCommand.self)

  static let version = "0.1.0"
}
