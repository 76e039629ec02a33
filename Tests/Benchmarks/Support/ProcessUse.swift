import Glibc

/// What the threads of a process have used of the processor until now.
struct ProcessUse {
  /// Context switches and processor ticks of one thread.
  private struct Thread {
    var switches = 0
    var ticks = 0
  }

  private var threads: [String: Thread] = [:]

  init(of process: pid_t) {
    for thread in Self.threads(of: process) {
      let folder = "/proc/\(process)/task/\(thread)"
      var use = Thread()
      for line in ProcessFile.read(folder + "/status").split(separator: "\n")
      where line.contains("ctxt_switches") {
        use.switches += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
      // proc(5): the 14th and 15th field; the second one is in parentheses and may hold anything.
      let stat = ProcessFile.read(folder + "/stat").split(separator: ")").last ?? ""
      let fields = stat.split(separator: " ")
      if fields.count > 12 { use.ticks = (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) }
      threads[thread] = use
    }
  }

  /// What was used between two looks. A thread that has come or gone was awake.
  func since(_ before: ProcessUse) -> (switches: Int, ticks: Int) {
    let names = Set(before.threads.keys).union(threads.keys)
    let switches = names.reduce(0) { sum, name in
      guard let old = before.threads[name], let new = threads[name] else { return sum + 1 }
      return sum + new.switches - old.switches
    }
    return (switches, ticks - before.ticks)
  }

  private var ticks: Int { threads.values.reduce(0) { $0 + $1.ticks } }

  private static func threads(of process: pid_t) -> [String] {
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
