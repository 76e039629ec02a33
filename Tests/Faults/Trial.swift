import CFaults
import Foundation

/// One call that fails.
struct Fault: CustomStringConvertible {
  var kind: Int32
  var nth: Int32
  /// 0: the program is killed there.
  var error: Int32

  var description: String {
    let name = String(cString: Program.name(of: kind))
    return error == 0
      ? "killed at \(name) \(nth)" : "\(name) \(nth) gives \(String(cString: strerror(error)))"
  }
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

  private let ground: Ground
  private let path: String

  init(_ ground: Ground) {
    self.ground = ground
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

  func run(_ words: [String], fault: Fault? = nil) -> End {
    let output = ground.root + "/output"
    let descriptor = open(output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var arguments = ([path] + words + ["--speech", "off"]).map { strdup($0) } + [nil]
    var environment = ground.environment.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var end = cfaults_end()
    // Ten seconds are promised; a machine that does other things meanwhile may take more.
    let isStarted = cfaults_run(
      &arguments, &environment, ground.root, descriptor, fault?.kind ?? -1, fault?.nth ?? 0,
      fault?.error ?? 0, 20_000, &end)
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    let calls = withUnsafeBytes(of: end.counts) { Array($0.bindMemory(to: Int32.self)) }
    return End(
      status: isStarted == 0 ? end.status : -1, hasFired: end.fired != 0,
      isHung: end.timed_out != 0, text: text, calls: calls)
  }
}

/// One fault in one scenario, and the judgement by the disk.
final class Trial {
  let fault: Fault
  private let ground: Ground
  private let program: Program
  private let scenario: Scenario
  private let initial: [String: String]
  private let expected: [String: String]
  /// What the person heard.
  private(set) var told = ""

  init(
    _ ground: Ground, _ program: Program, _ scenario: Scenario, initial: [String: String],
    expected: [String: String], fault: Fault
  ) {
    self.ground = ground
    self.program = program
    self.scenario = scenario
    self.initial = initial
    self.expected = expected
    self.fault = fault
  }

  /// What is wrong; `nil` when the call was not made this time.
  func run() -> Set<Finding>? {
    let known = Set(ground.everything.values)
    let end = program.run(scenario.words, fault: fault)
    guard end.hasFired else { return nil }
    told = line(end)
    var found: Set<Finding> = []
    let isKilled = fault.error == 0
    if end.isHung { found.insert(.hung) }
    if end.status < 0, !isKilled, !end.isHung { found.insert(.crashed) }
    judge(known, &found)
    // The next run, which nothing disturbs.
    let next = program.run(["history"])
    told += " | " + line(next)
    judge(known, &found)
    let seen = ground.seen
    let away = Set(seen.keys).symmetricDifference(initial.keys).sorted().map {
      $0.replacing(ground.root, with: "")
    }
    told += " | differs from before: " + (away.isEmpty ? "nothing" : away.joined(separator: " "))
    if ground.everything.keys.contains(where: { $0.contains("/.keydrag-") }) {
      found.insert(.leftOver)
    }
    if !isKilled, !end.isHung, !isTrue(end, seen) { found.insert(.toldWrong) }
    if !isTrue(next.text, seen) { found.insert(.toldWrong) }
    if end.status == 0, !isKilled, ["copy", "move"].contains(scenario.words.first),
      !end.text.contains("can't be undone later")
    {
      let undo = program.run(["undo"])
      if ground.seen != initial {
        told += " | " + line(undo)
        found.insert(.undoneWrong)
      }
      judge(known, &found)
    }
    return found
  }

  private func line(_ end: Program.End) -> String {
    "\(end.status): " + end.text.split(separator: "\n").joined(separator: " / ")
  }

  /// Every byte is there, and no half file under a name that a person sees.
  private func judge(_ known: Set<String>, _ found: inout Set<Finding>) {
    let now = ground.everything
    if !Set(now.values).isSuperset(of: originals.intersection(known)) { found.insert(.lost) }
    for (path, contents) in now where !path.contains("/.keydrag-") && !known.contains(contents) {
      found.insert(.torn)
    }
  }

  /// Contents of which no undo may delete the last.
  private var originals: Set<String> { Set(initial.values) }

  /// Whether the end of a run fits the disk.
  private func isTrue(_ end: Program.End, _ seen: [String: String]) -> Bool {
    if end.status == 0 { return scenario.words.first == "history" || seen == expected }
    let isWhole = end.text.contains("Failed:") || end.text.contains("Can't undo:")
    let isTold = end.text.contains("holds it still") || end.text.contains("Undone")
    return !isWhole || isTold || seen == initial
  }

  private func isTrue(_ text: String, _ seen: [String: String]) -> Bool {
    if text.contains("Everything is as before") {
      return seen == initial || scenario.words.first == "history"
    }
    if text.contains("Now finished") {
      return scenario.words.first == "history" || seen == expected
    }
    return true
  }
}
