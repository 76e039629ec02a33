import ArgumentParser

/// A command that ends with a status; an error is printed in words, and gives its own.
protocol Subcommand: AsyncParsableCommand {
  func perform() async throws(CommandError) -> ExitStatus
}

extension Subcommand {
  func run() async throws {
    let status: ExitStatus
    do throws(CommandError) { status = try await perform() } catch { status = report(error) }
    throw status.code
  }
}

/// The same for a command that waits on the main thread.
protocol BlockingSubcommand: ParsableCommand {
  func perform() throws(CommandError) -> ExitStatus
}

extension BlockingSubcommand {
  func run() throws {
    let status: ExitStatus
    do throws(CommandError) { status = try perform() } catch { status = report(error) }
    throw status.code
  }
}
