import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Lists folders and follows what changes in them.
///
/// Each folder has a queue of its own, so that one on a file system that hangs holds up no other.
///
/// One object for a run of the program. Numbers are those of ``PlaceRegistry``. Every call returns
/// at once, except ``close()``.
final class FolderLister: Sendable {
  /// Knows what is shown; without a file system.
  private let registry: PlaceRegistry
  private let watcher: FolderWatcher
  /// Everything that runs on the queues.
  private let group = DispatchGroup()
  /// Made when first needed, and kept: a queue without work has no thread.
  private let queues = Mutex<[UInt32: DispatchQueue]>([:])
  private let changes: ChangeReporter
  /// The folders given that have vanished.
  private let lost: LostFolders?

  init(registry: PlaceRegistry) {
    self.registry = registry
    let changes = ChangeReporter(registry: registry)
    self.changes = changes
    watcher = FolderWatcher { changed, gone, overflowed in
      changes.report(changed, gone: gone, overflowed: overflowed)
    }
    lost = LostFolders(registry: registry)
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

  /// The watches would outlive it: their loops hold them.
  deinit {
    watcher.close()
    lost?.close()
  }

  /// Changes come from several threads, one at a time.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) { changes.observe(observer) }

  /// Shows a folder.
  ///
  /// - Parameters:
  ///   - told: called on the folder's queue. Changes from the moment of the watch on are reported
  ///     after the listing.
  ///   - done: called there at the end, with the reason why it can't be read.
  func list(
    _ number: UInt32, as showing: ViewKinds, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void,
    done: @escaping @Sendable (Reason?) -> Void = { _ in }
  ) {
    // On the caller's thread, so that a hiding that follows comes after it.
    let isNew = registry.show(number, showing)
    queue(for: number).async(group: group) { [self] in
      if isNew { watch(number) }
      lost?.remember(number)
      let reason = read(number, includingHidden: includingHidden) { snapshot in
        told(.counted(registry.container(number), snapshot.counts))
      } send: { listing in
        told(.listed(listing))
      }
      // It was not shown by this request, so this request's watch ends with it.
      if reason != nil, isNew, registry.hide(number) { watcher.unwatch(number) }
      done(reason)
    }
  }

  /// Takes one showing back; the watch ends with the last.
  ///
  /// Does nothing for a folder that is not shown.
  func hide(_ number: UInt32) {
    if registry.hide(number) { watcher.unwatch(number) }
  }

  /// Ends the watches; waits for listings that run.
  func close(until end: DispatchTime) {
    watcher.close()
    lost?.close()
    _ = group.wait(timeout: end)
  }

  /// Reads a folder again because its changes could not be followed.
  ///
  /// Does nothing for a folder that is not shown any more.
  private func relist(_ number: UInt32) {
    queue(for: number).async(group: group) { [self] in
      guard registry.isShown(number) else { return }
      let isHidden = registry.includesHidden(number)
      guard let reason = replace(number, includingHidden: isHidden) else { return }
      if reason == .gone || reason == .notAFolder { changes.vanish([number]) }
    }
  }

  /// Shows one of the folders given again, which had vanished.
  private func takeBack(_ number: UInt32) {
    queue(for: number).async(group: group) { [self] in
      let isNew = registry.show(number, .browsed)
      if isNew { watch(number) }
      let isHidden = registry.includesHidden(number)
      let failure = read(number, includingHidden: isHidden) { _ in
      } send: { listing in
        self.changes.sendUnordered(.changed([.containerAppeared(listing)]))
      }
      // Gone again already.
      guard failure != nil else { return }
      if isNew, registry.hide(number) { watcher.unwatch(number) }
      lost?.add(number)
    }
  }

  /// Serial: a listing and what follows it never overlap for one folder.
  private func queue(for number: UInt32) -> DispatchQueue {
    queues.withLock { queues in
      if let queue = queues[number] { return queue }
      let queue = DispatchQueue(label: "keydrag.folder.\(number)")
      queues[number] = queue
      return queue
    }
  }

  /// Watches before it is read, so that no change is missed between the two.
  private func watch(_ number: UInt32) {
    guard let path = registry.path(of: number) else { return }
    let failure = watcher.watch(number, at: path)
    // It may have been closed before it could be watched.
    if !registry.isShown(number) { watcher.unwatch(number) }
    guard let reason = failure else { return }
    // These reasons are told by the listing itself.
    let saidAnyway: [Reason] = [.gone, .notPermitted, .notAFolder, .linkLoop, .nameTooLong]
    guard !saidAnyway.contains(reason) else { return }
    changes.send(.problem(.notWatching(container: registry.name(of: number))))
  }

  /// Reads a folder that is shown already; the reason why it can't be read.
  private func replace(_ number: UInt32, includingHidden: Bool) -> Reason? {
    read(number, includingHidden: includingHidden) { _ in
    } send: { listing in
      self.changes.sendUnordered(.changed([.replaced(listing)]))
    }
  }

  /// Reads, sorts and takes over a folder; what changed meanwhile is reported afterwards.
  ///
  /// - Parameters:
  ///   - counted: called before sorting, which takes its time for large folders.
  ///   - send: called while no other report is under way.
  /// - Returns: the reason why it could not be read; nothing was changed then.
  private func read(
    _ number: UInt32, includingHidden: Bool, counted: (FolderSnapshot) -> Void,
    send: (Listing) -> Void
  ) -> Reason? {
    guard let path = registry.path(of: number) else { return .gone }
    // Kept for a failure: what is shown stays as it was.
    let hiddenBefore = registry.includesHidden(number)
    registry.beginListing(number, includingHidden: includingHidden)
    defer { changes.catchUp(number) }
    switch FolderReader.read(path, includingHidden: includingHidden) {
    case .failure(let reason):
      // Only to put the old setting back; `catchUp` ends it.
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
