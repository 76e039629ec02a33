import Dispatch

/// Calls that may block, off the threads that tasks share: a disk that hangs holds up nobody else.
enum Disk {
  private static let queue = DispatchQueue(label: "keydrag.items", attributes: .concurrent)

  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
