import ArgumentParser
import Glibc
import KeyDragAccessibility
import KeyDragApp
import KeyDragConfiguration
import KeyDragCore
import KeyDragDesktop
import KeyDragRuntime

/// `keydrag audit`: obstacles to walking the places of running programs by their names.
struct AuditCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "audit",
      abstract: Words.phrases.phrase(
        // Help page: what keydrag audit does. A place is a part of a program's window.
        "Tell which places of running programs have no name, or the same one."))
  }

  @OptionGroup var program: ProgramOption

  @Flag(
    help: ArgumentHelp(
      // Help page of keydrag doctor: what an option does. JSON is a format.
      Words.phrases.phrase("Answer with one JSON object instead of lines.")))
  var json = false

  @OptionGroup var options: SharedOptions

  func perform() async throws(CommandError) -> ExitStatus {
    let environment = ProcessEnvironment.read()
    let displays = try DesktopParts.displays(environment, Words.phrases)
    return try await AccessibilityActivation.during(environment) {
      () async throws(CommandError) in
      try await audit(displays)
    }
  }

  private func audit(_ displays: [any Display]) async throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    composition.loadProfiles()
    let courier = composition.courier()
    let run = AuditRun(
      adapters: composition.desktopParts(
        displays: displays, files: composition.world(roots: [], courier: courier), courier: courier)
    )
    let found = try await run.find(app: program.app)
    if json {
      let isWritten = Descriptor.write(Self.object(found), to: STDOUT_FILENO)
      return isWritten ? .done : .inputOutput
    }
    let lines = try SpokenLines(composition)
    if found.isEmpty { lines.add(id: "no-windows", DesktopSearch.noWindows.callAsFunction) }
    for program in found { Self.add(program, to: lines) }
    return lines.end(.done)
  }

  // MARK: Lines

  private static func add(_ program: AuditRun.Program, to lines: SpokenLines) {
    for window in program.windows {
      lines.add(id: "heading") { heading(window, of: program, $0) }
      for finding in window.findings {
        lines.add(id: "finding") { $0.describe(finding) }
      }
    }
    for finding in program.findings {
      lines.add(id: "finding") { $0.describe(finding) }
    }
  }

  static func heading(
    _ window: AuditRun.Window, of program: AuditRun.Program, _ phrases: Phrasebook
  ) -> String {
    let name = phrases.list([program.name, window.title == program.name ? "" : window.title])
    guard let places = window.places else {
      // keydrag audit: a window that could not be read. %1$@ is the names of the program and of the
      // window, %2$@ why, such as "it is not responding".
      return phrases.phrase("%1$@: %2$@.", name, phrases.short(window.reason ?? .unknown))
    }
    return phrases.plural(
      // keydrag audit: a window that was looked through. %1$@ is the names of the program and of the
      // window, %2$@ how many places it has where something can be dropped or picked up.
      "%1$@: %2$@ place.", "%1$@: %2$@ places.", places, name)
  }

  // MARK: JSON

  static func object(_ programs: [AuditRun.Program]) -> [UInt8] {
    JSONLine([
      "version": KeyDragVersion.current, "programs": ArgumentValue.objects(programs.map(object)),
    ]).bytes
  }

  private static func object(_ program: AuditRun.Program) -> ArgumentList {
    [
      "name": program.name, "profile": program.profile,
      "windows": ArgumentValue.objects(program.windows.map(object)),
      "findings": ArgumentValue.objects(program.findings.map(object)),
    ]
  }

  private static func object(_ window: AuditRun.Window) -> ArgumentList {
    [
      "title": window.title, "places": window.places, "reason": window.reason,
      "findings": ArgumentValue.objects(window.findings.map(object)),
    ]
  }

  private static func object(_ finding: AuditFinding) -> ArgumentList {
    [
      "kind": finding.kind.rawValue, "name": finding.name, "number": finding.number,
      "key": finding.key?.name,
    ]
  }
}
