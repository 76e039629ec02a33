import KeyDragAccessibility
import KeyDragCore
import PrivateDesktop
import Synchronization

/// A private desktop and what announces to it.
final class ReaderStage: Sendable {
  nonisolated(unsafe) let desktop: PrivateDesktop
  let reader: ScreenReader
  private let state = Mutex<(last: Int, moves: [String])>((0, []))

  /// - Parameter hasOrca: whether Orca runs before we look for it.
  init(hasOrca: Bool = true, rung: ReaderRung? = nil, patience: UInt32 = 5000) async throws {
    let desktop = try PrivateDesktop()
    if hasOrca { try await desktop.startReader() }
    self.desktop = desktop
    reader = ScreenReader(environment: desktop.environment, rung: rung, patience: patience)
    reader.onChange { [weak self] message, rung in
      self?.state.withLock { $0.moves.append("\(message.text) → \(rung?.rawValue ?? "none")") }
    }
  }

  /// What took another way than it was first given.
  var moves: [String] { state.withLock { $0.moves } }

  @discardableResult
  func say(_ text: String, _ urgency: Urgency = .polite) -> ReaderRung? {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return reader.announce(ReaderMessage(number: number, text: text, urgency: urgency))
  }
}
