import ArgumentParser

@main
struct KeyDragCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "keydrag")
}
