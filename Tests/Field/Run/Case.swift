import Foundation
import StoppedProgram

/// One cell of the table, and the reasons for it.
struct CaseResult: Codable {
  let program: String
  let scenario: String
  var verdict: Verdict
  /// The words told: before the drop, after it, and at Undo.
  var told = ""
  /// Effects that the oracles found.
  var effects: [String] = []
  /// Why the verdict is what it is.
  var reason = ""
  var status: Int?
  var operation: String?
  var verified: Bool?
  /// The way back after a drop that had an effect.
  var undo: WayBack?
  /// The words told beside a screen reader, and those heard.
  var heard: HeardFigures?
  /// The drops into a window, by where they lie.
  var neighbours: NeighbourFigures?
  /// The version of that screen reader.
  var reader: String?
  /// The program is there, and its session did not come to its end.
  var isBroken = false
  var seconds = 0.0

  /// Something false or nothing was told; or somebody has taken the place away; or a session beside the screen reader was not heard whole and
  /// once, or not at all.
  var hasFailed: Bool {
    if [.isFalse, .silent].contains(verdict) { return true }
    if program.hasPrefix("hostile"), verdict == .noPlace { return true }
    guard scenario == Scenario.heard.rawValue else { return false }
    return isBroken || heard.map { $0.said == 0 || $0.missing > 0 || $0.twice > 0 } ?? false
  }
}

/// The way back that Undo offered.
enum WayBack: String, Codable, CaseIterable {
  case works
  case saidBefore = "said before the drop that there is none"
  case notSaid = "none, and not said before"
}

/// One program and one scenario on a desktop of its own.
struct Case {
  let recipe: Recipe
  let scenario: Scenario
  let keydrag: String
  /// The folder for transcripts and screenshots.
  let keep: String?
  /// Programs are told that assistive technologies run, as while a screen reader does.
  var isReaderThere = true
  /// The screen reader's program, where it is to speak.
  var reader = "/usr/bin/orca"
  /// How many characters it says in a second.
  var rate = usualRate
  /// The only way to the reader; nothing for the one that is found.
  var way: String?
  /// The window of the column "neighbours".
  var neighbours = NeighbourOptions()

  /// As fast as many people listen.
  static let usualRate = 30

  /// A drop that has ended and is not judged yet.
  private struct Drop {
    var told: AnnouncedOutcome
    var payload: Payload
    /// Those that were dropped beside it.
    var companions: [Payload] = []
    var target: String?
    /// A question of the program was answered.
    var isAnswered = true
    /// Files that the case has changed meanwhile.
    var others: Set<String> = []
    /// Why there was no drop.
    var gap: String?
  }

  func run() -> CaseResult {
    let start = Date()
    var result = CaseResult(
      program: recipe.name, scenario: scenario.rawValue, verdict: .notRun)
    if let obstacle = recipe.obstacle {
      result.reason = obstacle
      return result
    }
    do {
      do {
        try run(into: &result)
      } catch is SetupError {
        // A program that was not there in time on a busy machine.
        try run(into: &result)
      }
    } catch {
      result.isBroken = true
      result.reason = "\(error)".split(separator: "\n").prefix(3).joined(separator: " ")
    }
    result.seconds = Date().timeIntervalSince(start)
    return result
  }

  private func run(into result: inout CaseResult) throws {
    if scenario == .heard { return try runHeard(into: &result) }
    if scenario == .neighbours { return try runNeighbours(into: &result) }
    let field = try FieldDesktop(keydrag, within: 170)
    try prepare(field)
    let window: Window
    do {
      window = try recipe.open(field)
    } catch {
      if let keep { save(AnnouncedOutcome(), result, field, keep) }
      throw error
    }
    if scenario == .refuse { try recipe.makeRefusing?(field, window) }
    let program = Keydrag(path: keydrag, field: field)
    let before = DirectorySnapshot(field.home)
    let titles = try field.windows().map(\.title)
    try field.follow(window)
    try recipe.attack?(field)
    var drop = try self.drop(program, window, before)
    result.status = drop.told.status
    if let gap = drop.gap {
      result.verdict = .noPlace
      result.told = gap
      if let keep { save(drop.told, result, field, keep) }
      return
    }
    // Programs go on writing after they have said that they are done.
    usleep(UInt32(recipe.settling * 1_000_000))
    let payloads = [drop.payload] + drop.companions
    let shown = try payloads.map { try recipe.oracle(field, window, $0, titles) }
    let documents = recipe.documents.union([LetterWindow.file])
    let oracles = payloads.map { payload in
      DiskOracle(
        before: before, payload: payload, target: drop.target,
        others: drop.others.union(recipe.judgedAlone)
          .union(payloads.compactMap(\.file).filter { $0 != payload.file }),
        documents: documents, owned: field.owned)
    }
    let after = DirectorySnapshot(field.home)
    let each = zip(oracles, shown).map { $0.effects(after).union($1) }
    let effects = each.reduce(into: Set()) { $0.formUnion($1) }
    drop.told.undo = try program.undo()
    let undone = DirectorySnapshot(field.home)
    let judge = Judge(
      told: drop.told, effects: effects,
      arrived: payloads.count > 1 ? each.count { !$0.isEmpty } : nil,
      isSourceThere: payloads.compactMap(\.file).allSatisfy {
        after.entries[$0] == before.entries[$0]
      },
      leftByUndo: Set(oracles.flatMap { $0.left(undone) }).sorted(),
      isAnswered: drop.isAnswered,
      wish: scenario == .move ? "move" : nil, isLiar: recipe.isLiar,
      isBlind: recipe.folder == nil && [.killed, .killedLater].contains(scenario))
    fill(&result, drop.told, effects, judge)
    let damaged = oracles[0].damaged(after)
    if !damaged.isEmpty { result.reason += ": \(damaged.joined(separator: ", "))" }
    if let keep {
      save(drop.told, result, field, keep)
    }
  }

