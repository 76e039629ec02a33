import CFaults
import Foundation

/// One thing that goes wrong.
enum Fault: CustomStringConvertible {
  /// The nth call of a kind fails with an error, and all after it where it lasts.
  case call(kind: Int32, nth: Int32, error: Int32, lasts: Bool)
  /// The program is killed at the nth call of a kind.
  case kill(kind: Int32, nth: Int32)
  /// The program is killed after so many microseconds.
  case moment(Int32)
  /// A disk has so many bytes left.
  case full(disk: String, bytes: Int)
  /// The nth call of a kind, and all after it where it lasts, does not return before the program is told to
  /// end; or, where it is only late, for some time.
  case stall(kind: Int32, nth: Int32, lasts: Bool, isLate: Bool)
  /// Somebody does something to a file at the nth call of a kind, where the program may be killed then.
  case writer(kind: Int32, nth: Int32, way: Editor.Way, kills: Bool)
  /// A folder is a disk that can't do something.
  case poor(folder: String, limit: Veil.Limit)

  var isKill: Bool {
    switch self {
    case .kill, .moment, .writer(_, _, _, kills: true): true
    // Ended by TERM, and killed where that does not end it.
    case .stall(_, _, _, let isLate): !isLate
    case .call, .full, .writer, .poor: false
    }
  }

  /// The only error that there is.
  fileprivate var cause: Int32? {
    switch self {
    // That a name is there or not, and that something goes another way, is no error by itself.
    case .call(_, _, ENOENT, _), .call(_, _, EXDEV, _), .call(_, _, EINVAL, _): nil
    case .call(_, _, EMFILE, _), .call(_, _, EAGAIN, _), .call(_, _, EINTR, _): nil
    case .call(_, _, let error, _): error
    case .full: ENOSPC
    case .poor(_, let limit): limit.cause
    case .kill, .moment, .stall, .writer: nil
    }
  }

  var isPoor: Bool { if case .poor = self { true } else { false } }

  var description: String {
    func name(_ kind: Int32) -> String { String(cString: Program.name(of: kind)) }
    switch self {
    case .call(let kind, let nth, let error, let lasts):
      let number = lasts ? "from \(nth) on" : "\(nth)"
      return "\(name(kind)) \(number) gives \(String(cString: strerror(error)))"
    case .kill(let kind, let nth): return "killed at \(name(kind)) \(nth)"
    case .moment(let time): return "killed after \(time) µs"
    case .full(let disk, let bytes): return "\(bytes) bytes left on \(disk)"
    case .stall(let kind, let nth, let lasts, let isLate):
      let what = isLate ? "returns late" : "never returns"
      return "\(name(kind)) \(lasts ? "from \(nth) on" : "\(nth)") \(what)"
    case .writer(let kind, let nth, let way, let kills):
      return "\(way.rawValue) at \(name(kind)) \(nth)\(kills ? ", and killed" : "")"
    case .poor(let folder, let limit): return "\(folder) has \(limit.word)"
    }
  }

  /// The sum of the program's own patience with a disk and the 3 s after it, in milliseconds.
  private static let grace: Int32 = 6000

  /// How it is ordered from the one who makes it.
  fileprivate var order: cfaults_order {
    var order = cfaults_order()
    order.kind = cfaults_none
    switch self {
    case .call(let kind, let nth, let error, let lasts):
      (order.kind, order.nth, order.error, order.lasts) = (kind, nth, error, lasts ? 1 : 0)
    case .kill(let kind, let nth): (order.kind, order.nth) = (kind, nth)
    case .moment(let time): order.kill_after = time
    case .stall(let kind, let nth, let lasts, let isLate):
      (order.kind, order.nth, order.lasts) = (kind, nth, lasts ? 1 : 0)
      order.held = isLate ? 400 : 100
      order.grace = isLate ? 0 : Self.grace
    case .writer(let kind, let nth, _, let kills):
      (order.kind, order.nth, order.kills) = (kind, nth, kills ? 1 : 0)
      order.meanwhile = { Unmanaged<Act>.fromOpaque($0!).takeUnretainedValue().act() }
    case .full, .poor: break
    }
    return order
  }
}

