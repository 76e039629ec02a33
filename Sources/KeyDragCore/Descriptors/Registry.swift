import OrderedCollections

/// The ordered descriptors: containers, and in each its drag sources and drop points.
///
/// In a container, `nil` means unknown and empty means that there are none.
package struct Registry: Sendable {
  package struct Entry: Sendable {
    package var container: ContainerDescriptor
    /// The sources in the order of the walk; `nil` while unknown.
    package var sources: [DragSourceDescriptor]?
    /// The places in the order of the walk; `nil` while unknown.
    package var dropPoints: [DropPointDescriptor]?
    package var hiddenCount: Int
    /// Built at the first type-ahead, invalidated when the sources change.
    var sourceIndex: NameIndex?
    private(set) var folderCount: Int

    init(_ listing: Listing) {
      container = listing.container
      sources = listing.sources
      dropPoints = listing.dropPoints
      hiddenCount = listing.hiddenCount
      folderCount = (listing.sources ?? []).reduce(into: 0) { $0 += $1.kind.isFolder ? 1 : 0 }
    }

    /// The number of files and folders, kept rather than counted anew.
    package var counts: ItemCounts {
      ItemCounts(
        files: (sources?.count ?? 0) - folderCount, folders: folderCount,
        areObjects: sources?.first?.kind == .object, hidden: hiddenCount)
    }

    mutating func insert(_ source: DragSourceDescriptor, at index: Int) {
      sources?.insert(source, at: index)
      folderCount += source.kind.isFolder ? 1 : 0
      sourceIndex = nil
    }

    mutating func removeSource(at index: Int) {
      let removed = sources?.remove(at: index)
      folderCount -= removed?.kind.isFolder == true ? 1 : 0
      sourceIndex = nil
    }
  }

  /// In registry order.
  package private(set) var entries: OrderedDictionary<ContainerID, Entry> = [:]

  package init() {}

  package subscript(_ id: ContainerID) -> Entry? { entries[id] }

  /// Adds a container behind `after` or at the end, or replaces its entry in place.
  package mutating func insert(_ listing: Listing, after: ContainerID? = nil) {
    let entry = Entry(listing)
    let id = listing.container.id
    if entries[id] != nil {
      entries[id] = entry
    } else if let after, let index = entries.index(forKey: after) {
      entries.updateValue(entry, forKey: id, insertingAt: index + 1)
    } else {
      entries[id] = entry
    }
  }

  /// Records that a drop point, wherever it is listed, leads to this container.
  mutating func connect(_ point: DropPointID, to container: ContainerID) {
    for id in entries.keys {
      if let index = entries[id]?.dropPoints?.firstIndex(where: { $0.id == point }) {
        entries[id]?.dropPoints?[index].leadsTo = container
      }
    }
  }

  @discardableResult
  package mutating func remove(_ id: ContainerID) -> Entry? { entries.removeValue(forKey: id) }

  /// The index of a source in its container; `hint` is its last known index.
  package func index(
    of source: DragSourceID, in container: ContainerID, hint: Int = 0
  ) -> Int? {
    guard let sources = entries[container]?.sources else { return nil }
    if sources.indices.contains(hint), sources[hint].id == source { return hint }
    return sources.firstIndex { $0.id == source }
  }

  /// This container and its ancestors, innermost first.
  package func enclosing(_ id: ContainerID) -> [ContainerID] {
    var result: [ContainerID] = []
    var next: ContainerID? = id
    while let current = next, !result.contains(current) {
      result.append(current)
      next = entries[current]?.container.enclosing
    }
    return result
  }

  /// Applies one change; `false` when it concerns nothing registered. `isNew` skips the search for
  /// an existing entry.
  @discardableResult
  package mutating func apply(_ change: RegistryChange, isNew: Bool = false) -> Bool {
    switch change {
    case .sourceAppeared(let source, let index): return insert(source, at: index, isNew: isNew)
    case .sourceVanished(let source, let container):
      guard let index = index(of: source, in: container) else { return false }
      entries[container]?.removeSource(at: index)
      return true
    case .dropPointAppeared(let point, let index): return insert(point, at: index, isNew: isNew)
    case .dropPointVanished(let point, let container):
      let index = entries[container]?.dropPoints?.firstIndex { $0.id == point }
      guard let index else { return false }
      entries[container]?.dropPoints?.remove(at: index)
      return true
    case .containerAppeared(let listing):
      insert(listing)
      return true
    case .containerVanished(let container): return remove(container) != nil
    case .replaced(let listing):
      guard entries[listing.container.id] != nil else { return false }
      insert(listing)
      return true
    }
  }

  private mutating func insert(
    _ source: DragSourceDescriptor, at index: Int, isNew: Bool
  ) -> Bool {
    // One change does not make unknown sources known: their listing will bring them all.
    guard entries[source.container]?.sources != nil else { return false }
    if !isNew, let old = self.index(of: source.id, in: source.container, hint: index) {
      entries[source.container]?.removeSource(at: old)
    }
    let count = entries[source.container]?.sources?.count ?? 0
    entries[source.container]?.insert(source, at: min(max(index, 0), count))
    return true
  }

  private mutating func insert(
    _ point: DropPointDescriptor, at index: Int, isNew: Bool
  ) -> Bool {
    guard entries[point.container]?.dropPoints != nil else { return false }
    if !isNew { entries[point.container]?.dropPoints?.removeAll { $0.id == point.id } }
    let count = entries[point.container]?.dropPoints?.count ?? 0
    entries[point.container]?.dropPoints?.insert(point, at: min(max(index, 0), count))
    return true
  }

  func lists(_ point: DropPointID, in container: ContainerID) -> Bool {
    entries[container]?.dropPoints?.contains { $0.id == point } ?? false
  }

  /// The source meant by text typed while browsing a container.
  mutating func matchSource(
    _ text: String, in container: ContainerID, current: Int?, movesOn: Bool
  ) -> Int? {
    guard let sources = entries[container]?.sources else { return nil }
    if entries[container]?.sourceIndex == nil {
      entries[container]?.sourceIndex = NameIndex(sources.lazy.map(\.name))
    }
    return entries[container]?.sourceIndex?.match(text, current: current, movesOn: movesOn)
  }
}

extension Registry {
  package func container(of source: DragSourceID) -> ContainerDescriptor? {
    entries.values.first { $0.sources?.contains { $0.id == source } == true }?.container
  }

  package mutating func move(_ source: DragSourceID, to index: Int) {
    guard let container = container(of: source)?.id,
      let old = self.index(of: source, in: container),
      let descriptor = entries[container]?.sources?[old]
    else { return }
    apply(.sourceVanished(source, container: container))
    apply(.sourceAppeared(descriptor, index: index))
  }
}
