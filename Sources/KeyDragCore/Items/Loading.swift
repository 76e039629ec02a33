import Synchronization

/// Reports the progress of a load; the loader may call it from any task.
public struct LoadProgress: Sendable {
  private let report: @Sendable (Double) -> Void

  /// Progress reported to a closure, 0 to 1; ignored by default.
  public init(_ report: @escaping @Sendable (Double) -> Void = { _ in }) { self.report = report }

  /// Reports the loaded fraction, 0 to 1; other values are clamped.
  public func callAsFunction(_ fraction: Double) {
    report(fraction.isNaN ? 0 : min(max(fraction, 0), 1))
  }

  /// The progress of one of several parts of equal size.
  public func part(_ index: Int, of count: Int) -> LoadProgress {
    guard count > 1 else { return self }
    return LoadProgress { self((Double(index) + $0) / Double(count)) }
  }
}

/// The callback through which a loader answers once.
///
/// A second answer is a mistake of the loader: it invalidates the load while the drop has not been
/// taken, and is ignored afterwards, as is an answer after a cancel.
public struct LoadReply: Sendable {
  /// Reports how far the load is, where known.
  public let progress: LoadProgress
  let take: @Sendable (Result<[UInt8], any Error>) -> Void

  /// Answers with the bytes.
  public func callAsFunction(_ bytes: [UInt8]) { take(.success(bytes)) }

  /// Answers with an error: a ``Reason``, or another error, which is announced as unknown.
  public func fail(_ error: any Error) { take(.failure(error)) }
}

/// Permits data to be loaded during one drop, and not before or after it.
package final class LoadGate: Sendable {
  private struct Gate {
    var isOpen = true
    var spoiled: Reason?
  }

  private let state = Mutex(Gate())
  private let arrival: @Sendable (_ bytes: Int) -> Void
  /// The content types and their conformance, for the choice of a form.
  package let types: any ContentTypes

  /// - Parameter arrival: called with the number of bytes loaded while the gate is open.
  package init(
    types: any ContentTypes, arrival: @escaping @Sendable (_ bytes: Int) -> Void = { _ in }
  ) {
    self.types = types
    self.arrival = arrival
  }

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The drop has been taken, or has ended otherwise.
  package func close() { state.withLock { $0.isOpen = false } }

  func arrived(_ bytes: [UInt8]) { if !bytes.isEmpty, isOpen { arrival(bytes.count) } }

  /// Records that a loader invalidated its answer.
  func spoil(_ reason: Reason) { state.withLock { $0.spoiled = $0.spoiled ?? reason } }

  /// Throws when loading is no longer permitted, or the data can't be relied on.
  package func check() throws {
    let state = state.withLock { $0 }
    if let reason = state.spoiled { throw reason }
    if !state.isOpen { throw Self.tooLate }
  }
}

/// Awaits one answer from outside; cancellable, and later answers are dropped.
final class CancellableAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case answered(Result<Value, any Error>)
    case taken
  }

  private let state = Mutex(State.open)

  func give(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .open:
        state = .answered(result)
        return nil
      case .waiting(let continuation):
        state = .taken
        return continuation
      case .answered, .taken: return nil
      }
    }
    waiting?.resume(with: result)
  }

  /// To be called once.
  func value() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state -> Result<Value, any Error>? in
        guard case .answered(let result) = state else {
          state = .waiting(continuation)
          return nil
        }
        state = .taken
        return result
      }
      if let result { continuation.resume(with: result) }
    }
  }

  /// Awaits the answer. When cancelled, the caller goes on at once even if the work does not
  /// notice: a loader that never answers holds up nobody.
  private func value(cancelling task: Task<Void, Never>) async throws -> Value {
    try await withTaskCancellationHandler {
      do {
        return try await value()
      } catch is CancellationError where !Task.isCancelled {
        // The loader gave up by itself; the person did not cancel.
        throw Reason.interrupted
      }
    } onCancel: {
      task.cancel()
      give(.failure(CancellationError()))
    }
  }

  /// Runs work concurrently to the caller.
  static func of(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let answer = CancellableAnswer()
    let task = Task {
      do { answer.give(.success(try await work())) } catch { answer.give(.failure(error)) }
    }
    return try await answer.value(cancelling: task)
  }
}

extension CancellableAnswer<[UInt8]> {
  static func callback(
    _ start: @escaping @Sendable (LoadReply) -> Void, _ progress: LoadProgress, _ gate: LoadGate
  ) async throws -> [UInt8] {
    let answer = CancellableAnswer()
    let task = Task {
      let calls = ReplyCount(answer, gate)
      start(LoadReply(progress: progress, take: calls.add))
      calls.loaderReturned()
    }
    return try await answer.value(cancelling: task)
  }
}

/// Counts the answers of a loader with a callback, and forwards the first.
private final class ReplyCount: Sendable {
  private struct Replies {
    var count = 0
    var hasReturned = false
    var first: Result<[UInt8], any Error>?
  }

  private let state = Mutex(Replies())
  private let answer: CancellableAnswer<[UInt8]>
  private let gate: LoadGate

  init(_ answer: CancellableAnswer<[UInt8]>, _ gate: LoadGate) {
    self.answer = answer
    self.gate = gate
  }

  /// No reference is left through which an answer could come.
  deinit { answer.give(.failure(Reason.notResponding)) }

  func add(_ result: Result<[UInt8], any Error>) {
    let (count, hasReturned) = state.withLock { state in
      state.count += 1
      if state.count == 1 { state.first = result }
      return (state.count, state.hasReturned)
    }
    guard hasReturned else { return }
    if count == 1 { answer.give(result) } else { gate.spoil(.malformed) }
  }

  /// Called when the loader has returned; bytes that were answered twice before that are not
  /// forwarded at all.
  func loaderReturned() {
    let state = state.withLock { state in
      state.hasReturned = true
      return state
    }
    guard let first = state.first else { return }
    answer.give(state.count > 1 ? .failure(Reason.malformed) : first)
  }
}