/// The deed while the program waits.
private final class Act {
  let act: () -> Void
  init(_ act: @escaping () -> Void) { self.act = act }
}

/// The program that is tried: the one built beside this.
struct Program {
  struct End {
    var status: Int32
    var hasFired: Bool
    var isHung: Bool
    var text: String
    var calls: [Int32]
  }

  let path: String
  private let ground: Ground
  /// How long a run may take, in milliseconds.
  private let patience: Int32

  var longest: Duration { .milliseconds(Int(patience)) }

  init(_ ground: Ground, patience: Int) {
    self.ground = ground
    self.patience = Int32(clamping: patience * 1000)
    path =
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "keydrag").path
  }

  static func name(of kind: Int32) -> UnsafePointer<CChar> { cfaults_kind(kind).pointee.name }

  static func errors(of kind: Int32) -> [Int32] {
    withUnsafeBytes(of: cfaults_kind(kind).pointee.errors) { bytes in
      Array(bytes.bindMemory(to: Int32.self).prefix { $0 != 0 })
    }
  }

  static func kind(named wanted: String) -> Int32 {
    (0..<cfaults_kind_count).first { String(cString: name(of: $0)) == wanted } ?? -1
  }

  /// Runs it undisturbed.
  func run(_ words: [String]) -> End { run(words, order(nil)) }

  /// Runs it with something that goes wrong.
  ///
  /// - Parameter meanwhile: done where a writer is the fault.
  func run(_ words: [String], fault: Fault, meanwhile: @escaping () -> Void = {}) -> End {
    let act = Act(meanwhile)
    var order = order(fault)
    order.context = Unmanaged.passUnretained(act).toOpaque()
    return withExtendedLifetime(act) { run(words, order) }
  }

  /// Runs it undisturbed, and counts its calls.
  func counted(_ words: [String]) -> End {
    var order = order(nil)
    order.kind = cfaults_counted
    return run(words, order)
  }

  private func order(_ fault: Fault?) -> cfaults_order {
    var order = fault?.order ?? cfaults_order()
    if fault == nil { order.kind = cfaults_none }
    order.milliseconds = patience
    return order
  }

  private func run(_ words: [String], _ order: cfaults_order) -> End {
    let output = ground.base + "/output"
    let descriptor = open(output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var arguments = ([path] + words + ["--speech", "off"]).map { strdup($0) } + [nil]
    var environment = ground.environment.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var end = cfaults_end()
    let isStarted = cfaults_run(
      &arguments, &environment, ground.root, descriptor, order, &end)
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    let calls = withUnsafeBytes(of: end.counts) { Array($0.bindMemory(to: Int32.self)) }
    return End(
      status: isStarted == 0 ? end.status : -1, hasFired: end.fired != 0,
      isHung: end.timed_out != 0, text: text, calls: calls)
  }
}

/// The disk as it has to be at the ends of a scenario.
struct Disks {
  /// Before the scenario's words.
  var initial: [String: String] = [:]
  /// After them, when nothing disturbs.
  var expected: [String: String] = [:]
  /// What is said of it then.
  var words = ""
  /// What recovery means by "as before" and by "finished": of a scenario that begins with a killed
  /// command, the disk before that one, and after it when nothing disturbs.
  var asBefore: [String: String] = [:]
  var finished: [String: String] = [:]
}

/// One fault in one scenario, and the judgement by the disk.
final class Trial {
  let fault: Fault
  private let ground: Ground
  private let program: Program
  private let scenario: Scenario
  private let disks: Disks
  /// What the person heard.
  private(set) var told = ""
  private var found: Set<Finding> = []
  /// The one who works on the same files, where that is the fault.
  private let editor: Editor

