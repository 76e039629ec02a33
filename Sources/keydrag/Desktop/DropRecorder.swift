import KeyDragCore
import KeyDragDesktop
import KeyDragRuntime
import Synchronization

/// Records the course of one drop, for its JSON object.
final class DropRecorder: Sendable {
  private struct Record {
    var items: [String] = []
    var proposal: DropProposal?
    var operation: DragOperation?
    var result: DeliveryResult?
    var refusal: Reason?
  }

  private let found: FoundPoint
  private let state = Mutex(Record())

  init(_ found: FoundPoint) { self.found = found }

  func watch(_ outputs: inout Outputs) {
    outputs.requests = { [self] request in
      guard case .deliver(_, let order) = request else { return }
      state.withLock { $0.operation = order.operation }
    }
    outputs.reports = { [self] in note($0) }
  }

  private func note(_ report: WorldReport) {
    state.withLock { state in
      switch report {
      case .prepared(_, let preparation):
        state.items = preparation.items.map(\.name)
        state.refusal = preparation.refused.first?.reason
      case .answered(_, let answers): state.proposal = answers.first?.proposal
      case .delivery(_, .finished(let result)): state.result = result
      default: break
      }
    }
  }

  /// - Parameter isUndoable: whether the history has an entry for the drop.
  func line(isUndoable: Bool) -> [UInt8] {
    let state = state.withLock { $0 }
    var outcome = state.result?.outcome ?? .refused
    var reason = state.result?.failures.first?.reason
    if state.result == nil {
      // The drop did not even begin.
      outcome = .refused
      reason = state.refusal
      switch state.proposal?.acceptance {
      case .some(.none(let why)), .some(.forbidden(let why)): reason = why
      default: break
      }
    }
    let hasLanded = [.delivered, .partly].contains(outcome)
    return JSONLine([
      "items": state.items, "place": found.point.name, "container": found.window.name,
      "app": found.window.app, "operation": state.operation, "outcome": outcome.rawValue,
      "delivered": state.result?.delivered ?? 0,
      "verified": hasLanded && state.result?.verified == true,
      "undoable": hasLanded && isUndoable, "reason": outcome == .delivered ? nil : reason,
    ]).bytes
  }
}
