import ArgumentParser
import Glibc
import KeyDragApp
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import SystemPackage

extension ClashPolicy: ExpressibleByArgument {}

struct TransferOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      // Help page of keydrag copy, move and link: what is to be delivered.
      Words.phrases.phrase("The files and folders."),
      // Help page, in angle brackets: what is to be typed, the names of files.
      valueName: Words.phrases.term(in: "to be typed", "files")), completion: .file())
  var lists: [FileList] = []

  @Option(
    help: ArgumentHelp(
      // Help page of keydrag copy, move and link: what an option does. Them: files.
      Words.phrases.phrase("The folder that takes them."),
      // Help page, in angle brackets: what is to be typed, the name of a folder.
      valueName: Words.phrases.term(in: "to be typed", "folder")),
    completion: .directory)
  var to: String?

  @Option(
    help: ArgumentHelp(
      // Help page of keydrag copy, move and link: what an option does. There: in the folder.
      Words.phrases.phrase("What to do when a name exists there."),
      // Help page: more on an option. keep-both stays as it is. The configuration is a file of
      // settings.
      discussion: Words.phrases.phrase("Left out, as in the configuration, or keep-both."),
      // Help page, in angle brackets: what is to be typed, what to do when a name exists.
      valueName: Words.phrases.term(in: "to be typed", "policy")))
  var clash: ClashPolicy?

  var files: [String] { lists.flatMap(\.files) }

  func validate() throws {
    if files.isEmpty {
      throw ValidationError(
        // A mistake on the command line of keydrag copy, move or link.
        Words.phrases.phrase("No file is named. Name one or more before --to."))
    }
    if to == nil {
      throw ValidationError(
        // A mistake on the command line of keydrag copy, move or link.
        Words.phrases.phrase("No folder is named. Say where to with --to and a folder."))
    }
  }
}

/// One drop ordered on the command line, with the engine, transcript and undo of a session: the
/// menu-command alternative to a drag.
protocol TransferCommand: Subcommand {
  static var operation: DragOperation { get }
  static var abstract: String { get }
  var transfer: TransferOptions { get }
  var options: SharedOptions { get }
}

extension TransferCommand {
  static var configuration: CommandConfiguration {
    let name = operation.rawValue
    return CommandConfiguration(
      commandName: name, abstract: abstract,
      usage: Words.phrases.phrase(
        // Help page: how the command is typed. %1$@ is copy, move or link. keydrag and --to stay as
        // they are, and so do the brackets and dots.
        "keydrag %1$@ <file> ... --to <folder> [options]", name),
      discussion: Words.phrases.phrase(
        // Help page of keydrag copy, move and link. keydrag undo stays as it is.
        "What happens is said; undo takes it back: keydrag undo"))
  }

  func perform() async throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let phrases = composition.phrases
    try await FileArgument.require(transfer.files, phrases)
    let target = transfer.to ?? "."
    let folder = try await FolderArgument.checked(target, phrases)
    try await FolderArgument.requireHistory(phrases)
    let courier = composition.courier()
    courier.recover(waiting: true)
    let world = composition.world(roots: [folder], courier: courier, isForFolders: true)
    guard let root = world.roots.first else {
      throw .file(target, .gone, as: .folder, phrases)
    }
    let place = world.place(of: root)
    let order = Transfer(
      sources: world.sources(at: transfer.files.map(FileArgument.path)), stop: place.stop,
      operation: Self.operation, clash: transfer.clash ?? composition.settings.configuration.clash)
    return try await HeadlessRun(composition: composition, world: world)
      .run([.register(place.listing), .transfer(order)])
  }
}

/// `keydrag copy`.
struct CopyCommand: TransferCommand {
  static let operation = DragOperation.copy
  static var abstract: String {
    // Help page: what keydrag copy does. The walk is going from place to place by key.
    Words.phrases.phrase("Copy files into a folder, without the walk.")
  }

  @OptionGroup var transfer: TransferOptions
  @OptionGroup var options: SharedOptions
}

/// `keydrag move`.
struct MoveCommand: TransferCommand {
  static let operation = DragOperation.move
  static var abstract: String {
    // Help page: what keydrag move does. The walk is going from place to place by key.
    Words.phrases.phrase("Move files into a folder, without the walk.")
  }

  @OptionGroup var transfer: TransferOptions
  @OptionGroup var options: SharedOptions
}

/// `keydrag link`.
struct LinkCommand: TransferCommand {
  static let operation = DragOperation.link
  static var abstract: String {
    // Help page: what keydrag link does. The walk is going from place to place by key.
    Words.phrases.phrase("Make symbolic links to files in a folder, without the walk.")
  }

  @OptionGroup var transfer: TransferOptions
  @OptionGroup var options: SharedOptions
}

/// A run without a terminal or a script: some inputs, then the end.
struct HeadlessRun {
  var composition: Composition
  var world: any World
  /// Whether there is no output but the transcript: the caller reports the outcome.
  var isSilent = false
  /// Adds listeners to the outputs.
  var watch: (inout Outputs) -> Void = { _ in }
  /// The last line; `nil` for most commands. May block.
  var lastWord: @Sendable () -> (id: String, line: Wording)? = { nil }

  func run(_ inputs: [SessionInput]) async throws(CommandError) -> ExitStatus {
    let reader = isSilent ? nil : composition.reader(isInteractive: false)
    let unreached = composition.unreached(reader, isInteractive: false)
    var outputs = try composition.outputs(
      isInteractive: false, isReaderUnreached: unreached != nil)
    outputs.announcer = reader
    if isSilent { (outputs.text, outputs.voice, outputs.recorder) = (nil, nil, nil) }
    watch(&outputs)
    let session = Session(
      roots: [], keymap: composition.settings.keymap, settings: composition.settings.session)
    let runner = Runner(
      session: session, world: world, outputs: outputs, phrases: composition.phrases, script: [])
    let signals = SignalRelay(send: runner.send)
    let told = [unreached].compactMap(\.self) + composition.problems(in: composition.phrases)
    let problems = told.map { SessionInput.report(.problem($0)) }
    let result = await runner.run(problems + inputs)
    // While the history is open, which closes with the world.
    let word = lastWord()
    world.close()
    signals.cancel()
    await runner.finishSpeaking(within: 30)
    if let (id, line) = word { await runner.tell(id: id, within: 30, line.callAsFunction) }
    await runner.finishRecording()
    let status: ExitStatus
    if result.signal != nil {
      status = .interrupted
    } else if result.fatalReason == .journalUnavailable || result.fatalReason == .journalNewer {
      status = .unavailable
    } else if let reason = result.fatalReason, ExitStatus(reason) == .notPermitted {
      status = .notPermitted
    } else {
      status =
        result.hasFailure ? .undelivered : await runner.hasLostOutput ? .inputOutput : .done
    }
    await runner.end(status: status.rawValue)
    return status
  }
}
