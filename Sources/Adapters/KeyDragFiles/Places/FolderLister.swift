import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Lists folders and follows what changes in them.
///
/// Each folder has a queue of its own, so that one on a file system that hangs holds up no other.
final class FolderLister: Sendable {
  typealias Reply = @Sendable (WorldReport) -> Void

  private let registry: PlaceRegistry
  private let watcher: FolderWatcher
  private let group = DispatchGroup()
  private let queues = Mutex<[UInt32: DispatchQueue]>([:])
  private let changes: ChangeReporter
  private let lost: LostFolders

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
      lost.add($0)
    }
    lost.start { [weak self] in
      self?.takeBack($0)
    } vanished: { [changes] in
      changes.vanish($0)
    }
  }

  func observe(_ observer: @escaping Reply) { changes.observe(observer) }

  /// Shows a folder: answered by `counted` and `listed`, or by `unreadable`.
  func list(
    _ number: UInt32, as showing: Showing, includingHidden: Bool, id: RequestID,
    reply: @escaping Reply
  ) {
    let isNew = registry.show(number, showing)
    queue(for: number).async(group: group) { [self] in
      if isNew { watch(number) }
      lost.remember(number)
      if let reason = list(number, includingHidden: includingHidden, id: id, reply: reply) {
        // It was not shown by this request, so this request's watch ends with it.
        if isNew, registry.hide(number) { watcher.unwatch(number) }
        reply(.unreadable(id, name: registry.name(of: number), reason))
      }
    }
  }

  /// Takes one showing back; the watch ends with the last.
  func hide(_ number: UInt32) {
    if registry.hide(number) { watcher.unwatch(number) }
  }

  /// Ends the watches; waits for listings that run, but not for a file system that hangs.
  func close() {
    watcher.close()
    lost.close()
    _ = group.wait(timeout: .now() + .seconds(2))
  }

  /// Reads a folder again because its changes could not be followed.
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
      guard failure != nil else { return }
      if isNew, registry.hide(number) { watcher.unwatch(number) }
      lost.add(number)
    }
  }

  private func queue(for number: UInt32) -> DispatchQueue {
    queues.withLock { queues in
      if let queue = queues[number] { return queue }
      let queue = DispatchQueue(label: "keydrag.folder.\(number)")
      queues[number] = queue
      return queue
    }
  }

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

  private func list(
    _ number: UInt32, includingHidden: Bool, id: RequestID, reply: @escaping Reply
  ) -> Reason? {
    read(number, includingHidden: includingHidden) { snapshot in
      reply(.counted(id, self.registry.container(number), snapshot.counts))
    } send: { listing in
      reply(.listed(id, listing))
    }
  }

  private func replace(_ number: UInt32, includingHidden: Bool) -> Reason? {
    read(number, includingHidden: includingHidden) { _ in
    } send: { listing in
      self.changes.sendUnordered(.changed([.replaced(listing)]))
    }
  }

  /// Reads, sorts and takes over a folder; what changed meanwhile is reported afterwards.
  private func read(
    _ number: UInt32, includingHidden: Bool, counted: (FolderSnapshot) -> Void,
    send: (Listing) -> Void
  ) -> Reason? {
    guard let path = registry.path(of: number) else { return .gone }
    let hiddenBefore = registry.includesHidden(number)
    registry.beginListing(number, includingHidden: includingHidden)
    defer { changes.catchUp(number) }
    switch FolderReader.read(path, includingHidden: includingHidden) {
    case .failure(let reason):
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
