import ArgumentParser
import Glibc
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import KeyDragTerminal
import SystemPackage

/// `keydrag files`: keyboard drag and drop over real folders.
struct FilesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "files",
      abstract: Words.phrases.phrase(
        // Help page: what keydrag files does.
        "Drag and drop files between folders, by keyboard, in the terminal."),
      discussion: Words.phrases.phrase(
        // Help page of keydrag files: the most important keys, each with what it does.
        "Space picks up, Tab walks the places, Enter drops, Escape cancels, ? is help."))
  }

  @Argument(
    help: ArgumentHelp(
      // Help page of keydrag files: what is to be named.
      Words.phrases.phrase("The folders to work in."),
      // Help page, in angle brackets: what is to be typed, the names of folders.
      valueName: Words.phrases.term(in: "to be typed", "folders")), completion: .directory)
  var folders: [String] = ["."]

  @Option(
    help: ArgumentHelp(
      // Help page of keydrag files: what an option does. The hyphen stays as it is. A key script is
      // a list of keys that are pressed one after the other.
      Words.phrases.phrase("A key script, or - to read one from standard input."),
      discussion: Words.phrases.phrase(
        // Help page of keydrag files: what a key script is made of. space, ctrl+z, :drop and
        // keydrag keys stay as they are.
        "Words split by blanks: keys such as space or ctrl+z, text in quotation marks, commands "
          + "such as :drop. keydrag keys lists them."),
      // Help page, in angle brackets: what is to be typed, a list of keys.
      valueName: Words.phrases.term(in: "to be typed", "script")))
  var keys: String?

  @OptionGroup var options: SharedOptions

  func run() async throws {
    let status = await FilesRun(folders: folders, keys: keys, options: options).run()
    throw status.code
  }
}

/// One run of `keydrag files`.
struct FilesRun {
  var folders: [String]
  var keys: String?
  var options: SharedOptions

  func run() async -> ExitStatus {
    do {
      return try await start()
    } catch {
      return report(error)
    }
  }

  private func start() async throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let phrases = composition.phrases
    var paths: [FilePath] = []
    for folder in folders {
      do {
        paths.append(try FolderArgument.checked(folder, isRead: true, phrases))
      } catch {
        guard error.status == .noInput else { throw error }
        let hint = UsageMistake.hint(
          forFolder: folder, arguments: CommandLine.arguments, phrases)
        throw CommandError(
          description: phrases.join(error.description, hint), status: error.status)
      }
    }
    let words = try scriptWords(phrases)
    let isInteractive = keys == nil
    if isInteractive { try requireTerminal(phrases) }
    var outputs = try composition.outputs(isInteractive: isInteractive)
    let reader = composition.reader(isInteractive: isInteractive)
    outputs.announcer = reader
    var terminal: Terminal?
    let relay = TerminalRelay()
    if isInteractive {
      let opened = try openTerminal(composition, relay)
      outputs.screen = TerminalView(terminal: opened)
      terminal = opened
    }
    let courier = JournaledCourier()
    // A person hears what was put right beside everything else; a script begins behind it.
    courier.recover(waiting: !isInteractive)
    let world = composition.world(roots: paths, courier: courier)
    let session = Session(
      roots: world.roots, keymap: composition.keymap, settings: composition.sessionSettings)
    let runner = Runner(
      session: session, world: world, outputs: outputs, phrases: phrases,
      script: words, isScriptOpen: keys == "-")
    relay.connect(runner)
    let signals = terminal == nil ? SignalRelay(send: runner.send) : nil
    if keys == "-" { ScriptReader.start(runner.send) }
    var inputs: [SessionInput] = []
    if let rows = terminal?.size.rows { inputs.append(.resized(rows: max(rows - 4, 1))) }
    inputs.append(.start)
    inputs += composition.problems(in: phrases).map { .report(.problem($0)) }
    // The first message goes where all others go.
    reader?.settle(within: 0.5)
    let result = await runner.run(inputs)
    world.close()
    signals?.cancel()
    let status = await finish(runner, result, terminal, outputs, phrases)
    return status
  }

  private func finish(
    _ runner: Runner, _ result: RunResult, _ terminal: Terminal?, _ outputs: Outputs,
    _ phrases: Phrasebook
  ) async -> ExitStatus {
    outputs.recorder?.finish(within: 120)
    terminal?.close(leaving: await runner.lastMessage)
    await runner.finishSpeaking(within: keys == nil ? 3 : 30)
    let status: ExitStatus
    if let error = result.scriptError {
      status = report(ScriptMistake.error(error, phrases))
    } else if result.signal != nil {
      status = .interrupted
    } else if let reason = result.fatalReason, await runner.hasNoContainer {
      status = ExitStatus(reason)
    } else {
      status = result.hasFailure ? .undelivered : .done
    }
    await runner.end(status: status.rawValue)
    return status
  }

  // MARK: What was asked for

  private func scriptWords(_ phrases: Phrasebook) throws(CommandError) -> [ScriptWord]? {
    guard let keys, keys != "-" else { return nil }
    do {
      return try KeyScript.parse(keys)
    } catch {
      throw ScriptMistake.error(error, phrases)
    }
  }

  private func requireTerminal(_ phrases: Phrasebook) throws(CommandError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw CommandError(
        description: phrases.phrase(
          // keydrag files was started without a terminal. --keys and keydrag copy, move, link stay
          // as they are; a key script is a list of keys that are pressed one after the other.
          "There is no terminal here. Give a key script with --keys, or use keydrag copy, move or "
            + "link."),
        status: .usage)
    }
  }

  private func openTerminal(
    _ composition: Composition, _ relay: TerminalRelay
  ) throws(CommandError) -> Terminal {
    do {
      return try Terminal.open(
        name: composition.environment["TERM"] ?? "dumb",
        style: .allowed(environment: composition.environment, noColor: options.noColor)
      ) { relay.take($0) }
    } catch {
      throw CommandError(
        description: error.words(in: composition.phrases), status: .unavailable)
    }
  }
}

/// Says which word of a script is not known.
enum ScriptMistake {
  static func error(_ error: ScriptError, _ phrases: Phrasebook) -> CommandError {
    let position = phrases.number(error.position)
    let what =
      error.word.hasPrefix("\"")
      ? phrases.phrase(
        // A mistake in a list of keys that was given with --keys. %1$@ is a number.
        "The quotation marks are not closed in word %1$@ of the key script.", position)
      : phrases.join(
        // A mistake in a list of keys that was given with --keys. %1$@ is a number, %2$@ what
        // stands there.
        phrases.phrase("Word %1$@ of the key script, %2$@, is not known.", position, error.word),
        Words.guess(error.nearest, in: phrases))
    return CommandError(description: what, status: .usage)
  }
}
