import KeyDragCore
import Testing

@Suite("What one world numbers is renumbered for the others")
struct RenumberingTests {
  /// What is in a value, a text for each of its fields but the numbers.
  private func fields(of value: Any, but numbers: String...) -> [String: String] {
    var result: [String: String] = [:]
    for case (let name?, let field) in Mirror(reflecting: value).children
    where !numbers.contains(name) {
      result[name] = "\(field)"
    }
    return result
  }

  /// Whether no field of a sample is as a plain one has it: a field that was added and that the sample
  /// leaves out would be found unchanged whatever is done with it.
  private func isFull(_ sample: Any, beside plain: Any) -> Bool {
    let (all, none) = (fields(of: sample), fields(of: plain))
    return all.keys == none.keys && all.allSatisfy { none[$0.key] != $0.value }
  }

  @Test("a drop point keeps all but its numbers")
  func dropPoint() {
    let plain = DropPointDescriptor(id: DropPointID(1), name: "", container: ContainerID(1))
    var point = DropPointDescriptor(
      id: DropPointID(2), name: "Docs", container: ContainerID(3), leadsTo: ContainerID(4),
      positions: .all, task: .print, canOpen: true)
    (point.isElsewhere, point.isShortcut, point.tree) = (true, true, ContainerID(5))
    #expect(isFull(point, beside: plain))
    let other = point.renumbered(DropPointID(12), ContainerID(13), leadsTo: ContainerID(14))
    #expect(
      (other.id, other.container) == (DropPointID(12), ContainerID(13))
        && other.leadsTo == ContainerID(14))
    #expect(
      fields(of: other, but: "id", "container", "leadsTo")
        == fields(of: point, but: "id", "container", "leadsTo"))
    #expect(other.renumbered(DropPointID(2), ContainerID(3), leadsTo: ContainerID(4)) == point)
    #expect(point.renumbered(DropPointID(12), ContainerID(13), leadsTo: nil).leadsTo == nil)
  }

  @Test("a container keeps all but its numbers")
  func container() {
    let plain = ContainerDescriptor(id: ContainerID(1), name: "")
    var container = ContainerDescriptor(
      id: ContainerID(2), name: "Docs", app: "Files", enclosing: ContainerID(3),
      tree: ContainerID(4), isOrdered: true, isEditing: true)
    (container.isAskedOnArrival, container.isOnAnotherWorkspace) = (true, true)
    #expect(isFull(container, beside: plain))
    let other = container.renumbered(
      ContainerID(12), enclosing: ContainerID(13), tree: ContainerID(14))
    #expect(
      [other.id, other.enclosing, other.tree]
        == [ContainerID(12), ContainerID(13), ContainerID(14)])
    #expect(
      fields(of: other, but: "id", "enclosing", "tree")
        == fields(of: container, but: "id", "enclosing", "tree"))
    #expect(
      other.renumbered(ContainerID(2), enclosing: ContainerID(3), tree: ContainerID(4))
        == container)
  }

  @Test("a drag source keeps all but its numbers")
  func source() {
    let plain = DragSourceDescriptor(
      id: DragSourceID(1), name: "", container: ContainerID(1), kind: .folder)
    let source = DragSourceDescriptor(
      id: DragSourceID(2), name: "a", container: ContainerID(3), kind: .file, isEnabled: false)
    #expect(isFull(source, beside: plain))
    let other = source.renumbered(DragSourceID(12), ContainerID(13))
    #expect((other.id, other.container) == (DragSourceID(12), ContainerID(13)))
    #expect(fields(of: other, but: "id", "container") == fields(of: source, but: "id", "container"))
    #expect(other.renumbered(DragSourceID(2), ContainerID(3)) == source)
  }

  @Test("an item keeps all but its numbers")
  func item() {
    let plain = DragItem(
      source: DragSourceID(1), name: "", kind: .folder, types: [], typeName: "",
      container: ContainerID(1), tree: nil)
    var item = DragItem(
      source: DragSourceID(2), name: "a.txt", kind: .file, types: ["text/plain"],
      typeName: "text document", container: ContainerID(3), tree: ContainerID(4),
      allowed: .copy, byteCount: 5)
    item.withheld = [.move: .notRemovable]
    #expect(isFull(item, beside: plain))
    let other = item.renumbered(DragSourceID(12), ContainerID(13), tree: ContainerID(14))
    #expect((other.source, other.container) == (DragSourceID(12), ContainerID(13)))
    #expect(other.tree == ContainerID(14))
    #expect(
      fields(of: other, but: "source", "container", "tree")
        == fields(of: item, but: "source", "container", "tree"))
    #expect(other.renumbered(DragSourceID(2), ContainerID(3), tree: ContainerID(4)) == item)
  }
}
