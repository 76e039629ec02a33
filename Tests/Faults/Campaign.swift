import CFaults
import Foundation

/// All faults of all scenarios, with what came of them.
struct Campaign {
  /// Which faults there are.
  struct Options {
    var every = 20
    var seed = 1
    /// The program is killed at calls instead of having them fail.
    var kills = false
    /// All calls of the kind fail from the one on.
    var lasting = false
    /// Calls of this kind alone.
    var calls: String?
    /// Kills at any moment, for each scenario.
    var moments = 0
    /// Disks that get full, for each scenario.
    var full = 0
    /// Calls that do not return, for each scenario.
    var stalls = 0
    /// Files that somebody changes meanwhile, for each scenario.
    var writers = 0
    /// Whether both disks of each scenario are poor in each way in turn.
    var poor = false
    /// Whether calls fail at all, or are the last.
    var hasCalls = true
  }

  private let ground: Ground
  private let program: Program
  private let options: Options
  /// Where the rows are written down as well, after those of other runs.
  private let file: String?
  private var turn: Int
  /// Whether there are things that not every disk can hold.
  private var isRich = false
  private(set) var table = Table()

  init(_ ground: Ground, _ program: Program, _ options: Options, writing file: String?) {
    self.ground = ground
    self.program = program
    self.options = options
    self.file = file
    turn = options.seed
  }

  mutating func run(_ scenario: Scenario) throws {
    let (disks, counted) = try undisturbed(scenario)
    if options.hasCalls { try failCalls(of: scenario, disks, counted) }
    if options.moments > 0 { try killAtMoments(scenario, disks) }
    if options.full > 0 { try fillDisks(scenario, disks) }
    if options.stalls > 0 { try stallCalls(of: scenario, disks, counted) }
    if options.writers > 0 { try write(beside: scenario, disks, counted) }
    if options.poor, scenario.mounts.isEmpty, geteuid() == 0 { try makePoor(scenario) }
  }

  /// Has calls never return, or late.
  private mutating func stallCalls(
    of scenario: Scenario, _ disks: Disks, _ counted: Program.End
  ) throws {
    var row = Row(scenario.name, "stalls")
    for number in 0..<options.stalls {
      let (kind, nth) = someCall(of: counted)
      let fault = Fault.stall(
        kind: kind, nth: nth, lasts: number.isMultiple(of: 2), isLate: number % 4 == 1)
      try judge(fault, in: scenario, disks, &row)
    }
    try end(row)
  }

  /// Has somebody work on the same files at one of the calls.
  private mutating func write(
    beside scenario: Scenario, _ disks: Disks, _ counted: Program.End
  ) throws {
    var row = Row(scenario.name, "writers")
    for number in 0..<options.writers {
      let (kind, nth) = someCall(of: counted)
      let way = Editor.Way.allCases[below(Editor.Way.allCases.count)]
      let fault = Fault.writer(kind: kind, nth: nth, way: way, kills: number % 4 == 1)
      try judge(fault, in: scenario, disks, &row)
    }
    try end(row)
  }

  /// Has the target, and the source, be disks that can't do something.
  private mutating func makePoor(_ scenario: Scenario) throws {
    var row = Row(scenario.name, "poor disks")
    isRich = true
    defer { isRich = false }
    let (disks, _) = try undisturbed(scenario)
    for limit in Veil.limits {
      for folder in [ground.other, ground.a] {
        turn += 1
        guard turn.isMultiple(of: options.every) else { continue }
        // Names that differ in case are there already.
        if folder == ground.a, limit.word == "no-case" { continue }
        try judge(.poor(folder: folder, limit: limit), in: scenario, disks, &row)
      }
    }
    try end(row)
  }

  private func isWanted(_ kind: Int32) -> Bool {
    options.calls.map { $0 == String(cString: Program.name(of: kind)) } ?? true
  }

  /// One call of all that are made; each is as likely.
  private mutating func someCall(of counted: Program.End) -> (kind: Int32, nth: Int32) {
    let calls = counted.calls.prefix(Int(cfaults_kind_count)).enumerated().map { kind, count in
      isWanted(Int32(kind)) ? Int(count) : 0
    }
    var number = below(calls.reduce(0, +))
    for (kind, count) in calls.enumerated() {
      if number < count { return (Int32(kind), Int32(number + 1)) }
      number -= count
    }
    return (0, 1)
  }

  /// What the disks are to hold, and the calls that are made until then.
  private func undisturbed(_ scenario: Scenario) throws -> (Disks, Program.End) {
    var disks = Disks()
    if let killed = scenario.before.last, killed.first == "kill" {
      try prepare(
        Scenario(
          name: "", before: scenario.before.dropLast(), words: [], mounts: scenario.mounts))
      disks.asBefore = ground.seen
      _ = program.run(Array(killed.dropFirst()))
      disks.finished = ground.seen
    }
    try prepare(scenario)
    disks.initial = ground.seen
    let counted = program.counted(scenario.words)
    disks.words = counted.text
    disks.expected = ground.seen
    if disks.finished.isEmpty { (disks.asBefore, disks.finished) = (disks.initial, disks.expected) }
    return (disks, counted)
  }

