import KeyDragCore
import KeyDragDesktop

/// The findings of `keydrag audit`, over any reader of the desktop, about the places that `keydrag
/// points` lists.
struct AuditRun: Sendable {
  struct Window: Sendable {
    var title: String
    /// `nil` when it was not read.
    var places: Int?
    var findings: [AuditFinding] = []
    /// The reason why it was not read.
    var reason: Reason?
  }

  struct Program: Sendable {
    var name: String
    var profile: String?
    var windows: [Window] = []
    /// The unused rules of the profile.
    var findings: [AuditFinding] = []
  }

  let adapters: DesktopAdapters
  private var phrases: Phrasebook { adapters.phrases }

  /// - Parameter app: limits the search to this program, by its name, a window's class or a title.
  func find(app: String?) async throws(CommandError) -> [Program] {
    guard let windows = await adapters.displays.windows() else { throw unavailable(.noDisplay) }
    guard let programs = await adapters.programs?.programs() else {
      throw unavailable(.noAccessibility)
    }
    let world = DesktopWorld(adapters)
    defer { world.close() }
    _ = try? await world.look()
    var result: [Program] = []
    for subject in try chosen(app, among: Self.subjects(programs, windows)) {
      result.append(await look(at: subject, world))
    }
    return result
  }

  // MARK: Subjects

  /// A program with its windows on the display.
  struct Subject: Sendable {
    var program: ProgramFacts
    var windows: [(window: WindowFacts, frame: FrameFacts?)]
  }

  /// Programs in the order of their windows; a window outside any accessibility tree stands for a
  /// program of its own, named after its class.
  static func subjects(_ programs: [ProgramFacts], _ windows: [WindowFacts]) -> [Subject] {
    let frames = WindowMatch.frames(of: programs, for: windows)
    var result: [Subject] = []
    for window in windows {
      let found = frames[window.id]
      let silent = programs.first { !$0.isResponding && $0.processID == window.processID }
      let program =
        found?.program ?? (window.processID == nil ? nil : silent)
        ?? ProgramFacts(bus: "", name: window.className, processID: window.processID)
      let index = result.firstIndex {
        $0.program.bus == program.bus && $0.program.name == program.name
      }
      if let index {
        result[index].windows.append((window, found?.frame))
      } else {
        result.append(Subject(program: program, windows: [(window, found?.frame)]))
      }
    }
    return result
  }

  private func chosen(
    _ app: String?, among subjects: [Subject]
  ) throws(CommandError) -> [Subject] {
    guard let app else { return subjects }
    let search = NameSearch(subjects.map { ($0.program, $0.windows.map(\.window)) })
    switch search.find(app) {
    case .one(let index): return [subjects[index]]
    case .several(let indices):
      throw CommandError(
        description: phrases.phrase(
          // A name on the command line fits several things. %1$@ is the name, %2$@ the names of
          // programs or places.
          "%1$@ may be %2$@. Give more of the name.", SpokenName.clean(app),
          Words.choices(indices.map { subjects[$0].program.name }, in: phrases)),
        status: .usage)
    case .none(let nearest):
      let sentence = phrases.phrase(
        // A name on the command line. %1$@ is the name.
        "No running program is called %1$@.", SpokenName.clean(app))
      throw CommandError(
        description: phrases.join(
          sentence,
          nearest.isEmpty
            ? Words.nearby(
              Set(subjects.map(\.program.name)).filter { !$0.isEmpty }.sorted(), in: phrases)
            : Words.guess(nearest, in: phrases)),
        status: .noInput)
    }
  }

  // MARK: Looking

  private func look(at subject: Subject, _ world: DesktopWorld) async -> Program {
    let program = subject.program
    var result = Program(name: program.name)
    var used: [String: Set<Int>] = [:]
    var readProfiles: [ProgramProfile] = []
    for (window, _) in subject.windows {
      let audit: WindowAudit
      switch await world.audit(window.id) {
      case nil: continue
      case .failure(let reason)?:
        result.windows.append(Window(title: window.title, reason: reason))
        continue
      case .success(let found)?: audit = found
      }
      result.windows.append(
        Window(title: window.title, places: audit.places, findings: audit.findings))
      guard let profile = adapters.profiles.profile(for: program, window: window) else { continue }
      if used[profile.name] == nil { readProfiles.append(profile) }
      used[profile.name, default: []].formUnion(audit.usedRules)
    }
    result.profile = readProfiles.first?.name
    result.findings = readProfiles.flatMap {
      Audit.deadRules(of: $0, used: used[$0.name] ?? [])
    }
    return result
  }

  private func unavailable(_ reason: Reason) -> CommandError {
    CommandError(description: phrases.sentence(for: reason), status: .unavailable)
  }
}
