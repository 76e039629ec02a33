/// Placeholders for items of running deliveries to a displayed folder.
extension Session {
  /// The placeholders in a container, besides its items; up to 20 per delivery.
  func arriving(
    in container: ContainerID, beside sources: [DragSourceDescriptor]
  ) -> [DragSourceDescriptor] {
    let coming = deliveries.filter { $0.value.target == container }
    guard !coming.isEmpty else { return [] }
    let known = Set(sources.lazy.map(\.name))
    return coming.flatMap { id, running in
      running.names.enumerated().filter { !known.contains($0.element) }.map { index, name in
        DragSourceDescriptor(
          id: DragSourceID(UInt64(id.rawValue) << 32 | UInt64(index), of: .arriving), name: name,
          container: container, kind: .placeholder, isEnabled: false)
      }
    }
  }

  var isAtArriving: Bool { focused?.id.owner == .arriving }

  /// The delivery that brings an item; `nil` for an existing item.
  func delivery(bringing item: DragSourceDescriptor) -> RunningDelivery? {
    guard item.id.owner == .arriving else { return nil }
    return deliveries[DeliveryID(Int(item.id.rawValue >> 32))]
  }
}
