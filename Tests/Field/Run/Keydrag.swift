import Foundation

/// The program under test, as a person starts it on the desktop of a case.
struct Keydrag {
  let path: String
  let field: FieldDesktop

  /// A place as `keydrag points --json` lists it.
  struct Place {
    let name: String
    let line: String
  }

  /// The lists of places that are looked through until a preferred one is there: programs tell of
  /// their parts some time after their window appears.
  func place(of app: String, _ preferred: [String], within seconds: Double = 20) throws -> (
    place: String?, listed: String
  ) {
    var listed: [Place] = []
    var words = ""
    var found: String?
    try field.wait(seconds) {
      let ended = try field.run([path, "points", "--app", app, "--json"], within: 30)
      listed = ended.lines.compactMap { line in
        Record(line).flatMap { record in
          record["name"].map { Place(name: $0, line: line) }
        }
      }
      words = ended.lines.joined(separator: " ")
      found = Self.choose(preferred, among: listed.map(\.name))
      return found != nil
    }
    return (found, listed.isEmpty ? words : listed.map(\.name).joined(separator: "; "))
  }

  static func choose(_ preferred: [String], among names: [String]) -> String? {
    for start in preferred {
      if let name = names.first(where: { $0.lowercased().hasPrefix(start.lowercased()) }) {
        return name
      }
    }
    return nil
  }

  func undo() throws -> FieldDesktop.Ended {
    try field.run([path, "undo", "--speech", "off"], within: 30)
  }

  /// Drops files by one command; `react` sees each line of the transcript as it comes, and nothing
  /// when none has come for a while.
  func drop(
    _ files: [String], onto place: String, app: String, options: [String] = [],
    react: (Record?) throws -> Void
  ) throws -> AnnouncedOutcome {
    let command =
      [path, "drop"] + files.map(field.path) + ["--onto", place, "--app", app, "--transcript", "-"]
      + ["--speech", "off"] + options
    let live = try LiveCommand(command, on: field)
    defer { live.stop() }
    var told = AnnouncedOutcome()
    let start = Date()
    var rests = 0
    while live.status == nil, !field.isOver, rests < 8 {
      guard let line = try live.line(within: 5) else {
        rests += 1
        if live.status == nil { try react(nil) }
        continue
      }
      guard let record = Record(line) else {
        told.stray.append(line)
        continue
      }
      told.records.append(record)
      told.moments.append(Date().timeIntervalSince(start))
      try react(record)
    }
    told.status = live.status ?? 124
    return told
  }
}

/// The agent, with a person's keys.
final class AgentSession {
  private let live: LiveCommand
  private let field: FieldDesktop
  private(set) var told = AnnouncedOutcome()
  private var read = 0
  private var react: (Record?) throws -> Void

  init(
    _ keydrag: Keydrag, react: @escaping (Record?) throws -> Void = { _ in }
  ) throws {
    field = keydrag.field
    self.react = react
    live = try LiveCommand(
      [keydrag.path, "desktop", "--transcript", "-", "--speech", "off"], on: keydrag.field)
    guard try wait(30, for: { $0.id == "agent-ready" }) != nil else {
      throw SetupError(description: "the agent is not ready: \(live.lines.suffix(3))")
    }
  }

  /// The next record that fits, from where the last wait stopped.
  func wait(_ seconds: Double, for fits: (Record) -> Bool) throws -> Record? {
    let end = Date() + seconds
    while Date() < end, !field.isOver {
      guard let line = try live.line(within: max(1, end.timeIntervalSinceNow)) else {
        if live.status != nil { return nil }
        continue
      }
      guard let record = Record(line) else { continue }
      told.records.append(record)
      try react(record)
      if fits(record) { return record }
    }
    return nil
  }

  /// Presses the chord; what was told when nothing could be picked up.
  func pickUp() throws -> Record? {
    for _ in 0..<4 {
      try field.press("ctrl+alt+space")
      let answer = try wait(12) { ["picked-up", "nothing-to-pick-up"].contains($0.id) }
      if answer?.id == "picked-up" { return answer }
      guard ["not-responding", "nothing-there"].contains(answer?.argument("reason")) else {
        return answer
      }
    }
    return told.announcements.last { $0.id == "nothing-to-pick-up" }
  }

  /// Walks the windows until one is called this, then its places until one begins so.
  func reach(_ windows: [String], _ places: [String]) throws -> Record? {
    func fits(_ record: Record) -> Bool {
      let name = record.argument("name")?.lowercased() ?? ""
      return places.contains { name.hasPrefix($0.lowercased()) }
    }
    // A program is called by more than its name, such as that of the suite it belongs to.
    func isIn(_ record: Record) -> Bool {
      ["container", "app", "name"].compactMap { record.argument($0)?.lowercased() }.contains {
        value in windows.contains { value.contains($0.lowercased()) }
      }
    }
    let isPlace: (Record) -> Bool = {
      $0.id == "edge" || $0.id == "drop-point" && $0.argument("verdict") != "asking"
    }
    var here = try wait(10, for: isPlace)
    var pages = 0
    while let place = here, !isIn(place), pages < 10 {
      try field.press("Next")
      pages += 1
      here = try wait(8, for: isPlace)
    }
    var tabs = 0
    while let place = here, !fits(place), tabs < 25 {
      try field.press("Tab")
      tabs += 1
      here = try wait(8, for: isPlace)
    }
    return here.flatMap { fits($0) ? $0 : nil }
  }

  /// Walks the windows until one is called this, then goes to the place with a name by typing it.
  func find(_ name: String, in windows: [String]) throws -> Record? {
    guard try reach(windows, [""]) != nil else { return nil }
    try field.press("F4")
    try field.xdotool("type", name)
    try field.press("Return")
    return try wait(10) {
      guard $0.id == "drop-point", $0.argument("verdict") != "asking" else { return false }
      // It may be told with what it is, such as "folder".
      return $0.argument("name")?.split(separator: " ").first.map(String.init) == name
    }
  }

  /// Presses Enter, and once more where another answer of the place is heard first; returns once
  /// the outcome is told, and a question has been answered.
  ///
  /// - Parameter keys: those that answer a question of the program.
  func drop(answering keys: [String] = []) throws {
    let ends: Set<String> = ["delivered", "failed", "refused", "partly-delivered", "cancelled"]
    func isEnd(_ record: Record) -> Bool { ends.contains(record.id) || record.id == "unconfirmed" }
    for _ in 0..<2 {
      try field.press("Return")
      let heard = try wait(25) {
        isEnd($0) || $0.id == "drop-point" && $0.argument("verdict") != "asking"
      }
      // A word of the place from before Return is followed by the outcome, and another Return would be
      // the program's.
      if try heard?.id != "drop-point" || wait(1.5, for: isEnd) != nil { break }
    }
    if told.outcome?.argument("question") != nil || told.outcome?.argument("window") != nil {
      if !keys.isEmpty { usleep(700_000) }
      for key in keys { try field.press(key) }
      _ = try wait(20, for: isEnd)
    }
  }

  func stop() { live.stop() }
}
