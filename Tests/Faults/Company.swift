import Foundation

/// Two commands that work in the same folders at the same time, beside an editor.
struct Meeting {
  var name: String
  var before: [[String]] = []
  var commands: [[String]]
  /// The folder in which the editor saves.
  var edited: String

  static func all(_ ground: Ground) -> [Meeting] {
    func order(_ operation: String, _ to: String) -> [String] {
      [operation] + ["f1", "f2", "tree", "big"].map { ground.a + "/" + $0 } + ["--to", to]
    }
    let (b, other) = (ground.b, ground.other)
    return [
      Meeting(
        name: "move here and to another disk", commands: [order("move", b), order("move", other)],
        edited: ground.a),
      Meeting(
        name: "copy and move at once", commands: [order("copy", b), order("move", other)],
        edited: ground.a),
      Meeting(
        name: "copy twice at once", commands: [order("copy", b), order("copy", b)],
        edited: ground.a),
      Meeting(
        name: "undo of a copy, and a copy", before: [order("copy", b)],
        commands: [["undo"], order("copy", other)], edited: b),
      Meeting(
        name: "undo of a move, and a copy", before: [order("move", other)],
        commands: [["undo"], order("copy", b)], edited: other),
      Meeting(
        name: "undo twice at once", before: [order("copy", b), order("copy", other)],
        commands: [["undo"], ["undo"]], edited: b),
    ]
  }

  /// Where the commands put new things.
  var targets: Set<String> {
    Set(commands.compactMap { words in words.firstIndex(of: "--to").map { words[$0 + 1] } })
  }
}

/// One meeting, and the judgement by the disk.
final class Company {
  private let ground: Ground
  private let program: Program
  private let meeting: Meeting
  private let editor: Editor
  private(set) var told = ""
  private var found: Set<Finding> = []
  /// All texts that there were.
  private var before: Set<String> = []

  init(_ ground: Ground, _ program: Program, _ meeting: Meeting, seed: UInt64) {
    self.ground = ground
    self.program = program
    self.meeting = meeting
    editor = Editor(folders: [meeting.edited], seed: seed)
  }

  func meet() throws -> Set<Finding> {
    before = Set(ground.everything.values)
    let seen = ground.seen
    let sessions = try meeting.commands.indices.map { try start(meeting.commands[$0], $0) }
    editor.begin()
    for session in sessions { wait(for: session) }
    editor.end()
    told += " | edits: " + editor.words
    judge()
    if ground.everything.keys.contains(where: { $0.contains("/.keydrag-") }) {
      found.insert(.leftOver)
    }
    // The newest entry may be that of the command beside it, which had just ended.
    let isOther = sessions.contains { session in
      session.words.first == "undo"
        && meeting.targets.contains {
          session.text.contains("to \(URL(filePath: $0).lastPathComponent).")
        }
    }
    if !isOther {
      for target in meeting.targets { compare(target, seen, sessions) }
      for session in sessions where session.words.first == "undo" && session.status == 0 {
        if !isTakenBack(seen) { found.insert(.toldWrong) }
      }
    }
    // Everything that was saved meanwhile outlives the next run and all that can be taken back.
    for words in [["history"], ["undo"], ["undo"]] {
      let end = program.run(words)
      told += " | \(words[0]) \(end.status): \(end.text)"
      if end.isHung { found.insert(.hung) }
      if end.status < 0, !end.isHung { found.insert(.crashed) }
      judge()
      if ground.everything.keys.contains(where: { $0.contains("/.keydrag-") }) {
        found.insert(.leftOver)
      }
    }
    told = told.replacing("\n", with: " / ")
    return found
  }

  /// A command that runs.
  private final class Session {
    let words: [String]
    let process = Process()
    let transcript: String
    let output: String
    var status: Int32 = 0
    /// How many things it says have arrived.
    var delivered = 0
    var text = ""

    init(_ words: [String], _ path: String) {
      self.words = words
      transcript = path + ".jsonl"
      output = path + ".text"
    }
  }

  private func start(_ words: [String], _ number: Int) throws -> Session {
    let session = Session(words, ground.base + "/session-\(number)")
    for path in [session.transcript, session.output] {
      try? FileManager.default.removeItem(atPath: path)
    }
    guard FileManager.default.createFile(atPath: session.output, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let process = session.process
    process.executableURL = URL(filePath: program.path)
    process.arguments = words + ["--speech", "off", "--transcript", session.transcript]
    process.environment = Dictionary(
      uniqueKeysWithValues: ground.environment.map { line in
        let end = line.firstIndex(of: "=") ?? line.endIndex
        return (String(line[..<end]), String(line[end...].dropFirst()))
      })
    process.standardInput = FileHandle.nullDevice
    let output = FileHandle(forWritingAtPath: session.output)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return session
  }

  private func wait(for session: Session) {
    let end = ContinuousClock.now + program.longest
    while session.process.isRunning, ContinuousClock.now < end { usleep(2000) }
    if session.process.isRunning {
      found.insert(.hung)
      kill(session.process.processIdentifier, SIGKILL)
    }
    session.process.waitUntilExit()
    session.status = session.process.terminationStatus
    if session.process.terminationReason == .uncaughtSignal, !found.contains(.hung) {
      found.insert(.crashed)
    }
    session.text = (try? String(contentsOfFile: session.output, encoding: .utf8)) ?? ""
    told += " | \(session.words[0]) \(session.status): \(session.text)"
    let lines = (try? String(contentsOfFile: session.transcript, encoding: .utf8)) ?? ""
    for line in lines.split(separator: "\n") {
      let fields = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let fields, fields["kind"] as? String == "delivery",
        fields["stage"] as? String == "finished"
      else { continue }
      session.delivered += fields["delivered"] as? Int ?? 0
    }
  }

  /// What lies in a target by now is what was said to have arrived there.
  private func compare(_ target: String, _ seen: [String: String], _ sessions: [Session]) {
    // Saving a file there may make one.
    if target == meeting.edited { return }
    let to = sessions.filter { $0.words.contains(target) }
    func roots(_ contents: [String: String]) -> Set<Substring> {
      Set(
        contents.keys.filter { $0.hasPrefix(target + "/") }
          .map { $0.dropFirst(target.count + 1).prefix { $0 != "/" } })
    }
    // What an undo has taken away meanwhile was another's.
    let arrived = roots(ground.seen).subtracting(roots(seen)).count
    let told = to.reduce(0) { $0 + $1.delivered }
    let areBoth = to.contains {
      $0.text.contains("original is still there") || $0.text.contains("hold it")
    }
    if areBoth ? told > arrived : told != arrived {
      self.told += " | arrived: \(arrived), told: \(told)"
      found.insert(.toldWrong)
    }
  }

  /// Whether nothing of what stood in the edited folder as it was copied there stands there still.
  private func isTakenBack(_ seen: [String: String]) -> Bool {
    guard meeting.commands.count(where: { $0.first == "undo" }) == 1 else { return true }
    return !ground.seen.contains { path, contents in
      path.hasPrefix(meeting.edited + "/") && contents != "/" && before.contains(contents)
        && seen[path] == contents && !contents.hasPrefix("old ")
    }
  }

  /// Every byte is there that nobody has written over, and no half file.
  private func judge() {
    let (lost, torn) = editor.judge(ground.everything, wanted: before, known: before)
    if let lost { (told, found) = (told + " | lost: \(lost)", found.union([.lost])) }
    if let torn { (told, found) = (told + " | torn: \(torn)", found.union([.torn])) }
  }
}
