import Glibc

/// Detects the end of a process even if its id is reused, by its start time.
struct ProcessIdentity: Sendable {
  private let process: Int32
  /// In clock ticks since boot.
  private let start: Substring

  /// `nil` for an invisible process, such as one in a sandbox with a PID namespace.
  init?(of process: Int32) {
    guard let start = Self.start(of: process) else { return nil }
    (self.process, self.start) = (process, start)
  }

  /// Also `true` if the process can't be read any more.
  var isOver: Bool { Self.start(of: process) != start }

  /// Field 22 of proc(5), stat; `nil` for an ended process, including a zombie. The state, field 3,
  /// is the first after the name.
  private static func start(of process: Int32) -> Substring? {
    // The name may contain anything, including parentheses.
    let fields = WatchedFolders.text(of: "/proc/\(process)/stat").split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 19, !["Z", "X"].contains(fields[0]) else { return nil }
    return fields[19]
  }
}
