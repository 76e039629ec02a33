import Dispatch

/// Blocking work off Swift's cooperative threads, so that a hanging disk blocks nothing else.
///
/// Each piece has a serial queue of its own. Concurrent queues are limited to one thread per core and
/// share them with Swift's tasks: two large copies could leave no thread for a key press.
enum Disk {
  static func begin(in group: DispatchGroup? = nil, _ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "keydrag.work").async(group: group, execute: work)
  }

  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      begin { continuation.resume(with: Result(catching: work)) }
    }
  }
}
