import Dispatch

/// Calls that may block, off the threads that tasks share: a disk that hangs holds up nobody else.
///
/// The result comes back on the task.
enum Disk {
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      LongWork.begin { continuation.resume(with: Result(catching: work)) }
    }
  }
}

/// Work that takes long or blocks, each piece on a thread of its own.
///
/// Concurrent queues have no more threads than the machine has cores, and share them with Swift's
/// tasks: two large copies on one would leave no thread for a key. A serial queue gets its own.
enum LongWork {
  static func begin(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "keydrag.work").async(execute: work)
  }
}
