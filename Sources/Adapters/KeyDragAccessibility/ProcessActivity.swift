import Glibc
import KeyDragThreads

/// The work of a process so far, which tells a slow process from one that hangs.
struct ProcessActivity: Hashable, Sendable {
  /// Context switches of its first thread. One that waits for another program's answer has run
  /// before, and runs again when that arrives or times out.
  var switches: UInt64
  /// Running, or waiting for a processor.
  var isRunnable: Bool

  /// - Parameter process: its id; `nil` when there is no such process.
  init?(_ process: String) {
    guard let number = Int32(process),
      let status = SystemFiles.text("/proc/\(number)/status", most: 8192)
    else { return nil }
    self.init(status: status)
  }

  /// - Parameter status: the lines of /proc/PID/status, see proc(5).
  init?(status: String) {
    var values: [Substring: Substring] = [:]
    for line in status.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == "\t" || $0 == " " }
    }
    let counts = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"].compactMap {
      values[Substring($0)].flatMap { UInt64($0) }
    }
    guard counts.count == 2, let state = values["State"] else { return nil }
    (switches, isRunnable) = (counts[0] &+ counts[1], state.hasPrefix("R"))
  }

  /// Whether it has worked since then.
  func isWorking(since before: ProcessActivity) -> Bool {
    isRunnable || switches != before.switches
  }
}