  private mutating func failCalls(
    of scenario: Scenario, _ disks: Disks, _ counted: Program.End
  ) throws {
    let isMounted = !scenario.mounts.isEmpty
    var row = Row(
      scenario.name,
      isMounted ? "mounts" : options.kills ? "kills" : options.lasting ? "lasting" : "faults")
    for kind in 0..<cfaults_kind_count {
      guard isWanted(kind) else { continue }
      for nth in stride(from: 1, through: counted.calls[Int(kind)], by: 1) {
        var faults: [Fault] = [.kill(kind: kind, nth: nth)]
        if !options.kills {
          // A call that is interrupted again and again is no call that fails.
          let errors = Program.errors(of: kind).filter { !options.lasting || $0 != EINTR }
          faults = errors.map {
            .call(kind: kind, nth: nth, error: $0, lasts: options.lasting)
          }
        }
        for fault in faults {
          turn += 1
          guard turn.isMultiple(of: options.every) else { continue }
          try judge(fault, in: scenario, disks, &row)
        }
      }
    }
    try end(row)
  }

  /// Kills at moments that no call marks, from before the first change until after the last.
  private mutating func killAtMoments(_ scenario: Scenario, _ disks: Disks) throws {
    var row = Row(scenario.name, "kills")
    try prepare(scenario)
    let start = ContinuousClock.now
    _ = program.run(scenario.words)
    let whole = Int((ContinuousClock.now - start) / .microseconds(1))
    for _ in 0..<options.moments {
      // Before a third of the time it has only begun.
      let moment = whole / 3 + below(whole * 2 / 3)
      try judge(.moment(Int32(clamping: moment)), in: scenario, disks, &row)
    }
    try end(row)
  }

  /// Leaves less on one of the disks than the words need.
  private mutating func fillDisks(_ scenario: Scenario, _ disks: Disks) throws {
    var row = Row(scenario.name, "full disks")
    let places = [ground.a, ground.other + "/"]
    try prepare(scenario)
    let before = places.map { ground.used($0) ?? 0 }
    _ = program.run(scenario.words)
    let needed = zip(places, before).map { (ground.used($0) ?? 0) - $1 }
    for number in 0..<options.full {
      let place = number % places.count
      let bytes = below(max(needed[place], 4096)) & ~4095
      try judge(.full(disk: places[place], bytes: bytes), in: scenario, disks, &row)
    }
    try end(row)
  }

  private mutating func judge(
    _ fault: Fault, in scenario: Scenario, _ disks: Disks, _ row: inout Row
  ) throws {
    try prepare(scenario)
    let trial = Trial(ground, program, scenario, disks, fault: fault, seed: turn)
    guard let found = try trial.run() else { return }
    note(found, "\(fault)", trial.told, &row)
  }

  mutating func cutPower(_ times: Int) throws {
    var row = Row("copy and trash", "power cuts")
    guard let disk = try CuttableDisk(ground) else {
      print("\(row.sort): not run, they need root, mkfs.ext4 and a free loop device")
      return
    }
    defer { disk.remove() }
    for number in 0..<times {
      let (found, told) = try disk.cut(number, program)
      note(found, "cut \(number + 1)", told, &row)
    }
    try end(row)
  }

  /// Compares what is kept beside contents with what `cp` keeps.
  mutating func compareKept() throws {
    guard geteuid() == 0 else { return print("what is kept: not compared, that takes root") }
    var kept = Kept(ground, program)
    for (way, worse) in try kept.compare() {
      var row = Row(way, "kept")
      note(worse.isEmpty ? [] : [.lessKept], "", worse.joined(separator: "\n    "), &row)
      try end(row)
    }
    print(kept)
  }

  mutating func meet(_ times: Int, only names: [String]) throws {
    for meeting in Meeting.all(ground) where names.isEmpty || names.contains(meeting.name) {
      var row = Row(meeting.name, "meetings")
      for number in 0..<times {
        try prepare(Scenario(name: meeting.name, before: meeting.before, words: []))
        let company = Company(ground, program, meeting, seed: UInt64(options.seed << 20 + number))
        let found = try company.meet()
        note(found, "meeting \(number + 1)", company.told, &row)
      }
      try end(row)
    }
  }

  private func note(_ found: Set<Finding>, _ fault: String, _ told: String, _ row: inout Row) {
    row.count += 1
    for finding in found {
      row.findings[finding, default: 0] += 1
      print("\(finding.rawValue): \(row.scenario), \(fault)\n    \(told)")
      fflush(nil)
    }
  }

  private mutating func end(_ row: Row) throws {
    table.add(row)
    print("\(row.scenario): \(row.count) \(row.sort)")
    fflush(nil)
    guard let file else { return }
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(descriptor) }
    // One line of one call, beside those of runs at the same time.
    try FileHandle(fileDescriptor: descriptor).write(contentsOf: Data((row.line + "\n").utf8))
  }

  private func prepare(_ scenario: Scenario) throws {
    try ground.empty()
    try ground.fill(isRich: isRich)
    if !scenario.mounts.isEmpty { try ground.fillMountables() }
    for mounted in scenario.mounts where !mounted.isLater { try ground.place(mounted) }
    for words in scenario.before {
      if words.first == "kill" {
        // In the middle of its renames.
        let rename = Program.kind(named: "renameat2")
        _ = program.run(Array(words.dropFirst()), fault: .kill(kind: rename, nth: 4))
      } else {
        _ = program.run(words)
      }
    }
    for mounted in scenario.mounts where mounted.isLater { try ground.place(mounted) }
  }

  /// A number from chance that the seed decides.
  private mutating func below(_ bound: Int) -> Int {
    turn += 1
    var chance = Chance(UInt64(turn))
    return chance.below(bound)
  }
}

/// Numbers that a seed decides.
struct Chance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(bound, 1)))
  }
}
