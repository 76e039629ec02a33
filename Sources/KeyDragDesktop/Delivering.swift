import KeyDragCore
import Synchronization

/// Carries out drops into running programs, and finds out what became of them.
final class Delivering: Sendable {
  private let desktop: Desktop
  private let asking: Asking
  private let goods: any DragGoods
  /// Deliveries that may still be cancelled.
  private let running = Mutex<[DeliveryID: Bool]>([:])

  init(desktop: Desktop, asking: Asking, goods: any DragGoods) {
    self.desktop = desktop
    self.asking = asking
    self.goods = goods
  }

  func take(
    _ id: DeliveryID, _ order: DeliveryOrder, _ reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    running.withLock { $0[id] = false }
    reply(.delivery(id, .started(DeliveryProgress(bytesTotal: Self.bytes(order.items)))))
    Task {
      let result = await deliver(id, order)
      running.withLock { $0[id] = nil }
      reply(.delivery(id, .finished(result)))
    }
  }

  /// `false` when it is none of ours. What a program has been given can't be taken out of its hands.
  func cancel(_ id: DeliveryID) -> Bool {
    running.withLock { running in
      guard running[id] != nil else { return false }
      running[id] = true
      return true
    }
  }

  private func isCancelled(_ id: DeliveryID) -> Bool { running.withLock { $0[id] == true } }

  private static func bytes(_ items: [DragItem]) -> Int64? {
    items.contains { $0.byteCount == nil } ? nil : items.reduce(0) { $0 + ($1.byteCount ?? 0) }
  }

  private func deliver(_ id: DeliveryID, _ order: DeliveryOrder) async -> DeliveryResult {
    var expected: (any ExpectedLanding)?
    if let folder = await desktop.shownFolder(order.stop.point) {
      expected = await goods.expect(order.items, order.operation, in: folder)
    }
    if isCancelled(id) { return Self.failure(order, .cancelled, .interrupted) }
    let outcome: DragOutcome
    do throws(Reason) {
      outcome = try await asking.drop(order) { _ in }
    } catch {
      return Self.failure(order, .refused, error)
    }
    return await result(of: outcome, order, expected)
  }

  private func result(
    of outcome: DragOutcome, _ order: DeliveryOrder, _ expected: (any ExpectedLanding)?
  ) async -> DeliveryResult {
    switch outcome {
    case .refused: return Self.failure(order, .refused, .notTaken)
    case .failed: return Self.failure(order, .failed, .programFailed)
    case .gone where expected == nil: return Self.failure(order, .failed, .gone)
    case .delivered, .unknown, .gone: break
    }
    guard let report = await expected?.check() else {
      guard case .delivered = outcome else {
        return Self.failure(order, .unconfirmed, .notResponding)
      }
      return Self.success(order, order.items.count, isVerified: false)
    }
    // What lies in the folder counts, whatever the program says.
    if report.landed == order.items.count {
      var result = Self.success(order, report.landed, isVerified: report.isVerified)
      result.bytes = report.bytes
      result.totalBytes = report.bytes
      result.renamed = report.renamed
      return result
    }
    if report.landed == 0 { return Self.failure(order, .unconfirmed, .unknown) }
    return DeliveryResult(
      outcome: .partly, route: .xdnd, delivered: report.landed, failures: report.missing,
      bytes: report.bytes, verified: report.isVerified)
  }

  private static func success(
    _ order: DeliveryOrder, _ count: Int, isVerified: Bool
  ) -> DeliveryResult {
    DeliveryResult(outcome: .delivered, route: .xdnd, delivered: count, verified: isVerified)
  }

  private static func failure(
    _ order: DeliveryOrder, _ outcome: DeliveryOutcome, _ reason: Reason
  ) -> DeliveryResult {
    DeliveryResult(
      outcome: outcome, route: .xdnd, delivered: 0,
      failures: order.items.map { DeliveryFailure(name: $0.name, reason: reason) })
  }
}
