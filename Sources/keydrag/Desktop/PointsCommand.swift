import ArgumentParser
import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragRuntime
import Synchronization
import SystemPackage

/// `keydrag points`: the places of running programs.
struct PointsCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "points",
      // Help page: what keydrag points does.
      abstract: Words.phrases.phrase("List the places of running programs that take a drop."),
      discussion: Words.phrases.phrase(
        // Help page of keydrag points. --carrying stays as it is.
        "With --carrying each place is asked, as if the files were held over it. That shows a "
          + "program what kinds of things they are, and sometimes what is in them."))
  }

  @OptionGroup var program: ProgramOption

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      // Help page of keydrag points: what an option does.
      Words.phrases.phrase("Ask each place whether it takes these files."),
      // Help page, in angle brackets: what is to be typed, the names of files.
      valueName: Words.phrases.term(in: "to be typed", "files")), completion: .file())
  var carrying: [String] = []

  // Help page of keydrag points: what an option does. JSON is a format.
  @Flag(help: ArgumentHelp(Words.phrases.phrase("Answer with one JSON object a line.")))
  var json = false

  @OptionGroup var options: SharedOptions

  func perform() async throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    composition.loadProfiles()
    try await FileArgument.require(carrying, composition.phrases)
    let made = composition
    return try await AccessibilityActivation.during(made.environment) {
      () async throws(CommandError) in
      try await list(made)
    }
  }

  private func list(_ composition: Composition) async throws(CommandError) -> ExitStatus {
    let courier = composition.courier()
    let reach = DesktopReach(composition, courier)
    let world = reach.joined()
    defer { world.close() }
    let (containers, missing) = try await reach.search.look(for: program.app)
    let items = await Self.items(carrying, reach.files)
    let lines = try PointLines(composition, isJSON: json)
    for problem in await reach.problems(hasWindows: missing == nil) { lines.add(problem) }
    if let missing { lines.add(missing: missing) }
    if containers.isEmpty { lines.addNoWindows() }
    if missing == nil, let problem = reach.nativeWindows { lines.add(problem) }
    for found in containers {
      switch await reach.search.points(in: found) {
      case .failure(let reason): lines.add(silent: found.container, reason)
      case .success(let points):
        for point in points {
          let answer = items.isEmpty ? nil : await reach.verdict(point, items, world)
          lines.add(point, answer, items.count)
        }
      }
    }
    // There are windows, but none was reachable.
    let isBlind = containers.isEmpty && reach.nativeWindows != nil
    return lines.end(isBlind ? .unavailable : .done)
  }

  /// The items to carry, prepared as for a pick-up.
  static func items(_ names: [String], _ files: FilesWorld) async -> [DragItem] {
    guard !names.isEmpty else { return [] }
    let sources = files.sources(at: names.map(FileArgument.path))
    return await files.prepare(sources).items
  }
}

/// The places as lines of text or JSON.
private final class PointLines {
  private let spoken: SpokenLines?
  private let phrases: Phrasebook
  private var isOpen = true

  init(_ composition: Composition, isJSON: Bool) throws(CommandError) {
    spoken = isJSON ? nil : try SpokenLines(composition)
    phrases = composition.phrases
  }

  func add(_ found: FoundPoint, _ proposal: DropProposal?, _ count: Int) {
    let report = proposal.map { found.report($0, count) }
    if let spoken {
      if let report {
        spoken.add(.dropPoint(report))
      } else {
        spoken.add(id: "point") { found.name(in: $0) }
      }
      return
    }
    let (verdict, rectangle) = (report?.verdict, found.place?.rectangle)
    write([
      "app": found.window.app, "window": found.window.name,
      "workspace": found.window.isOnAnotherWorkspace ? "another" : nil,
      "name": found.point.name,
      "position": found.stop.position == .on ? nil : "\(found.stop.position)",
      "role": found.place?.role.rawValue, "index": found.index, "total": found.total,
      "x": rectangle?.x, "y": rectangle?.y, "width": rectangle?.width,
      "height": rectangle?.height, "verdict": verdict?.word.rawValue,
      "operation": verdict?.operation, "reason": verdict?.reason,
      "line": verdict?.textPosition?.line, "lines": verdict?.textPosition?.total,
    ])
  }

  /// JSON is about places alone, so problems go to standard error.
  func add(_ problem: Problem) {
    guard let spoken else { return phrases.warn(of: problem) }
    spoken.add(.problem(problem))
  }

  /// Reports why there are no windows, where there are other places.
  func add(missing trouble: CommandError) {
    guard let spoken else {
      _ = report(trouble)
      return
    }
    spoken.add(id: "no-display") { _ in trouble.description }
  }

  func add(silent window: ContainerDescriptor, _ reason: Reason) {
    if let spoken {
      let report = DropPointReport(
        name: window.name, app: window.app, verdict: Verdict(.refuse, reason), count: 0)
      return spoken.add(.dropPoint(report))
    }
    write([
      "app": window.app, "window": window.name, "verdict": Verdict.Word.refuse.rawValue,
      "reason": reason,
    ])
  }

  func addNoWindows() {
    spoken?.add(id: "no-windows", DesktopSearch.noWindows.callAsFunction)
  }

  private func write(_ fields: ArgumentList) {
    if isOpen { isOpen = Descriptor.write(JSONLine(fields).bytes, to: STDOUT_FILENO) }
  }

  func end(_ status: ExitStatus) -> ExitStatus {
    guard let spoken else { return isOpen ? status : .inputOutput }
    return spoken.end(status)
  }
}
