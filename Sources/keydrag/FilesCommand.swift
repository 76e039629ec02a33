import ArgumentParser
import KeyDragApp
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import Synchronization
import SystemPackage

/// `keydrag files`: keyboard drag and drop over real folders.
struct FilesCommand: Subcommand {
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

  @OptionGroup var script: KeysOption

  @OptionGroup var options: SharedOptions

  /// Mentions the tour once, after the first message.
  private static func mentioningTour() -> @Sendable (Announcement) -> Lesson? {
    let isSaid = Mutex(false)
    return { announcement in
      guard case .ready = announcement else { return nil }
      return isSaid.withLock { isSaid in
        defer { isSaid = true }
        return isSaid ? nil : .mention
      }
    }
  }

  func perform() async throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let phrases = composition.phrases
    var paths: [FilePath] = []
    for folder in folders {
      do {
        paths.append(try await FolderArgument.checked(folder, isRead: true, phrases))
      } catch {
        guard error.status == .noInput else { throw error }
        let hint = UsageMistake.hint(
          forFolder: folder, arguments: CommandLine.arguments, commands: KeyDragCommand.names,
          phrases)
        throw CommandError(
          description: phrases.join(error.description, hint), status: error.status)
      }
    }
    var run = try composition.appRun(keys: script.keys.map(ArgumentText.shown))
    run.settings.isInFolders = true
    if script.keys == nil, OneTimeHint.note(Tour.mention) {
      run.outputs.teacher = Self.mentioningTour()
    }
    try await FolderArgument.requireHistory(phrases)
    let courier = composition.courier()
    // A person hears of the recovery beside everything else; a script begins after it.
    courier.recover(waiting: script.keys != nil)
    let world = composition.world(roots: paths, courier: courier, isWalked: true)
    let code = await run.run(
      world, roots: world.roots, named: "keydrag files",
      environment: composition.environment
    ) { ExitStatus.of($0, isNothingThere: $1, phrases).rawValue }
    return ExitStatus(rawValue: code) ?? .internalError
  }
}

/// Explains mistakes in a key script.
enum ScriptMistake {
  /// The error for a message that the script waits for in vain.
  static func waiting(for id: String, _ phrases: Phrasebook) -> CommandError {
    let words = phrases.phrase(
      // A mistake in a list of keys that was given with --keys: it waits for a message that nothing
      // brings any more. %1$@ is the message's name in English, such as delivered.
      "The key script waits for %1$@, which can't come any more.", id)
    return CommandError(description: words, status: .noInput)
  }

  static func error(_ error: ScriptError, _ phrases: Phrasebook) -> CommandError {
    let words = error.words(in: phrases)
    let isOpen = error.word.hasPrefix("\"")
    return CommandError(
      description: isOpen ? words : phrases.join(words, phrases.guess(error.nearest)),
      status: .usage)
  }
}
