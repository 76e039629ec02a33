import KeyDragCore
import Synchronization

/// Drops in progress. Each can be cancelled until its program has all the data. Safe from any
/// thread.
final class RunningDrops: Sendable {
  private enum Stage {
    /// The program knows nothing of it.
    case waiting
    /// The program is taking the data.
    case sent(any OutgoingDrag)
    /// The program has all the data.
    case given
  }

  private struct Drop {
    var stage = Stage.waiting
    var isCancelled = false
    var goesOn: @Sendable () -> Void
  }

  private let drops = Mutex<[DeliveryID: Drop]>([:])

  /// - Parameter goesOn: called, from any thread, when a cancelled drop goes on anyway.
  func begin(_ id: DeliveryID, goesOn: @escaping @Sendable () -> Void) {
    drops.withLock { $0[id] = Drop(goesOn: goesOn) }
  }

  func end(_ id: DeliveryID) { drops.withLock { $0[id] = nil } }

  /// Marks a drop as sent by this drag; `false` when it was cancelled before.
  func send(_ id: DeliveryID, _ drag: any OutgoingDrag) -> Bool {
    drops.withLock { drops in
      guard drops[id]?.isCancelled != true else { return false }
      drops[id]?.stage = .sent(drag)
      return true
    }
  }

  /// Marks a drop as received in full.
  func give(_ id: DeliveryID) { drops.withLock { $0[id]?.stage = .given } }

  /// `false` for an ended one.
  func isCancelled(_ id: DeliveryID) -> Bool { drops.withLock { $0[id]?.isCancelled == true } }

  /// Cancels a drop as far as possible; `false` for an unknown one.
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

/// The places where drops have landed, for going there. Safe from any thread.
final class LandedDrops: Sendable {
  struct Landing: Sendable {
    var spot: Desktop.PlaceRecord
    /// The names of its items there, as far as known.
    var names: [String]
  }

  private struct Landings {
    var landings: [DeliveryID: Landing] = [:]
    /// Oldest first.
    var order: [DeliveryID] = []
  }

  private let state = Mutex(Landings())
  /// Older ones are evicted.
  private static let most = 64
  private static let mostNames = 20

  /// `nil` for a drop that left nothing, or was evicted.
  subscript(id: DeliveryID) -> Landing? { state.withLock { $0.landings[id] } }

  /// Notes a drop that has left something, or may have.
  func note(
    _ id: DeliveryID, _ order: DeliveryOrder, _ result: DeliveryResult,
    at spot: Desktop.PlaceRecord?
  ) {
    guard let spot, result.mayHaveEffect else { return }
    let missing = Set(result.failures.map(\.name))
    let names = result.renamed + order.items.map(\.name).filter { !missing.contains($0) }
    state.withLock { state in
      state.landings[id] = Landing(spot: spot, names: Array(names.prefix(Self.mostNames)))
      state.order.append(id)
      if state.order.count > Self.most { state.landings[state.order.removeFirst()] = nil }
    }
  }
}
