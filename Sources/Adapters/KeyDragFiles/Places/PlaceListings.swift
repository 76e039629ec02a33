import KeyDragCore
import SystemPackage

/// The effects of listing and watching on the registry.
///
/// Each is one step under the registry's lock, and none touches the disk.
extension PlaceRegistry {
  /// Notes that a folder is shown; tells whether it has to be watched from now on.
  ///
  /// `false` for a folder that is not known, too.
  func show(_ number: UInt32, _ showing: ViewKinds) -> Bool {
    state.withLock { state in
      guard state.folder(number) != nil else { return false }
      let wasShown = !state.folders[Int(number)].showing.isEmpty
      state.folders[Int(number)].showing.insert(showing)
      return !wasShown
    }
  }

  /// Takes one showing back, the one while carrying first; tells whether none is left.
  ///
  /// A folder that is both walked and opened goes on being walked.
  func hide(_ number: UInt32) -> Bool {
    state.withLock { state in
      guard let folder = state.folder(number) else { return false }
      let last: ViewKinds = folder.showing.contains(.opened) ? .opened : .browsed
      state.folders[Int(number)].showing.remove(last)
      return state.folders[Int(number)].showing.isEmpty
    }
  }

  /// Forgets that a folder is shown, whatever for; tells whether it was.
  func hideWholly(_ number: UInt32) -> Bool {
    state.withLock { state in
      guard let folder = state.folder(number) else { return false }
      state.folders[Int(number)].showing = []
      return !folder.showing.isEmpty
    }
  }

  /// Folders that are watched.
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

  /// From now until ``endListing(_:)`` changes wait.
  ///
  /// The number must be known.
  func beginListing(_ number: UInt32, includingHidden: Bool) {
    state.withLock { state in
      state.folders[Int(number)].isListing = true
      state.folders[Int(number)].includesHidden = includingHidden
    }
  }

  /// The number must be known.
  func container(_ number: UInt32) -> ContainerDescriptor {
    state.withLock { $0.container(number) }
  }

  /// The number must be known.
  func tree(of number: UInt32) -> ContainerID {
    state.withLock { ContainerID($0.folders[Int(number)].tree, of: .files) }
  }

  /// Takes over what was read, and answers with all of it as it is shown now.
  func replace(_ number: UInt32, by snapshot: FolderSnapshot, sorted: [UInt32]) -> Listing {
    state.withLock { state in
      state.folders[Int(number)].replace(by: snapshot, sorted: sorted)
      return state.listing(number)
    }
  }

  /// The names that changed while the listing was made; when there are none, waiting ends.
  ///
  /// To be asked until it is empty.
  func endListing(_ number: UInt32) -> Set<[UInt8]> {
    state.withLock { state in
      let waiting = state.folders[Int(number)].waiting
      state.folders[Int(number)].waiting = []
      state.folders[Int(number)].isListing = !waiting.isEmpty
      return waiting
    }
  }

  /// Brings what is shown in line with what was seen (`nil`: it is not there), and tells the
  /// difference. While a listing is made the names wait, unless the listing itself is asking.
  func apply(
    _ seen: [[UInt8]: ItemKind?], to number: UInt32, isListing: Bool = false
  ) -> [RegistryChange] {
    state.withLock { state in
      // Read in place: a copy of the record would make every change copy its tables.
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
  /// The changes for one name: none, one that came, one that went, or both where the kind is
  /// another. A place goes and comes with its source.
  fileprivate mutating func apply(
    _ name: UnsafeBufferPointer<UInt8>, _ kind: ItemKind?, to number: UInt32
  ) -> [RegistryChange] {
    let index = Int(number)
    guard !NameFilter.isTemporary(name) else { return [] }
    if NameFilter.isHidden(name), !folders[index].includesHidden { return [] }
    // A name that was never seen needs no number to be gone.
    guard kind != nil || folders[index].names.ordinal(of: name) != nil else { return [] }
    let ordinal = folders[index].intern(name)
    // Told already, or back as it was before anybody looked.
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
        // The folder itself stands first among the places.
        changes.append(.dropPointAppeared(dropPoint(ordinal, in: number), index: position + 1))
      }
    }
    return changes
  }
}