  private func fill(
    _ result: inout CaseResult, _ told: AnnouncedOutcome, _ effects: Set<Effect>, _ judge: Judge
  ) {
    (result.verdict, result.reason) = judge.verdict
    result.told = told.words
    result.effects = effects.sorted().map(\.rawValue)
    result.operation = told.finished?["operation"]
    result.verified = told.isVerified
    if told.hasSucceeded, !effects.isEmpty {
      result.undo = told.undo?.status == 0 ? .works : told.isWarned ? .saidBefore : .notSaid
    }
    // An honest no where a yes was hoped for is a gap, not a truth to be proud of.
    let isNo = ["refused", "nothing-accepts", "operation-unavailable"].contains(told.outcome?.id)
    if isNo, effects.isEmpty, result.verdict == .isTrue, scenario != .refuse {
      result.verdict = .noPlace
    }
  }

  private func save(
    _ told: AnnouncedOutcome, _ result: CaseResult, _ field: FieldDesktop, _ keep: String
  ) {
    let name = keptName
    let folder = URL(fileURLWithPath: keep)
    let text =
      told.records.enumerated().map { index, record in
        let moment = told.moments.indices.contains(index) ? told.moments[index] : 0
        return String(format: "%.3f ", moment) + record.line
      }
      + [
        "told: \(result.told)", "is: \(result.effects.joined(separator: ", "))", result.reason,
        field.desktop.complaints,
      ]
    try? Data(text.joined(separator: "\n").utf8).write(
      to: folder.appendingPathComponent(name + ".txt"))
    guard ![.isTrue, .vague].contains(result.verdict) else { return }
    field.photograph(to: folder.appendingPathComponent(name + ".png").path)
  }

  /// Without blanks.
  var keptName: String {
    "\(recipe.name) \(scenario.rawValue)".split(separator: " ").joined(separator: "-")
  }

  func prepare(_ field: FieldDesktop) throws {
    for name in ["Inbox/", "Out/Inner/", "Target/Archive/", "Desktop/"] { try field.make(name) }
    for name in ["Target/report.txt", "Inbox/other.txt", "Out/a.txt", "Target/old.txt"] + [
      "Inbox/Box/a.txt", "Inbox/Box/Deep/b.txt",
    ] {
      try field.make(name)
    }
    let refused = recipe.refused.map { [$0.payload] } ?? []
    for payload in [recipe.payload] + recipe.companions + refused {
      if let file = payload.file { try field.make(file, data: payload.contents) }
    }
    let isQuestion = scenario == .cancel || scenario == .unrelated
    if isQuestion, recipe.question == nil, let folder = recipe.folder {
      try field.make("\(folder)/\(recipe.payload.name)", "Another one of that name\n")
    }
    // Players have somewhere to play to.
    try field.make(".asoundrc", "pcm.!default { type null }\nctl.!default { type null }\n")
    // The file manager waits for the index of the whole disk, which begins anew on each desktop.
    for name in ["Miner.Files", "Miner.Extract", "Writeback"] {
      let service = "org.freedesktop.Tracker3.\(name)"
      try field.make(
        "data/dbus-1/services/\(service).service",
        "[D-BUS Service]\nName=\(service)\nExec=/bin/false\n")
    }
    try field.run([
      "/usr/bin/gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path",
      "/org/freedesktop/DBus", "--method", "org.freedesktop.DBus.ReloadConfig",
    ])
    guard isReaderThere else { return }
    try field.run([
      "/usr/bin/gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path",
      "/org/a11y/bus", "--method", "org.freedesktop.DBus.Properties.Set", "org.a11y.Status",
      "IsEnabled", "<true>",
    ])
  }

  // MARK: Drops

