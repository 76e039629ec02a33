import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// Follows those of the folders given that have vanished, until they are there again.
///
/// A folder is known by its path and by whether something is mounted on it: a stick that was pulled
/// leaves an empty folder of the same path, which is not it. The kernel tells of names through the
/// nearest folder that is there, and of mounts through `/proc/self/mountinfo` (proc(5)).
///
/// Owned by ``FolderLister``. Looks are made on one queue, one after the other: a disk that hangs
/// holds up the others here, and nothing else.
final class LostFolders: Sendable {
  private struct Losses {
    /// Numbers of folders.
    var lost: Set<UInt32> = []
    /// The folders given that were a mount point when they were first seen.
    var isMount: [UInt32: Bool] = [:]
    var isClosed = false
  }

  private let registry: PlaceRegistry
  private let state = Mutex(Losses())
  private let queue = DispatchQueue(label: "keydrag.lost")
  /// `nil` until a folder is lost.
  private let watcher = Mutex<FolderWatcher?>(nil)
  /// `nil` until a folder given is shown, and where the system does not tell of mounts.
  private let mounts = Mutex<MountWatch?>(nil)
  /// `nil` until the start.
  private let handlers = Mutex<Handlers?>(nil)

  /// Called on the queue.
  private struct Handlers: Sendable {
    var returned: @Sendable (UInt32) -> Void
    var vanished: @Sendable (Set<UInt32>) -> Void
  }

  init(registry: PlaceRegistry) { self.registry = registry }

  /// To be called once, before all else.
  ///
  /// - Parameters:
  ///   - returned: called for a folder that is there again.
  ///   - vanished: called for folders that went with a mount that no watch told of.
  func start(
    returned: @escaping @Sendable (UInt32) -> Void,
    vanished: @escaping @Sendable (Set<UInt32>) -> Void
  ) {
    handlers.withLock { $0 = Handlers(returned: returned, vanished: vanished) }
  }

  /// Notes what a folder given is, when it is shown.
  ///
  /// The first look counts: later ones may be at the empty folder that a stick has left. May block.
  func remember(_ number: UInt32) {
    guard registry.isRoot(number), let path = registry.path(of: number) else { return }
    let isMount = Self.isMountPoint(path)
    state.withLock { if $0.isMount[number] == nil { $0.isMount[number] = isMount } }
    mounts.withLock { mounts in
      if mounts == nil { mounts = MountWatch { [weak self] in self?.mountsChanged() } }
    }
  }

  /// Looks at once, because it may be there again already. Does nothing when closed, or for one
  /// that is lost.
  func add(_ number: UInt32) {
    let isNew = state.withLock { state in
      guard !state.isClosed else { return false }
      return state.lost.insert(number).inserted
    }
    if isNew { look(at: number) }
  }

  /// Nothing is reported afterwards, but what is under way.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.lost = []
    }
    mounts.withLock { $0.take() }?.close()
    watcher.withLock { $0.take() }?.close()
  }

  /// Looks for a lost folder, and watches where its name would appear next.
  ///
  /// Returns at once.
  private func look(at number: UInt32) {
    queue.async { [self] in
      guard state.withLock({ $0.lost.contains(number) }), let path = registry.path(of: number)
      else { return }
      watch(number, above: path)
      // After the watch is there, so that nothing comes unseen between the two.
      guard isThere(number, path) else { return }
      watcher.withLock { $0 }?.unwatch(number)
      guard state.withLock({ $0.lost.remove(number) }) != nil else { return }
      handlers.withLock { $0 }?.returned(number)
    }
  }

  /// Whether the folder itself is there, and not the empty one under a mount that is gone.
  private func isThere(_ number: UInt32, _ path: FilePath) -> Bool {
    guard case .success(let facts) = FileFacts.look(at: path, following: true),
      facts.kind == .folder
    else { return false }
    let wasMount = state.withLock { $0.isMount[number] } ?? false
    return !wasMount || Self.isMountPoint(path)
  }

  /// Watches the nearest folder around a path that is there. Watching under the same number moves
  /// the watch.
  private func watch(_ number: UInt32, above path: FilePath) {
    let watcher = watcher.withLock { watcher -> FolderWatcher in
      if let watcher { return watcher }
      let made = FolderWatcher { [weak self] changed, gone, overflowed in
        guard let self else { return }
        let all = overflowed ? state.withLock { $0.lost } : gone.union(changed.keys)
        for number in all { look(at: number) }
      }
      watcher = made
      return made
    }
    var above = path
    while above.goUp() {
      if watcher.watch(number, at: above) == nil { return }
    }
  }

  /// Called on the thread of the mounts.
  private func mountsChanged() {
    for number in state.withLock({ $0.lost }) { look(at: number) }
    queue.async { [self] in
      let gone = state.withLock { $0.isMount.keys }.filter { number in
        guard registry.isShown(number), let path = registry.path(of: number) else { return false }
        return !isThere(number, path)
      }
      if !gone.isEmpty { handlers.withLock { $0 }?.vanished(Set(gone)) }
    }
  }

  /// Whether it lies on another file system than the folder around it.
  ///
  /// A bind mount of the same file system is not noticed. `false` where either can't be looked at.
  private static func isMountPoint(_ path: FilePath) -> Bool {
    guard case .success(let own) = FileFacts.look(at: path, following: true),
      case .success(let outer) = FileFacts.look(at: path.appending(".."), following: true)
    else { return false }
    return own.identity.device != outer.identity.device
  }
}

/// Calls back whenever something is mounted or unmounted.
///
/// `/proc/self/mountinfo` becomes ready for POLLPRI with each change (proc(5)). Ends with
/// ``close()`` only.
private final class MountWatch: EventSource {
  /// Open for poll(2) alone: nothing is read from it.
  private let table: Int32
  private let loop: EventLoop
  private let changed: @Sendable () -> Void

  /// `nil` where the system does not tell of mounts.
  init?(_ changed: @escaping @Sendable () -> Void) {
    let table = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard table >= 0 else { return nil }
    guard let loop = EventLoop(), loop.start() else {
      Glibc.close(table)
      return nil
    }
    (self.table, self.loop, self.changed) = (table, loop, changed)
    loop.attach(self)
  }

  package func waits() -> EventWait {
    EventWait(descriptors: [pollfd(fd: table, events: Int16(POLLPRI), revents: 0)])
  }

  package func ready(_ descriptors: [pollfd]) {
    if descriptors.contains(where: { $0.fd == table }) { changed() }
  }

  /// Ends the watch; returns at once. To be called once.
  func close() {
    loop.detach(self)
    // By the thread that waits for it: nobody else knows when it does not.
    loop.post { [table] in Glibc.close(table) }
    loop.stop()
  }
}
