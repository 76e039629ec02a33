import Foundation
import RealPrograms
import Testing

@testable import keydrag

@Suite("Files are told apart from the values of options", .realPrograms(by: .test))
struct FileArgumentsTests {
  /// What the parser tells of its commands.
  private struct Dump: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      var name: String
    }

    var kind: String
    var names: [Name]?
  }

  @Test("Every option of a transfer that takes a value is known, and no other")
  func options() throws {
    let output = try Program().run("--experimental-dump-help").output
    let dump = try JSONDecoder().decode(Dump.self, from: Data(output.utf8))
    let transfers = ["copy", "move", "link", "drop"]
    let commands = (dump.command.subcommands ?? []).filter { transfers.contains($0.commandName) }
    #expect(commands.count == transfers.count)
    let options = commands.flatMap { $0.arguments ?? [] }.filter { $0.kind == "option" }
    let names = options.flatMap { $0.names ?? [] }.map { "--" + $0.name }
    #expect(Set(names) == FileArguments.optionsWithValue)
  }
}
