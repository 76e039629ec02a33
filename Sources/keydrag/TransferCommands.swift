import ArgumentParser
import Glibc
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import SystemPackage

extension ClashPolicy: ExpressibleByArgument {}

/// What `copy`, `move` and `link` take.
struct TransferOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The files and folders.", valueName: "files"), completion: .file())
  var lists: [FileList] = []

  @Option(
    help: ArgumentHelp("The folder that takes them.", valueName: "folder"),
    completion: .directory)
  var to: String?

  @Option(
    help: ArgumentHelp(
      "What to do when a name exists there.",
      discussion: "Left out, as in the configuration, or keep-both.", valueName: "policy"))
  var clash: ClashPolicy?

  @OptionGroup var options: SharedOptions

  var files: [String] { lists.flatMap(\.files) }

  func validate() throws {
    if files.isEmpty {
      throw ValidationError("No file is named. Name one or more before --to.")
    }
    if to == nil {
      throw ValidationError("No folder is named. Say where to with --to and a folder.")
    }
  }
}

/// `keydrag copy`: the menu-command alternative to a drag that copies.
struct CopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy files into a folder, without the walk.",
    usage: "keydrag copy <file> ... --to <folder> [options]",
    discussion: "What happens is said; undo takes it back: keydrag undo")

  @OptionGroup var transfer: TransferOptions

  func run() async throws {
    throw await TransferRun(operation: .copy, transfer: transfer).run().code
  }
}

/// `keydrag move`: the menu-command alternative to a drag that moves.
struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move files into a folder, without the walk.",
    usage: "keydrag move <file> ... --to <folder> [options]",
    discussion: "What happens is said; undo takes it back: keydrag undo")

  @OptionGroup var transfer: TransferOptions

  func run() async throws {
    throw await TransferRun(operation: .move, transfer: transfer).run().code
  }
}

/// `keydrag link`: the menu-command alternative to a drag that links.
struct LinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Make symbolic links to files in a folder, without the walk.",
    usage: "keydrag link <file> ... --to <folder> [options]",
    discussion: "What happens is said; undo takes it back: keydrag undo")

  @OptionGroup var transfer: TransferOptions

  func run() async throws {
    throw await TransferRun(operation: .link, transfer: transfer).run().code
  }
}

/// One drop ordered on the command line: the same engine, transcript and undo as a session.
struct TransferRun {
  var operation: DragOperation
  var transfer: TransferOptions

  func run() async -> ExitStatus {
    do {
      return try await start()
    } catch {
      return report(error)
    }
  }

  private func start() async throws(CommandError) -> ExitStatus {
    let composition = try Composition(transfer.options)
    for file in transfer.files { try requireFile(file) }
    let target = transfer.to ?? "."
    let folder = try FolderArgument.checked(target)
    let courier = JournaledCourier()
    courier.recover(waiting: true)
    let world = composition.world(roots: [folder], courier: courier)
    guard let root = world.roots.first else {
      throw .file(target, .gone, what: "The folder")
    }
    let place = world.place(of: root)
    let order = Transfer(
      sources: world.sources(at: transfer.files.map { FilePath($0) }), stop: place.stop,
      operation: operation, clash: transfer.clash ?? composition.configuration.clash)
    return try await HeadlessRun(composition: composition, world: world)
      .run([.register(place.listing), .transfer(order)])
  }

  private func requireFile(_ name: String) throws(CommandError) {
    var information = stat()
    guard lstat(name, &information) != 0 else { return }
    let reason = Reason(errno: errno)
    guard reason == .gone else { throw .file(name, reason, what: "The file") }
    throw CommandError(
      description: "There is no file \(SpokenName.clean(name)).\(NearNames.hint(for: name))",
      status: .noInput)
  }
}

/// A run without a terminal and without a script: some inputs, then the end.
struct HeadlessRun {
  var composition: Composition
  var world: FilesWorld

  func run(_ inputs: [SessionInput]) async throws(CommandError) -> ExitStatus {
    let outputs = try composition.outputs(isInteractive: false)
    let session = Session(
      roots: [], keymap: composition.keymap, settings: composition.sessionSettings)
    let runner = Runner(
      session: session, world: world, outputs: outputs, phrases: composition.phrases, script: [])
    let signals = SignalRelay(send: runner.send)
    let problems = composition.problems.map { SessionInput.report(.problem($0)) }
    let result = await runner.run(problems + inputs)
    world.close()
    signals.cancel()
    await runner.finishSpeaking(within: 30)
    outputs.recorder?.finish(within: 120)
    let status: ExitStatus
    if result.signal != nil {
      status = .interrupted
    } else if result.fatalReason == .journalUnavailable || result.fatalReason == .journalNewer {
      status = .unavailable
    } else {
      status = result.hasFailure ? .undelivered : .done
    }
    await runner.end(status: status.rawValue)
    return status
  }
}