  private func drop(_ keydrag: Keydrag, _ window: Window, _ before: DirectorySnapshot) throws
    -> Drop
  {
    switch scenario {
    case .fileOut: try carryOut(keydrag, window, recipe.selectFile, .file)
    case .textOut: try carryOut(keydrag, window, recipe.selectText, .text)
    case .textIn: try carryTextIn(keydrag, window)
    case .refuse:
      try command(
        keydrag, window, recipe.refused?.payload ?? recipe.payload,
        recipe.refused?.places ?? recipe.places)
    case .trash: try command(keydrag, window, recipe.payload, recipe.trash)
    case .tab: try command(keydrag, window, recipe.payload, recipe.tab)
    case .folderIn: try command(keydrag, window, Recipe.box, recipe.places)
    case .several:
      try command(keydrag, window, recipe.payload, recipe.places, with: recipe.companions)
    case .oneOfSeveral:
      try command(
        keydrag, window, recipe.payload, recipe.places,
        with: [recipe.companions[0], recipe.refused?.payload ?? recipe.companions[1]])
    case .fileIn, .cancel, .move, .link, .unrelated, .busy, .busyLater, .killed, .killedLater,
      .heard, .neighbours:
      try command(keydrag, window, recipe.payload, recipe.places)
    }
  }

  private func command(
    _ keydrag: Keydrag, _ window: Window, _ payload: Payload, _ places: [String],
    with companions: [Payload] = []
  ) throws -> Drop {
    let field = keydrag.field
    var drop = Drop(
      told: AnnouncedOutcome(), payload: payload, companions: companions, target: recipe.folder)
    let found = try keydrag.place(of: recipe.app, places, within: recipe.patience)
    guard let place = found.place else {
      drop.gap = "no place \(places.first ?? "") among: \(found.listed)"
      return drop
    }
    let driver = ScenarioDriver(scenario: scenario, recipe: recipe, window: window, field: field)
    driver.photograph = keep.map { "\($0)/\(keptName)-question.png" }
    let options: [String] =
      switch scenario {
      case .move: recipe.question.map(\.moveOptions) ?? ["--move"]
      case .link: ["--link"]
      default: []
      }
    func tell(_ place: String) throws -> AnnouncedOutcome {
      try keydrag.drop(
        ([payload] + companions).compactMap(\.file), onto: place, app: recipe.app, options: options,
        react: driver.react)
    }
    drop.told = try tell(place)
    // A window that has only begun is listed by other names than a moment later.
    if drop.told.status == 66, let place = try keydrag.place(of: recipe.app, places).place {
      drop.told = try tell(place)
    }
    driver.finish()
    drop.others = driver.changed
    drop.isAnswered = driver.hasAnswered
    if [64, 66, 69].contains(drop.told.status), drop.told.outcome == nil {
      drop.gap = drop.told.stray.joined(separator: " ")
    }
    return drop
  }

  private enum Kind { case file, text }

  private func carryOut(
    _ keydrag: Keydrag, _ window: Window, _ select: ((FieldDesktop, Window) throws -> Payload)?,
    _ kind: Kind
  ) throws -> Drop {
    let field = keydrag.field
    switch kind {
    case .file:
      try field.start(["/usr/bin/thunar", field.path("Out")])
      _ = try field.window("of Thunar") { $0.title.hasPrefix("Out") }
    case .text: _ = try LetterWindow.open(field)
    }
    let agent = try AgentSession(keydrag)
    defer { agent.stop() }
    try field.activate(window)
    let payload = try select?(field, window) ?? recipe.payload
    var drop = Drop(told: AnnouncedOutcome(), payload: payload, target: "Out")
    let (windows, places) =
      kind == .file ? (["Out"], ["Out"]) : (["Letter"], ["Body"])
    drop.gap = try go(agent, windows, places)
    drop.told = agent.told
    return drop
  }

  private func carryTextIn(_ keydrag: Keydrag, _ window: Window) throws -> Drop {
    let field = keydrag.field
    // The program has told of its parts before the walk begins.
    let found = try keydrag.place(of: recipe.app, recipe.textPlaces)
    let letter = try LetterWindow.open(field)
    let agent = try AgentSession(keydrag)
    defer { agent.stop() }
    try field.activate(letter)
    try field.press("ctrl+a")
    var drop = Drop(
      told: AnnouncedOutcome(), payload: .text(Recipe.words), target: recipe.folder)
    drop.gap = try go(agent, [recipe.app, window.title], recipe.textPlaces)
    if drop.gap != nil, found.place == nil { drop.gap = "no place among: \(found.listed)" }
    drop.told = agent.told
    return drop
  }

  /// Picks up, walks and drops; says why it could not.
  private func go(
    _ agent: AgentSession, _ windows: [String], _ places: [String]
  ) throws -> String? {
    let picked = try agent.pickUp()
    guard picked?.id == "picked-up" else { return picked?.text ?? "no answer to the chord" }
    guard let place = try agent.reach(windows, places) else {
      return "not reached: \(agent.told.announcements.suffix(4).map(\.text))"
    }
    if place.argument("verdict") == "refuse" { return place.text }
    try agent.drop()
    return nil
  }
}
