import CFaults
import Foundation
import Synchronization

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
  private var before: [String: String] = [:]

  init(_ ground: Ground, _ program: Program, _ meeting: Meeting, seed: UInt64) {
    self.ground = ground
    self.program = program
    self.meeting = meeting
    editor = Editor(folder: meeting.edited, seed: seed)
  }

  func meet() throws -> Set<Finding> {
    before = ground.everything
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
    let areBoth = to.contains { $0.text.contains("holds it still") || $0.text.contains("hold it") }
    if areBoth ? told > arrived : told != arrived {
      self.told += " | arrived: \(arrived), told: \(told)"
      found.insert(.toldWrong)
    }
  }

  /// Whether nothing of what stood in the edited folder as it was copied there stands there still.
  private func isTakenBack(_ seen: [String: String]) -> Bool {
    guard meeting.commands.count(where: { $0.first == "undo" }) == 1 else { return true }
    let old = Set(before.values)
    return !ground.seen.contains { path, contents in
      path.hasPrefix(meeting.edited + "/") && contents != "/" && old.contains(contents)
        && seen[path] == contents && !contents.hasPrefix("old ")
    }
  }

  /// Every byte is there that nobody has written over, and no half file.
  private func judge() {
    let now = ground.everything
    let contents = Set(now.values)
    let wanted = Set(before.values).union(editor.saved).subtracting(editor.overwritten)
    if let gone = wanted.first(where: { !contents.contains($0) }) {
      told += " | lost: \(gone.prefix(24))"
      found.insert(.lost)
    }
    for (path, text) in now where !path.contains("/.keydrag-") {
      // What an editor has half written may be copied as it stands.
      let isKnown = before.values.contains(text) || editor.saved.contains { $0.hasPrefix(text) }
      if isKnown || editor.written.contains(where: { $0.hasPrefix(text) }) { continue }
      told += " | torn: \(path) \(text.count)"
      found.insert(.torn)
    }
  }
}

/// Saves files as editors do: in place, and by a new file in the place of the old one.
final class Editor: Sendable {
  private struct State {
    var isOver = false
    var chance: Chance
    var saved: Set<String> = []
    var overwritten: Set<String> = []
    var written: Set<String> = []
    var counts: [String: Int] = [:]
  }

  private let folder: String
  private let state: Mutex<State>
  private let thread = DispatchGroup()

  init(folder: String, seed: UInt64) {
    self.folder = folder
    state = Mutex(State(chance: Chance(seed)))
  }

  /// Texts that stood in a file when it was closed.
  var saved: Set<String> { state.withLock { $0.saved } }
  /// What the editor itself has put an end to.
  var overwritten: Set<String> { state.withLock { $0.overwritten } }
  /// All that it began to write.
  var written: Set<String> { state.withLock { $0.written } }
  var words: String {
    state.withLock { $0.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" } }
      .joined(separator: ", ")
  }

  /// So many saves at most, that the disk does not fill.
  private static let most = 400

  func begin() {
    DispatchQueue.global().async(group: thread) { [self] in
      for number in 0..<Self.most {
        if state.withLock({ $0.isOver }) { return }
        save(number)
        usleep(UInt32(chance(3000)))
      }
    }
  }

  func end() {
    state.withLock { $0.isOver = true }
    thread.wait()
  }

  private func chance(_ bound: Int) -> Int { state.withLock { $0.chance.below(bound) } }

  private func save(_ number: Int) {
    let names = ["f1", "f2", "big", "tree/x", "tree/inner/y"]
    let path = folder + "/" + names[chance(names.count)]
    let text = String(repeating: "edit \(number) ", count: 60)
    state.withLock { _ = $0.written.insert(text) }
    let way: String
    switch chance(5) {
    case 0, 1: way = write(text, over: path) ? "in place" : "missed"
    case 2, 3: way = exchange(text, path) ? "by another file" : "missed"
    default: way = add(text, folder + "/tree/new-\(number)") ? "new" : "missed"
    }
    state.withLock { $0.counts[way, default: 0] += 1 }
  }

  private func write(_ text: String, over path: String) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    let old = contents(of: file)
    usleep(UInt32(chance(1500)))
    state.withLock { _ = $0.overwritten.insert(old) }
    guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else { return false }
    let bytes = Array(text.utf8)
    let half = bytes.count / 2
    guard Glibc.write(file, bytes, half) == half else { return false }
    usleep(UInt32(chance(1500)))
    guard Glibc.write(file, Array(bytes[half...]), bytes.count - half) == bytes.count - half else {
      return false
    }
    state.withLock { _ = $0.saved.insert(text) }
    return true
  }

  /// Puts a new file into the place of the old one, of which it knows what it held.
  private func exchange(_ text: String, _ path: String) -> Bool {
    let new = path + ".new"
    guard add(text, new, isSave: false) else { return false }
    let isThere = access(path, F_OK) == 0
    guard cfaults_put(new, path, isThere ? 1 : 0) == 0 else {
      unlink(new)
      return false
    }
    state.withLock { _ = $0.saved.insert(text) }
    if !isThere { return true }
    let file = open(new, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    defer { close(file) }
    let old = contents(of: file)
    state.withLock { _ = $0.overwritten.insert(old) }
    unlink(new)
    return true
  }

  private func add(_ text: String, _ path: String, isSave: Bool = true) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { return false }
    if isSave { state.withLock { _ = $0.saved.insert(text) } }
    return true
  }

  private func contents(of file: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
