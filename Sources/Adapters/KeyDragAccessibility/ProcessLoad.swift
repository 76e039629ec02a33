import Glibc

/// The work that a process has done so far, by which one that is busy differs from one that hangs.
struct ProcessLoad: Hashable, Sendable {
  /// Clock ticks on a processor, a hundred in a second.
  var ticks: UInt64
  /// It runs, or would if the machine let it.
  var isRunnable: Bool

  /// - Parameter process: a number; `nil` where there is no such process.
  init?(_ process: String) {
    guard let number = Int32(process), let file = fopen("/proc/\(number)/stat", "re") else {
      return nil
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    self.init(stat: String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// - Parameter stat: the line of proc(5), whose second field may have blanks and brackets in it.
  init?(stat: String) {
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = UInt64(fields[11]), let system = UInt64(fields[12]) else {
      return nil
    }
    (ticks, isRunnable) = (user &+ system, fields[0] == "R")
  }

  /// Whether it has done something since then. A few ticks are those of a timer.
  func isWorking(since before: ProcessLoad) -> Bool {
    isRunnable || ticks >= before.ticks &+ Self.least
  }

  private static let least: UInt64 = 5
}
