import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Lists folders and follows their changes.
///
/// Each folder has a queue of its own, so that a hanging file system blocks no other.
///
/// One per run; uses the numbers of ``PlaceRegistry``. All calls except ``close(until:)`` return at
/// once.
final class FolderLister: Sendable {
  private let registry: PlaceRegistry
  private let watcher: FolderWatcher
  private let group = DispatchGroup()
  /// Created lazily and kept: an idle queue has no thread.
  private let queues = Mutex<[UInt32: DispatchQueue]>([:])
  private let changes: ChangeReporter
  private let lost: VanishedRoots?

  init(registry: PlaceRegistry) {
    self.registry = registry
    let changes = ChangeReporter(registry: registry)
    self.changes = changes
    watcher = FolderWatcher { changed, gone, overflowed in
      changes.report(changed, gone: gone, overflowed: overflowed)
    }
    lost = VanishedRoots(registry: registry)
    changes.use(watcher: watcher) { [weak self] in
      self?.relist($0)
    } lost: { [lost] in
      lost?.add($0)
    }
    lost?.start { [weak self] in
      self?.takeBack($0)
    } vanished: { [changes] in
      changes.vanish($0)
    }
  }

  /// The loops retain the watches, which would otherwise outlive this.
  deinit {
    watcher.close()
    lost?.close()
  }

  /// Changes arrive on several threads, serially.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) { changes.observe(observer) }

  /// Shows a folder.
  ///
  /// - Parameters:
  ///   - told: called on the folder's queue. Changes since the start of the watch are reported
  ///     after the listing.
  ///   - done: called there at the end, with the reason on failure.
  func list(
    _ number: UInt32, as showing: ViewKinds, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void,
    done: @escaping @Sendable (Reason?) -> Void = { _ in }
  ) {
    // On the caller's thread, so that a following ``hide(_:)`` is ordered after it.
    let isNew = registry.show(number, showing)
    queue(for: number).async(group: group) { [self] in
      if isNew { watch(number) }
      lost?.remember(number)
      let reason = read(number, includingHidden: includingHidden) { snapshot in
        told(.counted(registry.container(number), snapshot.counts))
      } send: { listing in
        told(.listed(listing))
      }
      // This request was the first to show it, so its watch ends here.
      if reason != nil, isNew, registry.hide(number) { watcher.unwatch(number) }
      done(reason)
    }
  }

  /// Balances one ``list(_:as:includingHidden:told:done:)``; the watch ends with the last. No-op
  /// for a folder that is not shown.
  func hide(_ number: UInt32) {
    if registry.hide(number) { watcher.unwatch(number) }
  }

  /// Ends the watches and waits for running listings.
  func close(until end: DispatchTime) {
    watcher.close()
    lost?.close()
    _ = group.wait(timeout: end)
  }

  /// Reads a folder again after changes were missed. No-op if it is no longer shown.
  private func relist(_ number: UInt32) {
    queue(for: number).async(group: group) { [self] in
      guard registry.isShown(number) else { return }
      let isHidden = registry.includesHidden(number)
      guard let reason = replace(number, includingHidden: isHidden) else { return }
      if reason == .gone || reason == .notAFolder { changes.vanish([number]) }
    }
  }

  private func takeBack(_ number: UInt32) {
    queue(for: number).async(group: group) { [self] in
      let isNew = registry.show(number, .browsed)
      if isNew { watch(number) }
      let isHidden = registry.includesHidden(number)
      let failure = read(number, includingHidden: isHidden) { _ in
      } send: { listing in
        self.changes.sendUnordered(.changed([.containerAppeared(listing)]))
      }
      guard failure != nil else { return }
      if isNew, registry.hide(number) { watcher.unwatch(number) }
      lost?.add(number)
    }
  }

  /// Serial: a folder's listing and updates never overlap.
  private func queue(for number: UInt32) -> DispatchQueue {
    queues.withLock { queues in
      if let queue = queues[number] { return queue }
      let queue = DispatchQueue(label: "keydrag.folder.\(number)")
      queues[number] = queue
      return queue
    }
  }

  /// Called before reading, so that no change is missed in between.
  private func watch(_ number: UInt32) {
    guard let path = registry.path(of: number) else { return }
    let failure = watcher.watch(number, at: path)
    // It may have been hidden before it was watched.
    if !registry.isShown(number) { watcher.unwatch(number) }
    guard let reason = failure else { return }
    // The listing itself reports these.
    let saidAnyway: [Reason] = [.gone, .notPermitted, .notAFolder, .linkLoop, .nameTooLong]
    guard !saidAnyway.contains(reason) else { return }
    changes.send(.problem(.notWatching(container: registry.name(of: number))))
  }

  /// Reads a shown folder again; returns the reason on failure.
  private func replace(_ number: UInt32, includingHidden: Bool) -> Reason? {
    read(number, includingHidden: includingHidden) { _ in
    } send: { listing in
      self.changes.sendUnordered(.changed([.replaced(listing)]))
    }
  }

  /// Reads and sorts a folder into the registry, and reports changes that came meanwhile.
  ///
  /// - Parameters:
  ///   - counted: called before sorting, which takes time for large folders.
  ///   - send: called with no other report in progress.
  /// - Returns: the reason on failure, with nothing changed.
  private func read(
    _ number: UInt32, includingHidden: Bool, counted: (FolderSnapshot) -> Void,
    send: (Listing) -> Void
  ) -> Reason? {
    guard let path = registry.path(of: number) else { return .gone }
    // Restored on failure, which keeps what is shown.
    let hiddenBefore = registry.includesHidden(number)
    registry.beginListing(number, includingHidden: includingHidden)
    defer { changes.catchUp(number) }
    switch FolderReader.read(path, includingHidden: includingHidden) {
    case .failure(let reason):
      // Restores the setting; `catchUp` ends the listing.
      registry.beginListing(number, includingHidden: hiddenBefore)
      return reason
    case .success(let snapshot):
      counted(snapshot)
      let sorted = NameOrder.sorted(snapshot)
      changes.inOrder { send(registry.replace(number, by: snapshot, sorted: sorted)) }
      return nil
    }
  }
}
