import KeyDragCore
import KeyDragSpeech
import PrivateDesktop
import Synchronization

@testable import KeyDragAccessibility

/// A private desktop and what announces to it.
final class ReaderStage: Sendable {
  nonisolated(unsafe) let desktop: PrivateDesktop
  let reader: ScreenReader
  private struct State {
    var last = 0
    var moves: [String] = []
    var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  /// - Parameter hasOrca: whether Orca runs before we look for it.
  init(hasOrca: Bool = true, rung: ReaderRoute? = nil, patience: UInt32 = 5000) async throws {
    let desktop = try PrivateDesktop()
    if hasOrca { try await desktop.startReader() }
    self.desktop = desktop
    reader = ScreenReader(
      environment: desktop.environment, rung: rung, patience: patience,
      speech: SpeechWatch(environment: desktop.environment))
    reader.onChange { [weak self] message, rung in
      let reached =
        self?.state.withLock { state in
          state.moves.append("\(message.text) → \(rung?.rawValue ?? "none")")
          guard let waiting = state.waiting, state.moves.count >= waiting.count else { return nil }
          state.waiting = nil
          return waiting.continuation
        } as CheckedContinuation<Void, Never>??
      reached??.resume()
    }
  }

  /// Waits until so many messages have taken another way.
  func moved(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.moves.count >= count { return true }
        state.waiting = (count, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Waits until what was handed over so far has gone to the bus.
  func allSent() async {
    await withCheckedContinuation { continuation in
      reader.thread.run { continuation.resume() }
    }
  }

  /// What took another way than it was first given.
  var moves: [String] { state.withLock { $0.moves } }

  @discardableResult
  func say(_ text: String, _ urgency: Urgency = .polite) -> ReaderRoute? {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return reader.announce(ReaderMessage(number: number, text: text, urgency: urgency))
  }
}