  init(
    _ ground: Ground, _ program: Program, _ scenario: Scenario, _ disks: Disks, fault: Fault,
    seed: Int
  ) {
    self.ground = ground
    self.program = program
    self.scenario = scenario
    self.disks = disks
    self.fault = fault
    editor = Editor(folders: [ground.a, ground.b, ground.other], seed: UInt64(seed))
  }

  /// What is wrong; `nil` when the call was not made this time.
  func run() throws -> Set<Finding>? {
    let known = Set(ground.everything.values)
    let mounted = ground.mounted
    let end: Program.End
    switch fault {
    case .full(let disk, let bytes):
      guard ground.leave(bytes, on: disk) else { return nil }
      end = program.run(scenario.words)
      ground.leave(nil, on: disk)
      guard end.text != disks.words else { return nil }
    case .poor(let folder, let limit):
      let isThere = try ground.veil.lower(
        over: folder, behind: ground.base + "/behind", limit.word)
      guard isThere else { return nil }
      end = program.run(scenario.words)
      // A single failure may be all right again; a disk's inability stays.
      ground.veil.heal()
    case .writer(_, _, let way, _):
      end = program.run(scenario.words, fault: fault) { [editor] in editor.act(way) }
      guard end.hasFired, !editor.touched.isEmpty else { return nil }
    default:
      end = program.run(scenario.words, fault: fault)
      guard end.hasFired else { return nil }
    }
    told = line(end)
    checkReason(end)
    let isKilled = fault.isKill
    if end.isHung { found.insert(.hung) }
    if end.status < 0, !isKilled, !end.isHung { found.insert(.crashed) }
    judge(known)
    let then = shown
    // The next run, which nothing disturbs.
    let next = program.run(["history"])
    told += " | " + line(next)
    editor.finish()
    judge(known)
    let seen = ground.seen
    let away = Set(seen.keys).symmetricDifference(disks.initial.keys).sorted().map {
      $0.replacing(ground.root, with: "")
    }
    told += " | differs from before: " + (away.isEmpty ? "nothing" : away.joined(separator: " "))
    if ground.everything.keys.contains(where: { $0.contains("/.keydrag-") }) {
      found.insert(.leftOver)
    }
    let bad = ground.badNotes
    // Nobody can remove a note where nothing can be removed.
    var isHeld = false
    if case .call(let kind, _, _, lasts: true) = fault {
      isHeld = kind == Program.kind(named: "unlinkat")
    }
    if !bad.isEmpty, !isHeld {
      found.insert(.badNotes)
      told += " | notes: " + bad.joined(separator: " ")
    }
    // What could not be ended at once is put right by the next run, and so is as it was told.
    if !isKilled, !end.isHung, !isTrue(end, then), !isTrue(end, seen) { found.insert(.toldWrong) }
    if !isKilled, !isTrue(end.text, then) { found.insert(.toldWrong) }
    if !isTrue(next.text, seen) { found.insert(.toldWrong) }
    let isWritten = !end.text.contains("can't be undone later")
    if isWritten, scenario.isFirst { takeBack(end, known) }
    if !editor.touched.isEmpty { told += " | edits: \(editor.words), of \(editor.touched)" }
    // The trash may be on one of them.
    if case let now = ground.mounted, mounted.contains(where: { now[$0.key] != $0.value }) {
      told += " | mounted: " + ground.mounted.keys.joined(separator: " ")
      found.insert(.lost)
    }
    return found
  }

  /// A reason that is told is the only one that there is.
  private func checkReason(_ end: Program.End) {
    guard let cause = fault.cause,
      let wrong = Reasons.wrong(in: end.text, for: cause, usual: disks.words)
    else { return }
    told += " | not so: \(wrong)"
    found.insert(.toldWrong)
  }

