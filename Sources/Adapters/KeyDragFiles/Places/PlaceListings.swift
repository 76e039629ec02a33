import KeyDragCore
import SystemPackage

/// Registry updates from listings and watches. Each is atomic and does no disk access.
extension PlaceRegistry {
  /// Marks a folder as shown; returns whether it has to be watched now. `false` for an unknown
  /// folder.
  func show(_ number: UInt32, _ showing: ViewKinds) -> Bool {
    state.withLock { state in
      guard state.folder(number) != nil else { return false }
      let wasShown = !state.folders[Int(number)].showing.isEmpty
      state.folders[Int(number)].showing.insert(showing)
      return !wasShown
    }
  }

  /// Removes one view, the opened one first; returns whether none is left.
  func hide(_ number: UInt32) -> Bool {
    state.withLock { state in
      guard let folder = state.folder(number) else { return false }
      let last: ViewKinds = folder.showing.contains(.opened) ? .opened : .browsed
      state.folders[Int(number)].showing.remove(last)
      return state.folders[Int(number)].showing.isEmpty
    }
  }

  func removeAllViews(_ number: UInt32) -> Bool {
    state.withLock { state in
      guard let folder = state.folder(number) else { return false }
      state.folders[Int(number)].showing = []
      return !folder.showing.isEmpty
    }
  }

  var shown: [UInt32] {
    state.withLock { state in
      state.folders.indices.filter { !state.folders[$0].showing.isEmpty }.map { UInt32($0) }
    }
  }

  func isShown(_ number: UInt32) -> Bool {
    state.withLock { $0.folder(number)?.showing.isEmpty == false }
  }

  /// `false` for an unknown folder.
  func includesHidden(_ number: UInt32) -> Bool {
    state.withLock { $0.folder(number)?.includesHidden ?? false }
  }

  /// Defers changes until ``endListing(_:)``. The number must be assigned.
  func beginListing(_ number: UInt32, includingHidden: Bool) {
    state.withLock { state in
      state.folders[Int(number)].isListing = true
      state.folders[Int(number)].includesHidden = includingHidden
    }
  }

  /// The number must be assigned.
  func container(_ number: UInt32) -> ContainerDescriptor {
    state.withLock { $0.container(number) }
  }

  /// The number must be assigned.
  func tree(of number: UInt32) -> ContainerID {
    state.withLock { ContainerID($0.folders[Int(number)].tree, of: .files) }
  }

  func replace(_ number: UInt32, by snapshot: FolderSnapshot, sorted: [UInt32]) -> Listing {
    state.withLock { state in
      state.folders[Int(number)].replace(by: snapshot, sorted: sorted)
      return state.listing(number)
    }
  }

  /// Returns deferred names, and ends the deferral if there are none. Call until empty.
  func endListing(_ number: UInt32) -> Set<[UInt8]> {
    state.withLock { state in
      let waiting = state.folders[Int(number)].waiting
      state.folders[Int(number)].waiting = []
      state.folders[Int(number)].isListing = !waiting.isEmpty
      return waiting
    }
  }

  /// Applies the observed kinds (`nil`: gone) and returns the changes. Deferred during a listing
  /// unless that listing itself calls.
  func apply(
    _ seen: [[UInt8]: ItemKind?], to number: UInt32, isListing: Bool = false
  ) -> [RegistryChange] {
    state.withLock { state in
      // In place: copying the record would make each change copy its tables.
      let index = Int(number)
      guard index < state.folders.count, !state.folders[index].showing.isEmpty else { return [] }
      if state.folders[index].isListing, !isListing {
        state.folders[index].waiting.formUnion(seen.keys)
        return []
      }
      var changes: [RegistryChange] = []
      for (name, kind) in seen {
        changes += name.withUnsafeBufferPointer { state.apply($0, kind, to: number) }
      }
      return changes
    }
  }
}

extension PlaceRegistry.Tables {
  /// The changes for one name; a changed kind counts as vanished and appeared. Drop points follow
  /// their sources.
  fileprivate mutating func apply(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: ItemKind?, to number: UInt32
  ) -> [RegistryChange] {
    let index = Int(number)
    guard !NameFilter.isTemporary(name) else { return [] }
    if NameFilter.isHidden(name), !folders[index].includesHidden { return [] }
    // An unknown name that is gone needs no ordinal.
    guard kind != nil || folders[index].names.ordinal(of: name) != nil else { return [] }
    let ordinal = folders[index].intern(name)
    // Already reported, or reverted before it was read.
    guard folders[index].kind(ordinal) != kind else { return [] }
    var changes: [RegistryChange] = []
    if let old = folders[index].remove(ordinal) {
      let id = EntryID(folder: number, ordinal: ordinal)
      changes.append(.sourceVanished(id.source, container: ContainerID(number, of: .files)))
      if old.isFolder {
        changes.append(
          .dropPointVanished(PointID.entry(id).point, container: ContainerID(number, of: .files)))
      }
    }
    if let kind {
      let position = folders[index].insert(ordinal, kind: kind)
      changes.append(.sourceAppeared(source(ordinal, in: number, kind: kind), index: position))
      if kind.isFolder {
        // The folder's own drop point comes first.
        changes.append(.dropPointAppeared(dropPoint(ordinal, in: number), index: position + 1))
      }
    }
    return changes
  }
}
