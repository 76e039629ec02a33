import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("A drop that the history does not know of is not undone as if it were an older one")
struct DropLedgerTests {
  private let drop = Drop(
    DeliveryID(1),
    DeliveryOrder(
      items: [
        DragItem(
          source: DragSourceID(1), name: "a.txt", kind: .file, types: ["text/plain"],
          typeName: "text", container: ContainerID(1), tree: nil)
      ], stop: DropStop(DropPointID(1)), operation: .copy)
  ) { _ in }

  private func result(_ outcome: DeliveryOutcome, entry: Int64? = nil) -> DeliveryResult {
    var result = DeliveryResult(outcome: outcome, delivered: outcome == .delivered ? 1 : 0)
    result.entry = entry
    return result
  }

  @Test(
    "what may have left something at the target stands in the way of what was done before",
    arguments: [
      (DeliveryOutcome.delivered, true), (.partly, true), (.unconfirmed, true),
      (.refused, false), (.failed, false), (.cancelled, false),
    ])
  func standsInTheWay(outcome: DeliveryOutcome, isKept: Bool) {
    let ledger = DropLedger(nil)
    ledger.note(result(outcome), of: drop, place: "Page", isNewest: true)
    #expect((ledger.last != nil) == isKept)
  }

  @Test("it is named by what was dropped, and where")
  func named() throws {
    let ledger = DropLedger(nil)
    ledger.note(result(.delivered), of: drop, place: "Page", isNewest: true)
    let entry = try #require(ledger.last)
    #expect(entry.names == ["a.txt"])
    #expect(entry.count == 1)
    #expect(entry.place == "Page")
    #expect(entry.operation == .copy)
  }

  @Test("a newer entry of the history is undone as usual")
  func newer() {
    let ledger = DropLedger(nil)
    ledger.note(result(.delivered), of: drop, place: "Page", isNewest: true)
    ledger.note(.finished(result(.refused)))
    #expect(ledger.last != nil)
    ledger.note(.finished(result(.delivered)))
    #expect(ledger.last == nil)
    ledger.note(result(.delivered), of: drop, place: "Page", isNewest: true)
    ledger.note(result(.delivered, entry: 1), of: drop, place: "docs", isNewest: true)
    #expect(ledger.last == nil)
  }
}
