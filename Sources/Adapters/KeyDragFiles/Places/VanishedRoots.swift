import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// Waits for vanished roots to return.
///
/// Identified by path and by being a mount point: an unplugged stick leaves an empty folder with
/// the same path, which does not count. Watches the nearest existing ancestor for names, and
/// `/proc/self/mountinfo` (proc(5)) for mounts.
///
/// Owned by ``FolderLister``. An actor on an event loop of its own, whose checks run in sequence: a
/// hanging disk blocks the others here, and nothing else.
actor VanishedRoots: EventSource {
  private let registry: PlaceRegistry
  private let loop: EventLoop
  /// The thread starts with the first folder.
  private let isRunning = Atomic(false)
  /// Takes effect at once, also for work already queued.
  private let isClosed = Atomic(false)
  private var lost: Set<UInt32> = []
  /// Whether a root was a mount point when first seen.
  private var isMount: [UInt32: Bool] = [:]
  private var watcher: FolderWatcher?
  /// The mount table, only for poll(2), never read. -1 until a root is shown, and if it can't be
  /// opened.
  private var mounts: Int32 = -1
  private let hasMounts = Atomic(false)
  private let handlers = Mutex<Handlers?>(nil)

  /// Called on the loop's thread.
  private struct Handlers: Sendable {
    var returned: @Sendable (UInt32) -> Void
    var vanished: @Sendable (Set<UInt32>) -> Void
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// `nil` if descriptors are exhausted: lost folders stay lost.
  init?(registry: PlaceRegistry) {
    guard let loop = EventLoop() else { return nil }
    (self.registry, self.loop) = (registry, loop)
  }

  /// Call once, before anything else.
  ///
  /// - Parameters:
  ///   - returned: called for a folder that has returned.
  ///   - vanished: called for folders that disappeared with a mount, which no watch reports.
  nonisolated func start(
    returned: @escaping @Sendable (UInt32) -> Void,
    vanished: @escaping @Sendable (Set<UInt32>) -> Void
  ) {
    handlers.withLock { $0 = Handlers(returned: returned, vanished: vanished) }
  }

  /// Queues work for the thread and returns at once; `false` if closed.
  @discardableResult
  private nonisolated func post(
    _ body: @escaping @Sendable (isolated VanishedRoots) -> Void
  ) -> Bool {
    guard !isClosed.load(ordering: .relaxed) else { return false }
    if !isRunning.exchange(true, ordering: .relaxed), loop.start() { loop.attach(self) }
    return loop.post { self.assumeIsolated { body($0) } }
  }

  /// Records whether a shown root is a mount point. Only the first call counts: later ones may see
  /// the empty folder under an unplugged stick. May block.
  nonisolated func remember(_ number: UInt32) {
    guard registry.isRoot(number), let path = registry.path(of: number) else { return }
    let isMount = Self.isMountPoint(path)
    post { if $0.isMount[number] == nil { $0.isMount[number] = isMount } }
    guard !hasMounts.exchange(true, ordering: .relaxed) else { return }
    // Opened here, so that no change is missed between the following listing and the first poll.
    let table = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard table >= 0 else { return hasMounts.store(false, ordering: .relaxed) }
    if !post({ $0.mounts = table }) { Glibc.close(table) }
  }

  /// Starts waiting for a folder, which may have returned already. No-op if closed or already
  /// waiting for it.
  nonisolated func add(_ number: UInt32) {
    post { if $0.lost.insert(number).inserted { $0.look(at: number) } }
  }

  /// No reports follow, except one in progress.
  nonisolated func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    loop.detach(self)
    // Closed on the thread that polls them, since only that thread knows when it does not.
    if isRunning.load(ordering: .relaxed) { loop.post { self.assumeIsolated { $0.letGo() } } }
    loop.stop()
  }

  private func letGo() {
    watcher?.close()
    if mounts >= 0 { Glibc.close(mounts) }
    mounts = -1
  }

  /// Checks for a lost folder, and watches where its name would appear next.
  private func look(at number: UInt32) {
    guard !isClosed.load(ordering: .relaxed), lost.contains(number),
      let path = registry.path(of: number)
    else { return }
    watch(number, above: path)
    // After the watch is set, so that nothing is missed in between.
    guard isThere(number, path) else { return }
    watcher?.unwatch(number)
    lost.remove(number)
    guard !isClosed.load(ordering: .relaxed) else { return }
    handlers.withLock { $0 }?.returned(number)
  }

  /// `false` for the empty folder under a missing mount.
  private func isThere(_ number: UInt32, _ path: FilePath) -> Bool {
    guard FolderResolver.folder(path) != nil else { return false }
    return isMount[number] != true || Self.isMountPoint(path)
  }

  /// Watches the nearest existing ancestor. Reusing the number moves the watch.
  private func watch(_ number: UInt32, above path: FilePath) {
    let watcher =
      watcher
      ?? FolderWatcher(on: loop) { [weak self] changed, gone, overflowed in
        self?.assumeIsolated { me in
          for number in overflowed ? me.lost : gone.union(changed.keys) { me.look(at: number) }
        }
      }
    self.watcher = watcher
    var (nearest, isSettled) = (path, false)
    while !isSettled {
      var above = path
      while above.goUp(), watcher.watch(number, at: above) != nil {}
      // A nearer one may have come before the watch that would report it.
      isSettled = above == nearest
      nearest = above
    }
  }

  // MARK: Mounts

  /// `/proc/self/mountinfo` signals POLLPRI on each change (proc(5)).
  nonisolated func waits() -> EventWait {
    let mounts = assumeIsolated { $0.mounts }
    guard mounts >= 0 else { return EventWait() }
    return EventWait(descriptors: [pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0)])
  }

  nonisolated func ready(_ descriptors: [pollfd]) {
    assumeIsolated { me in
      if descriptors.contains(where: { $0.fd == me.mounts }) { me.mountsChanged() }
    }
  }

  private func mountsChanged() {
    for number in lost { look(at: number) }
    let gone = isMount.keys.filter { number in
      guard registry.isShown(number), let path = registry.path(of: number) else { return false }
      return !isThere(number, path)
    }
    guard !gone.isEmpty, !isClosed.load(ordering: .relaxed) else { return }
    handlers.withLock { $0 }?.vanished(Set(gone))
  }

  /// Whether it is on another file system than its parent. Misses bind mounts of the same file
  /// system. `false` if either can't be read.
  private static func isMountPoint(_ path: FilePath) -> Bool {
    guard let own = FileCalls.identity(behind: path),
      let outer = FileCalls.identity(behind: path.appending(".."))
    else { return false }
    return own.device != outer.device
  }
}
