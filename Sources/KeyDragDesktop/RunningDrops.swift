import KeyDragCore
import Synchronization

/// Drops on their way, and what can still be done about each.
///
/// A drop can be cancelled until its program has all of it. Safe from any thread.
final class RunningDrops: Sendable {
  private enum Stage {
    /// Its program knows nothing of it.
    case waiting
    /// Its program takes the data.
    case sent(any DragConversing)
    /// Its program has all of it.
    case given
  }

  /// A drop that has begun.
  private struct Drop {
    var stage = Stage.waiting
    var isCancelled = false
    /// Called when it can't be cancelled.
    var goesOn: @Sendable () -> Void
  }

  private let drops = Mutex<[DeliveryID: Drop]>([:])

  /// - Parameter goesOn: called, from any thread, when it was to be cancelled and goes on.
  func begin(_ id: DeliveryID, goesOn: @escaping @Sendable () -> Void) {
    drops.withLock { $0[id] = Drop(goesOn: goesOn) }
  }

  /// Forgets it: it has ended.
  func end(_ id: DeliveryID) { drops.withLock { $0[id] = nil } }

  /// The drop is sent by this drag; `false` when it has been cancelled before.
  func send(_ id: DeliveryID, _ drag: any DragConversing) -> Bool {
    drops.withLock { drops in
      guard drops[id]?.isCancelled != true else { return false }
      drops[id]?.stage = .sent(drag)
      return true
    }
  }

  /// From here on its program has all of it.
  func give(_ id: DeliveryID) { drops.withLock { $0[id]?.stage = .given } }

  /// `false` for one that has ended.
  func isCancelled(_ id: DeliveryID) -> Bool { drops.withLock { $0[id]?.isCancelled == true } }

  /// Cancels it as far as it can be; `false` when there is no such drop.
  func cancel(_ id: DeliveryID) -> Bool {
    let drop = drops.withLock { drops in
      drops[id]?.isCancelled = true
      return drops[id]
    }
    guard let drop else { return false }
    switch drop.stage {
    case .waiting: break
    case .sent(let drag):
      Task.immediate { if await !drag.giveUp() { drop.goesOn() } }
    case .given: drop.goesOn()
    }
    return true
  }
}

/// The places at which drops have landed, to be gone to.
///
/// The last 64. Safe from any thread.
final class LandedDrops: Sendable {
  /// The place of a drop's effect.
  struct Landing: Sendable {
    var spot: Desktop.Spot
    /// Under which names it lies there, as far as is known.
    var names: [String]
  }

  /// Everything behind the lock.
  private struct Landings {
    var landings: [DeliveryID: Landing] = [:]
    /// Oldest first.
    var order: [DeliveryID] = []
  }

  private let state = Mutex(Landings())
  /// Nobody goes to what was dropped so long ago.
  private static let most = 64
  private static let mostNames = 20

  /// `nil` for a drop that left nothing, or was long ago.
  subscript(id: DeliveryID) -> Landing? { state.withLock { $0.landings[id] } }

  /// Notes a drop that has left something, or may have.
  func note(
    _ id: DeliveryID, _ order: DeliveryOrder, _ result: DeliveryResult, at spot: Desktop.Spot?
  ) {
    guard let spot, result.leavesTraces else { return }
    let missing = Set(result.failures.map(\.name))
    let names = result.renamed + order.items.map(\.name).filter { !missing.contains($0) }
    state.withLock { state in
      state.landings[id] = Landing(spot: spot, names: Array(names.prefix(Self.mostNames)))
      state.order.append(id)
      if state.order.count > Self.most { state.landings[state.order.removeFirst()] = nil }
    }
  }
}