  /// An undo, a second one, and a redo: each has to be what it says.
  private func takeBack(_ end: Program.End, _ known: Set<String>) {
    // A disk that can't hold or read something can't take it back either.
    let isWhole = end.status == 0 && !fault.isKill && editor.touched.isEmpty && !fault.isPoor
    let undo = program.run(["undo"])
    let back = ground.seen
    judge(known)
    if fault.isPoor {
      told += " | " + line(undo)
      checkReason(undo)
    }
    if ours(back) != ours(disks.initial), isWhole || undo.status == 0 {
      told += " | " + line(undo)
      found.insert(.undoneWrong)
    }
    guard undo.status == 0 else { return }
    let second = program.run(["undo"])
    if ground.seen != back {
      told += " | again: " + line(second)
      found.insert(.undoneWrong)
    }
    let redo = program.run(["redo"])
    judge(known)
    // A thing whose times were lost on the way is not known again, which is told.
    let isExcused = redo.status != 0 && end.text.contains("could not be kept")
    if isWhole, !isExcused, ground.seen != disks.expected {
      told += " | " + line(redo)
      found.insert(.undoneWrong)
    }
  }

  private func line(_ end: Program.End) -> String {
    "\(end.status): " + end.text.split(separator: "\n").joined(separator: " / ")
  }

  /// What is there under names that are no longer ours.
  private var shown: [String: String] { ground.seen.filter { !$0.key.contains("/.keydrag-") } }

  /// Every byte is there, and no half file under a name that a person sees.
  private func judge(_ known: Set<String>) {
    // Contents of which no undo may delete the last.
    let originals = Set(disks.initial.values).intersection(known)
    let (lost, torn) = editor.judge(ground.everything, wanted: originals, known: known)
    if let lost { (told, found) = (told + " | lost: \(lost)", found.union([.lost])) }
    if let torn { (told, found) = (told + " | torn: \(torn)", found.union([.torn])) }
  }

  /// The files that nobody else has changed.
  private func ours(_ contents: [String: String]) -> [String: String] {
    let touched = editor.touched
    return contents.filter { path, _ in
      let folder = [ground.a, ground.b, ground.other].first { path.hasPrefix($0 + "/") } ?? ""
      let name = path.dropFirst(folder.count + 1).prefix { $0 != "/" }
      return !touched.contains { name.hasPrefix($0) }
    }
  }

  /// Whether the end of a run fits the disk.
  private func isTrue(_ end: Program.End, _ seen: [String: String]) -> Bool {
    let (seen, initial, expected) = (ours(seen), ours(disks.initial), ours(disks.expected))
    // Names that are one there get others, as is told.
    if end.status == 0, case .poor(_, let limit) = fault, limit.word == "no-case" { return true }
    if end.status == 0 {
      // The end of the keys cancels what is held, as before a question.
      let isCancelled = end.text.contains("Cancelled. Back at") && seen == initial
      return isCancelled || scenario.words.first == "history" || seen == expected
    }
    let isInPart = end.text.contains("Left out") || end.text.contains("Left where")
    if editor.touched.isEmpty, let count = toldCount(end.text),
      let arrived = scenario.arrived(seen, disks, inPart: isInPart)
    {
      // What both places hold has arrived, and has not been moved.
      return end.text.contains("original is still there") ? count < arrived : count == arrived
    }
    let isWhole = end.text.contains("Failed:") || end.text.contains("Can't undo:")
    let isTold = end.text.contains("original is still there") || end.text.contains("Undone")
    return !isWhole || isTold || seen == initial
  }

  /// How many things are said to have arrived, of a drop that was done in part.
  private func toldCount(_ text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 4, words[0] == "Copied" || words[0] == "Moved", words[2] == "of",
        words[4] == "to"
      else { continue }
      return Int(words[1])
    }
    return nil
  }

  /// Whether what a run says of an earlier one fits the disk.
  private func isTrue(_ text: String, _ seen: [String: String]) -> Bool {
    if text.contains("Everything is as before") || text.contains("in the middle. Nothing was") {
      return ours(seen) == ours(disks.asBefore)
    }
    if text.contains("Now finished") { return ours(seen) == ours(disks.finished) }
    return true
  }
}
