import Foundation

/// Stops programs for tests of what happens then.
public enum StoppedProgram {
  /// Stops a program and returns when it has: the signal reaches its threads one after the other, and
  /// one that has not seen it yet may still answer.
  public static func stop(_ process: pid_t) {
    kill(process, SIGSTOP)
    // A thread that is deep in the system stops when it comes back from there, whenever that is.
    let deadline = ContinuousClock.now + .seconds(10)
    while isRunning(process), ContinuousClock.now < deadline { sched_yield() }
  }

  /// Whether a thread of it is not stopped yet (proc_pid_stat(5): the state follows the name).
  private static func isRunning(_ process: pid_t) -> Bool {
    let tasks = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.contains { thread in
      let line = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8)
      guard let line, let end = line.lastIndex(of: ")") else { return false }
      return !"TtZX".contains(line[end...].dropFirst(2).first ?? "X")
    }
  }
}
