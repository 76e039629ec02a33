import CFaults
import Foundation

/// Has each system call of each operation fail in turn, or kills the program there, and decides by the
/// disk alone whether anything was lost, torn or told wrong.
@main
struct KeyDragFaults {
  static let usage = """
    keydrag-faults [--every N] [--seed N] [--kills] [SCENARIO ...]
    Fails the Nth call of each kind with each error that it may give; --every 20 takes each 20th of
    them, --kills ends the program there instead. Each case as it is found, and one table at the end.
    """

  static func main() throws {
    var every = 20
    var seed = 1
    var kills = false
    var names: [String] = []
    var words = CommandLine.arguments.dropFirst()
    while let word = words.popFirst() {
      switch word {
      case "--every": every = words.popFirst().flatMap { Int($0) } ?? 20
      case "--seed": seed = words.popFirst().flatMap { Int($0) } ?? 1
      case "--kills": kills = true
      case _ where word.hasPrefix("-"):
        print(usage)
        exit(64)
      default: names.append(word)
      }
    }
    guard cfaults_kind_count > 0 else {
      print("This machine's system calls are not known.")
      exit(69)
    }
    let ground = try Ground()
    defer { ground.remove() }
    var campaign = Campaign(ground, every: max(every, 1), seed: seed, kills: kills)
    for scenario in Scenario.all(ground) where names.isEmpty || names.contains(scenario.name) {
      try campaign.run(scenario)
    }
    campaign.report()
    exit(campaign.isClean ? 0 : 1)
  }
}

/// What is wrong after one fault, worst first.
enum Finding: String, CaseIterable {
  case lost, torn
  case toldWrong = "told wrong"
  case leftOver = "left over"
  case hung, crashed
  case undoneWrong = "undo wrong"
}

/// All faults of all scenarios, with what came of them.
struct Campaign {
  private let ground: Ground
  private let program: Program
  private let every: Int
  private let kills: Bool
  private var turn: Int
  private var fired: [(scenario: String, count: Int)] = []
  private var findings: [String: [Finding: Int]] = [:]
  private var cases: [String] = []

  init(_ ground: Ground, every: Int, seed: Int, kills: Bool) {
    self.ground = ground
    self.every = every
    self.kills = kills
    turn = seed
    program = Program(ground)
  }

  var isClean: Bool { cases.isEmpty }

  mutating func run(_ scenario: Scenario) throws {
    try prepare(scenario)
    let initial = ground.seen
    let counted = program.run(scenario.words)
    let expected = ground.seen
    var count = 0
    for kind in 0..<cfaults_kind_count {
      let calls = Int(counted.calls[Int(kind)])
      for nth in stride(from: 1, through: calls, by: 1) {
        for error in kills ? [0] : Program.errors(of: kind) {
          turn += 1
          guard turn.isMultiple(of: every) else { continue }
          try prepare(scenario)
          let trial = Trial(
            ground, program, scenario, initial: initial, expected: expected,
            fault: Fault(kind: kind, nth: Int32(nth), error: error))
          let found = trial.run()
          guard let found else { continue }
          count += 1
          for finding in found {
            findings[scenario.name, default: [:]][finding, default: 0] += 1
            let line = "\(finding.rawValue): \(scenario.name), \(trial.fault)\n    \(trial.told)"
            cases.append(line)
            print(line)
            fflush(nil)
          }
        }
      }
    }
    fired.append((scenario.name, count))
    print("\(scenario.name): \(count) faults")
    fflush(nil)
  }

  private func prepare(_ scenario: Scenario) throws {
    try ground.empty()
    try ground.fill()
    for words in scenario.before {
      if words.first == "kill" {
        // In the middle of its renames.
        let rename = Program.kind(named: "renameat2")
        _ = program.run(
          Array(words.dropFirst()), fault: Fault(kind: rename, nth: 4, error: 0))
      } else {
        _ = program.run(words)
      }
    }
  }

  func report() {
    let columns = Finding.allCases
    func pad(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    print(pad("scenario", 34) + pad("fired", 8) + columns.map { pad($0.rawValue, 12) }.joined())
    for (scenario, count) in fired {
      let numbers = columns.map { pad("\(findings[scenario]?[$0] ?? 0)", 12) }.joined()
      print(pad(scenario, 34) + pad("\(count)", 8) + numbers)
    }
    let sums = columns.map { column in
      pad("\(findings.values.reduce(0) { $0 + ($1[column] ?? 0) })", 12)
    }
    print(pad("all", 34) + pad("\(fired.reduce(0) { $0 + $1.count })", 8) + sums.joined())
  }
}
