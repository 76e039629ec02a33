import CFaults
import Foundation

/// Has each system call of each operation fail in turn, or kills the program there, and decides by the
/// disk alone whether anything was lost, torn or told wrong.
@main
struct KeyDragFaults {
  static let usage = """
    keydrag-faults [--every N] [--seed N] [--kills | --lasting | --no-calls] [--calls KIND]
                   [--moments N] [--full N] [--stalls N] [--writers N] [--poor] [--meetings N]
                   [--kept] [--power-cuts N] [--memory] [--patience N] [--rows FILE] [SCENARIO ...]
    keydrag-faults --table FILE
    Fails the Nth call of each kind with each error that it may give; --every 20 takes each 20th of
    them, and --seed 1 to 20 other ones each time. --kills ends the program there instead, --lasting
    fails all calls of the kind from there on, --calls takes one kind of calls alone, such as fcntl.
    Beside them, or alone with --no-calls: --moments kills each scenario N times at any moment; --full
    has one of the two disks get full N times in each; --stalls has N calls of each never return, until
    the program is told to end or for some time; --writers has somebody change a file beside N calls of
    each; --poor has the source or the target be a disk in user space with one of many refusals, errors
    and delays, each --every 20 as well; --kept compares all that is kept beside the contents with
    `cp -a`; --meetings has two sessions and an editor work
    in one folder N times for each pair of commands; --power-cuts cuts the power of an ext4 N times,
    which takes root, and does nothing else where no scenario is named. --memory makes both disks
    anew in memory, which takes root as well, and is faster; --full needs it.
    A run that takes longer than --patience seconds hangs: 10, where the machine does nothing else.
    Each case as it is found, and one table at the end. Several at once, each with --rows and one FILE,
    write their rows into it, and --table makes one table of them all.
    """

  static func main() throws {
    var options = Campaign.Options()
    var cuts = 0
    var meetings = 0
    var compares = false
    var patience = 10
    var inMemory = false
    var rows: String?
    var names: [String] = []
    var words = CommandLine.arguments.dropFirst()
    func number(or usual: Int) -> Int { words.popFirst().flatMap { Int($0) } ?? usual }
    while let word = words.popFirst() {
      switch word {
      case "--every": options.every = max(number(or: 20), 1)
      case "--seed": options.seed = number(or: 1)
      case "--kills": options.kills = true
      case "--lasting": options.lasting = true
      case "--no-calls": options.hasCalls = false
      case "--calls": options.calls = words.popFirst()
      case "--moments": options.moments = number(or: 50)
      case "--full": options.full = number(or: 20)
      case "--stalls": options.stalls = number(or: 20)
      case "--writers": options.writers = number(or: 20)
      case "--kept": compares = true
      case "--poor": options.poor = true
      case "--meetings": meetings = number(or: 20)
      case "--power-cuts": cuts = number(or: 100)
      case "--memory": inMemory = true
      case "--patience": patience = max(number(or: 10), 1)
      case "--rows": rows = words.popFirst()
      case "--table":
        print(try Table(contentsOf: words.popFirst() ?? ""))
        return
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
    // Before the first thread: what is mounted goes with this process.
    if geteuid() == 0 { _ = cfaults_own_mounts() }
    let ground = try Ground(inMemory: inMemory)
    var campaign = Campaign(ground, Program(ground, patience: patience), options, writing: rows)
    let each = [options.moments, options.full, options.stalls, options.writers]
    let isEach = options.hasCalls || options.poor || each.contains { $0 > 0 }
    let isAll = names.isEmpty && cuts == 0 && isEach
    // The trash is on another disk then: never on one of others.
    let scenarios = Scenario.all(ground) + (inMemory ? Scenario.withMounts(ground) : [])
    for scenario in scenarios where isAll || names.contains(scenario.name) {
      try campaign.run(scenario)
    }
    if compares { try campaign.compareKept() }
    if meetings > 0 { try campaign.meet(meetings, only: names) }
    if cuts > 0 { try campaign.cutPower(cuts) }
    ground.end()
    print(campaign.table)
    exit(campaign.table.isClean ? 0 : 1)
  }
}
