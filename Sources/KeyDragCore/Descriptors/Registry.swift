import OrderedCollections

/// The ordered set of descriptors: containers, and in each its drag sources and drop points.
///
/// For a container, `nil` means "work it out" and empty means "nothing here".
package struct Registry: Sendable {
  /// A container with what is in it.
  package struct Entry: Sendable {
    /// The container itself.
    package var container: ContainerDescriptor
    /// The sources that can be picked up, in the order of the walk; `nil` where they are not known
    /// yet.
    package var sources: [DragSourceDescriptor]?
    /// The places, in the order of the walk; `nil` where they are not known yet.
    package var dropPoints: [DropPointDescriptor]?
    /// How many names are hidden now.
    package var hiddenCount: Int
    /// Built at the first type-ahead, dropped when the sources change.
    var sourceIndex: NameIndex?
    /// How many of the sources are folders.
    private(set) var folderCount: Int

    init(_ listing: Listing) {
      container = listing.container
      sources = listing.sources
      dropPoints = listing.dropPoints
      hiddenCount = listing.hiddenCount
      folderCount = (listing.sources ?? []).reduce(into: 0) { $0 += $1.kind.isFolder ? 1 : 0 }
    }

    /// How many files and folders it holds, without counting them anew.
    package var counts: ItemCounts {
      ItemCounts(
        files: (sources?.count ?? 0) - folderCount, folders: folderCount,
        areObjects: sources?.first?.kind == .object)
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

  /// A registry with nothing in it.
  package init() {}

  /// The entry of a container; `nil` for one that is not registered.
  package subscript(_ id: ContainerID) -> Entry? { entries[id] }

  /// Adds a container or replaces what is known of it, keeping its place in the order.
  ///
  /// - Parameter after: where a new one is put: behind this container; at the end when `nil`.
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

  /// Notes that a drop point, wherever it is listed, stands for this container.
  mutating func connect(_ point: DropPointID, to container: ContainerID) {
    for id in entries.keys {
      if let index = entries[id]?.dropPoints?.firstIndex(where: { $0.id == point }) {
        entries[id]?.dropPoints?[index].leadsTo = container
      }
    }
  }

  /// Forgets a container and everything in it.
  @discardableResult
  package mutating func remove(_ id: ContainerID) -> Entry? { entries.removeValue(forKey: id) }

  /// The index of a source in its container; `hint` is where it stood last.
  package func index(
    of source: DragSourceID, in container: ContainerID, hint: Int = 0
  ) -> Int? {
    guard let sources = entries[container]?.sources else { return nil }
    if sources.indices.contains(hint), sources[hint].id == source { return hint }
    return sources.firstIndex { $0.id == source }
  }

  /// The containers from this one outwards.
  package func enclosing(_ id: ContainerID) -> [ContainerID] {
    var result: [ContainerID] = []
    var next: ContainerID? = id
    while let current = next, !result.contains(current) {
      result.append(current)
      next = entries[current]?.container.enclosing
    }
    return result
  }

  /// Carries out one change; `false` when it concerns nothing that is registered.
  ///
  /// - Parameter isNew: whether what appears is known not to be there yet.
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
    // Sources that are not known yet do not become known by one change: their listing brings
    // everything.
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

  /// Whether a container lists a drop point.
  func lists(_ point: DropPointID, in container: ContainerID) -> Bool {
    entries[container]?.dropPoints?.contains { $0.id == point } ?? false
  }

  /// The source a person means who types this while browsing a container.
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
  /// The container that lists a source.
  package func container(of source: DragSourceID) -> ContainerDescriptor? {
    entries.values.first { $0.sources?.contains { $0.id == source } == true }?.container
  }

  /// Moves a source to another index of its container.
  package mutating func move(_ source: DragSourceID, to index: Int) {
    guard let container = container(of: source)?.id,
      let old = self.index(of: source, in: container),
      let descriptor = entries[container]?.sources?[old]
    else { return }
    apply(.sourceVanished(source, container: container))
    apply(.sourceAppeared(descriptor, index: index))
  }
}
