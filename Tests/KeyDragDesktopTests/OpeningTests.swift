import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What a place opens, and what elements say they can do")
struct OpeningTests {
  private func points(_ names: [String: UInt64]) -> [DropPointDescriptor] {
    names.map { DropPointDescriptor(id: DropPointID($1), name: $0, container: ContainerID(1)) }
  }

  @Test(
    "a window has opened something when a place has come or is called something else",
    arguments: [
      (["Docs": 1, "a.txt": 2], ["Docs": 1, "a.txt": 2], false),
      (["Docs": 1, "a.txt": 2], ["Docs": 1], false),
      (["Docs": 1, "a.txt": 2], ["Docs": 1, "b.txt": 3], true),
      (["Docs": 1], ["Inbox": 1], true),
    ] as [([String: UInt64], [String: UInt64], Bool)])
  func opened(before: [String: UInt64], after: [String: UInt64], isOpened: Bool) {
    #expect(Asking.hasOpened(points(before), points(after)) == isOpened)
  }

  private func inquiry(_ allowed: DragOperations, wish: DragOperation? = nil) -> ProposalRequest {
    let item = DragItem(
      source: DragSourceID(1), name: "a", kind: .object, types: ["text/plain"], typeName: "text",
      container: ContainerID(1), tree: nil, allowed: allowed)
    return ProposalRequest(items: [item], wish: wish, stops: [])
  }

  @Test("a text is never moved where moving is usual, since nobody would take it away")
  func operation() {
    let moving = PlaceTraits(isDropPoint: true, operation: .move)
    #expect(Asking.operation(inquiry(.all), moving) == .move)
    #expect(Asking.operation(inquiry(.copy), moving) == .copy)
    #expect(Asking.operation(inquiry(.all, wish: .link), moving) == .link)
    #expect(Asking.operation(inquiry(.all), PlaceTraits(isDropPoint: true)) == .copy)
  }

  @Test("elements that say nothing of dragging are asked once, those that do first, and not all")
  func asked() throws {
    let panels = (0..<100).map { "  panel 'p\($0)' 0,\($0),9,9 showing" }
    let elements = TreeText.elements(
      (["frame 'Window'"] + panels + [
        "  panel 'zone' 0,200,9,9 showing {dropeffect: copy}", "  panel 'hidden'",
        "  push button 'No' 0,300,9,9 showing",
      ]).joined(separator: "\n"))
    var actions = ElementActionCache()
    let first = actions.unknown(among: elements)
    #expect(first.count == ElementActionCache.mostAsked)
    #expect(first.first == elements[101].id)
    #expect(!first.contains(elements[102].id))
    for element in first { actions.learn(["click", "drop"], of: element) }
    #expect(Set(actions.unknown(among: elements)).isDisjoint(with: first))
    #expect(actions.known[try #require(first.first)] == ["drop"])
  }
}
