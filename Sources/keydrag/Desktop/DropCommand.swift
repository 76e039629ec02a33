import ArgumentParser
import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragRuntime
import SystemPackage

/// `keydrag drop`: one drag into a running program, without the walk.
struct DropCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "drop",
      // Help page: what keydrag drop does. The walk is going from place to place by key.
      abstract: Words.phrases.phrase("Drop files onto a place of a running program."),
      usage: Words.phrases.phrase(
        // Help page: how the command is typed. keydrag drop, --onto and --app stay as they are, and
        // so do the brackets and dots.
        "keydrag drop <file> ... --onto <place> [--app <name>] [options]"),
      discussion: Words.phrases.phrase(
        // Help page of keydrag drop. keydrag points stays as it is.
        "keydrag points lists the places. The program is asked first, and its answer counts."))
  }

  @Argument(
    help: ArgumentHelp(
      Words.phrases.phrase("The files and folders."),
      valueName: Words.phrases.term(in: "to be typed", "files")), completion: .file())
  var lists: [FileList] = []

  @Option(
    help: ArgumentHelp(
      // Help page of keydrag drop: what an option does. Them: files.
      Words.phrases.phrase("The place that takes them, by its name."),
      // Help page, in angle brackets: what is to be typed, the name of a place.
      valueName: Words.phrases.term(in: "to be typed", "place")))
  var onto: String?

  @OptionGroup var program: ProgramOption

  // Help page of keydrag drop: what an option does.
  @Flag(help: ArgumentHelp(Words.phrases.phrase("Ask for a copy.")))
  var copy = false

  // Help page of keydrag drop: what an option does.
  @Flag(help: ArgumentHelp(Words.phrases.phrase("Ask for a move.")))
  var move = false

  // Help page of keydrag drop: what an option does.
  @Flag(help: ArgumentHelp(Words.phrases.phrase("Ask for a link.")))
  var link = false

  @Flag(
    help: ArgumentHelp(
      // Help page of keydrag doctor: what an option does. JSON is a format.
      Words.phrases.phrase("Answer with one JSON object instead of lines.")))
  var json = false

  @OptionGroup var options: SharedOptions

  var files: [String] { lists.flatMap(\.files) }

  var operation: DragOperation? { copy ? .copy : move ? .move : link ? .link : nil }

  func validate() throws {
    if files.isEmpty {
      throw ValidationError(
        // A mistake on the command line of keydrag drop. --onto stays as it is.
        Words.phrases.phrase("No file is named. Name one or more before --onto."))
    }
    if onto?.allSatisfy(\.isWhitespace) ?? true {
      throw ValidationError(
        Words.phrases.phrase(
          // A mistake on the command line of keydrag drop. --onto and keydrag points stay as they
          // are.
          "No place is named. Say where with --onto and a name that keydrag points lists."))
    }
    if [copy, move, link].count(where: { $0 }) > 1 {
      throw ValidationError(
        // A mistake on the command line of keydrag drop. The three options stay as they are.
        Words.phrases.phrase("Give only one of --copy, --move and --link."))
    }
  }

  func perform() async throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    composition.isOneShot = true
    composition.loadProfiles()
    try await FileArgument.require(files, composition.phrases)
    let made = composition
    return try await AccessibilityActivation.during(made.environment) {
      () async throws(CommandError) in
      try await drop(made)
    }
  }

  private func drop(_ composition: Composition) async throws(CommandError) -> ExitStatus {
    let courier = composition.courier()
    courier.recover(waiting: true)
    let reach = DesktopReach(composition, courier)
    let world = reach.joined()
    let found: FoundPoint
    do {
      found = try await reach.search.place(named: onto ?? "", app: program.app)
    } catch {
      world.close()
      throw error
    }
    let order = Transfer(
      sources: reach.files.sources(at: files.map(FileArgument.path)),
      stop: found.stop, operation: operation,
      clash: composition.settings.configuration.clash)
    // Programs that report their own places do not depend on the means of reaching windows.
    let problems: [SessionInput] =
      found.place == nil
      ? [] : await reach.problems(hasWindows: true).map { .report(.problem($0)) }
    let inputs = problems + [.register(found.listing), .transfer(order)]
    guard json else {
      return try await HeadlessRun(composition: composition, world: world).run(inputs)
    }
    let witness = DropRecorder(found)
    let status = try await HeadlessRun(
      composition: composition, world: world, isSilent: true, watch: witness.watch
    ).run(inputs)
    let isUndoable =
      found.place == nil
      ? reach.peers.isLastRecorded : !reach.world.isLastUnrecorded
    let line = witness.line(isUndoable: isUndoable)
    return Descriptor.write(line, to: STDOUT_FILENO) || status != .done ? status : .inputOutput
  }
}
