import Glibc

/// The life of a process, by which its end is known whoever bears its number afterwards.
///
/// Numbers of processes are given again; the time of the start tells two apart.
struct ProgramLife: Sendable {
  private let process: Int32
  /// Clock ticks from the start of the system to that of the process.
  private let start: Substring

  /// `nil` for a process that cannot be seen, such as one in a sandbox, which has another number
  /// here.
  init?(of process: Int32) {
    guard let start = Self.start(of: process) else { return nil }
    (self.process, self.start) = (process, start)
  }

  /// `true` too where it can't be looked at any more.
  var isOver: Bool { Self.start(of: process) != start }

  /// `nil` for one that has ended, though its parent may not have taken note of it (proc(5), stat).
  ///
  /// Field 22 of the file is the start; the third, the state, is the first behind the name.
  private static func start(of process: Int32) -> Substring? {
    // The name before them may hold anything.
    let fields = WatchedFolders.text(of: "/proc/\(process)/stat").split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 19, !["Z", "X"].contains(fields[0]) else { return nil }
    return fields[19]
  }
}
