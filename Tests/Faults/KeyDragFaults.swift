import CFaults
import Foundation

/// Has each system call of each operation fail in turn, or kills the program there, and decides by the
/// disk alone whether anything was lost, torn or told wrong.
@main
struct KeyDragFaults {
  static let usage = """
    keydrag-faults [--every N] [--seed N] [--kills | --lasting] [--calls KIND] [--patience N]
                   [--power-cuts N] [SCENARIO ...]
    Fails the Nth call of each kind with each error that it may give; --every 20 takes each 20th of
    them, --kills ends the program there instead, --lasting fails all calls of the kind from there on,
    --calls takes one kind of calls alone, such as fcntl.
    --power-cuts cuts the power of an ext4 of its own N times, which takes root, and does nothing else
    where no scenario is named. A run that takes longer than --patience seconds hangs: 10, where the
    machine does nothing else. Each case as it is found, and one table at the end.
    """

  static func main() throws {
    var every = 20
    var seed = 1
    var kills = false
    var lasting = false
    var calls: String?
    var cuts = 0
    var patience = 10
    var names: [String] = []
    var words = CommandLine.arguments.dropFirst()
    while let word = words.popFirst() {
      switch word {
      case "--every": every = words.popFirst().flatMap { Int($0) } ?? 20
      case "--seed": seed = words.popFirst().flatMap { Int($0) } ?? 1
      case "--kills": kills = true
      case "--lasting": lasting = true
      case "--calls": calls = words.popFirst()
      case "--patience": patience = words.popFirst().flatMap { Int($0) } ?? 10
      case "--power-cuts": cuts = words.popFirst().flatMap { Int($0) } ?? 100
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
    var campaign = Campaign(
      ground, Program(ground, patience: max(patience, 1)), every: max(every, 1), seed: seed,
      kills: kills, lasting: lasting, calls: calls)
    let isAll = names.isEmpty && cuts == 0
    for scenario in Scenario.all(ground) where isAll || names.contains(scenario.name) {
      try campaign.run(scenario)
    }
    if cuts > 0 { try campaign.cutPower(cuts) }
    ground.remove()
    campaign.report()
    exit(campaign.isClean ? 0 : 1)
  }
}

/// What is wrong after one fault, worst first.
enum Finding: String, CaseIterable {
  case lost, torn
  case toldWrong = "told wrong"
  case leftOver = "left over"
  case badNotes = "trash notes"
  case hung, crashed
  case undoneWrong = "undo wrong"
}

/// All faults of all scenarios, with what came of them.
struct Campaign {
  private let ground: Ground
  private let program: Program
  private let every: Int
  private let kills: Bool
  private let lasting: Bool
  private let calls: String?
  private var turn: Int
  private var fired: [(scenario: String, count: Int)] = []
  private var findings: [String: [Finding: Int]] = [:]
  private var cases: [String] = []

  init(
    _ ground: Ground, _ program: Program, every: Int, seed: Int, kills: Bool, lasting: Bool,
    calls: String?
  ) {
    self.ground = ground
    self.program = program
    self.every = every
    self.kills = kills
    self.lasting = lasting
    self.calls = calls
    turn = seed
  }

  var isClean: Bool { cases.isEmpty }

  mutating func run(_ scenario: Scenario) throws {
    var disks = Disks()
    if let killed = scenario.before.last, killed.first == "kill" {
      try prepare(Scenario(name: "", before: scenario.before.dropLast(), words: []))
      disks.asBefore = ground.seen
      _ = program.run(Array(killed.dropFirst()))
      disks.finished = ground.seen
    }
    try prepare(scenario)
    disks.initial = ground.seen
    let counted = program.run(scenario.words)
    disks.expected = ground.seen
    if disks.finished.isEmpty { (disks.asBefore, disks.finished) = (disks.initial, disks.expected) }
    var count = 0
    for kind in 0..<cfaults_kind_count {
      if let calls, String(cString: Program.name(of: kind)) != calls { continue }
      let calls = Int(counted.calls[Int(kind)])
      for nth in stride(from: 1, through: calls, by: 1) {
        // A call that is interrupted again and again is no call that fails.
        let errors = Program.errors(of: kind).filter { !lasting || $0 != EINTR }
        for error in kills ? [0] : errors {
          turn += 1
          guard turn.isMultiple(of: every) else { continue }
          try prepare(scenario)
          let trial = Trial(
            ground, program, scenario, disks,
            fault: Fault(kind: kind, nth: Int32(nth), error: error, lasts: lasting))
          let found = trial.run()
          guard let found else { continue }
          count += 1
          for finding in found { note(finding, scenario.name, "\(trial.fault)", trial.told) }
        }
      }
    }
    end(scenario.name, count)
  }

  mutating func cutPower(_ times: Int) throws {
    let name = "power cuts"
    guard let disk = try CuttableDisk(ground) else {
      print("\(name): not run, they need root, mkfs.ext4 and a free loop device")
      return
    }
    defer { disk.remove() }
    var count = 0
    for number in 0..<times {
      let (found, told) = try disk.cut(number, program)
      count += 1
      for finding in found { note(finding, name, "cut \(number + 1)", told) }
    }
    end(name, count)
  }

  private mutating func note(
    _ finding: Finding, _ scenario: String, _ fault: String, _ told: String
  ) {
    findings[scenario, default: [:]][finding, default: 0] += 1
    let line = "\(finding.rawValue): \(scenario), \(fault)\n    \(told)"
    cases.append(line)
    print(line)
    fflush(nil)
  }

  private mutating func end(_ scenario: String, _ count: Int) {
    fired.append((scenario, count))
    print("\(scenario): \(count) faults")
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
