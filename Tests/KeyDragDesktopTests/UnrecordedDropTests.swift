import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("A drop that the history does not know of is not undone as if it were an older one")
struct UnrecordedDropTests {
  private let order = DeliveryOrder(
    items: [
      DragItem(
        source: DragSourceID(1), name: "a.txt", kind: .file, types: ["text/plain"],
        typeName: "text", container: ContainerID(1), tree: nil)
    ], stop: DropStop(DropPointID(1)), operation: .copy)

  private func result(_ outcome: DeliveryOutcome) -> DeliveryResult {
    DeliveryResult(outcome: outcome, route: .xdnd, delivered: outcome == .delivered ? 1 : 0)
  }

  @Test(
    "what may have left something at the target stands in the way of what was done before",
    arguments: [
      (DeliveryOutcome.delivered, true), (.partly, true), (.unconfirmed, true),
      (.refused, false), (.failed, false), (.cancelled, false),
    ])
  func standsInTheWay(outcome: DeliveryOutcome, isKept: Bool) {
    let unrecorded = UnrecordedDrop()
    unrecorded.note(result(outcome), order, isRecorded: false, place: "Page")
    #expect((unrecorded.last != nil) == isKept)
  }

  @Test("it is named by what was dropped, and where")
  func named() throws {
    let unrecorded = UnrecordedDrop()
    unrecorded.note(result(.delivered), order, isRecorded: false, place: "Page")
    let entry = try #require(unrecorded.last)
    #expect(entry.names == ["a.txt"])
    #expect(entry.count == 1)
    #expect(entry.place == "Page")
    #expect(entry.operation == .copy)
  }

  @Test("a newer entry of the history is undone as usual")
  func newer() {
    let unrecorded = UnrecordedDrop()
    unrecorded.note(result(.delivered), order, isRecorded: false, place: "Page")
    unrecorded.note(.finished(result(.refused)))
    #expect(unrecorded.last != nil)
    unrecorded.note(.finished(result(.delivered)))
    #expect(unrecorded.last == nil)
    unrecorded.note(result(.delivered), order, isRecorded: false, place: "Page")
    unrecorded.note(result(.delivered), order, isRecorded: true, place: "docs")
    #expect(unrecorded.last == nil)
  }
}
