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
/// Owned by ``FolderLister``. An actor on a loop of its own, on which looks are made one after the
/// other: a disk that hangs holds up the others here, and nothing else.
actor LostFolders: EventSource {
  private let registry: PlaceRegistry
  private let loop: EventLoop
  /// Its thread begins with the first folder.
  private let isRunning = Atomic(false)
  /// Seen at once, also by what was handed over before.
  private let isClosed = Atomic(false)
  /// Numbers of folders.
  private var lost: Set<UInt32> = []
  /// The folders given that were a mount point when they were first seen.
  private var isMount: [UInt32: Bool] = [:]
  /// `nil` until a folder is lost.
  private var watcher: FolderWatcher?
  /// The table of mounts, open for poll(2) alone: nothing is read from it. -1 until a folder given is
  /// shown, and where the system does not tell of mounts.
  private var mounts: Int32 = -1
  private let hasMounts = Atomic(false)
  /// `nil` until the start.
  private let handlers = Mutex<Handlers?>(nil)

  /// Called on the thread.
  private struct Handlers: Sendable {
    var returned: @Sendable (UInt32) -> Void
    var vanished: @Sendable (Set<UInt32>) -> Void
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// `nil` where the system has no more descriptors: what is lost stays lost.
  init?(registry: PlaceRegistry) {
    guard let loop = EventLoop() else { return nil }
    (self.registry, self.loop) = (registry, loop)
  }

  /// To be called once, before all else.
  ///
  /// - Parameters:
  ///   - returned: called for a folder that is there again.
  ///   - vanished: called for folders that went with a mount that no watch told of.
  nonisolated func start(
    returned: @escaping @Sendable (UInt32) -> Void,
    vanished: @escaping @Sendable (Set<UInt32>) -> Void
  ) {
    handlers.withLock { $0 = Handlers(returned: returned, vanished: vanished) }
  }

  /// Does something on the thread, and returns at once; `false` when it is closed.
  @discardableResult
  private nonisolated func post(
    _ body: @escaping @Sendable (isolated LostFolders) -> Void
  ) -> Bool {
    guard !isClosed.load(ordering: .relaxed) else { return false }
    if !isRunning.exchange(true, ordering: .relaxed), loop.start() { loop.attach(self) }
    return loop.post { self.assumeIsolated { body($0) } }
  }

  /// Notes what a folder given is, when it is shown.
  ///
  /// The first look counts: later ones may be at the empty folder that a stick has left. May block.
  nonisolated func remember(_ number: UInt32) {
    guard registry.isRoot(number), let path = registry.path(of: number) else { return }
    let isMount = Self.isMountPoint(path)
    post { if $0.isMount[number] == nil { $0.isMount[number] = isMount } }
    guard !hasMounts.exchange(true, ordering: .relaxed) else { return }
    // Here, so that no change goes unseen between the listing that follows and the first wait.
    let table = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard table >= 0 else { return hasMounts.store(false, ordering: .relaxed) }
    if !post({ $0.mounts = table }) { Glibc.close(table) }
  }

  /// Looks at once, because it may be there again already. Does nothing when closed, or for one
  /// that is lost.
  nonisolated func add(_ number: UInt32) {
    post { if $0.lost.insert(number).inserted { $0.look(at: number) } }
  }

  /// Nothing is reported afterwards, but what is under way.
  nonisolated func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    loop.detach(self)
    // By the thread that waits for them: nobody else knows when it does not.
    if isRunning.load(ordering: .relaxed) { loop.post { self.assumeIsolated { $0.letGo() } } }
    loop.stop()
  }

  private func letGo() {
    watcher?.close()
    if mounts >= 0 { Glibc.close(mounts) }
    mounts = -1
  }

  /// Looks for a lost folder, and watches where its name would appear next.
  private func look(at number: UInt32) {
    guard !isClosed.load(ordering: .relaxed), lost.contains(number),
      let path = registry.path(of: number)
    else { return }
    watch(number, above: path)
    // After the watch is there, so that nothing comes unseen between the two.
    guard isThere(number, path) else { return }
    watcher?.unwatch(number)
    lost.remove(number)
    guard !isClosed.load(ordering: .relaxed) else { return }
    handlers.withLock { $0 }?.returned(number)
  }

  /// Whether the folder itself is there, and not the empty one under a mount that is gone.
  private func isThere(_ number: UInt32, _ path: FilePath) -> Bool {
    guard case .success(let facts) = FileFacts.look(at: path, following: true),
      facts.kind == .folder
    else { return false }
    return isMount[number] != true || Self.isMountPoint(path)
  }

  /// Watches the nearest folder around a path that is there. Watching under the same number moves
  /// the watch.
  private func watch(_ number: UInt32, above path: FilePath) {
    let watcher =
      watcher
      ?? FolderWatcher(on: loop) { [weak self] changed, gone, overflowed in
        self?.assumeIsolated { me in
          for number in overflowed ? me.lost : gone.union(changed.keys) { me.look(at: number) }
        }
      }
    self.watcher = watcher
    var above = path
    while above.goUp() {
      if watcher.watch(number, at: above) == nil { return }
    }
  }

  // MARK: Mounts

  /// `/proc/self/mountinfo` becomes ready for POLLPRI with each change (proc(5)).
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
