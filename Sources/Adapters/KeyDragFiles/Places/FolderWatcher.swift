import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// Watches folders with inotify(7), which reports local changes only, not those made on a server by
/// other machines.
///
/// Runs on an event loop, by default its own, created with the first watch. The loop retains the
/// watcher until ``close()``. Thread-safe.
final class FolderWatcher: EventSource {
  /// Called on the loop's thread, once per drain of the kernel's queue, by folder number.
  typealias Handler =
    @Sendable (_ changed: [UInt32: Set<[UInt8]>], _ gone: Set<UInt32>, _ overflowed: Bool) -> Void

  private struct Watches {
    /// The inotify instance; -1 until the first watch.
    var descriptor: Int32 = -1
    /// `nil` before the first watch unless given, and after ``close()``.
    var loop: EventLoop?
    var isClosed = false
    /// Folder numbers by watch: several paths to one folder share a watch.
    var folders: [Int32: Set<UInt32>] = [:]
    var watches: [UInt32: Int32] = [:]
  }

  private let state: Mutex<Watches>
  private let handler: Handler
  /// Whether closing also stops the loop.
  private let ownsLoop: Bool

  /// - Parameter loop: a running loop; `nil` creates one.
  init(on loop: EventLoop? = nil, handler: @escaping Handler) {
    (self.handler, ownsLoop) = (handler, loop == nil)
    state = Mutex(Watches(loop: loop))
  }

  /// Watches a path under a folder number, replacing its previous path; returns the reason on
  /// failure. May block.
  ///
  /// `.noSpace` means that the user's watches are exhausted (`fs.inotify.max_user_watches`).
  func watch(_ folder: UInt32, at path: FilePath) -> Reason? {
    state.withLock { state in
      guard !state.isClosed, state.descriptor >= 0 || start(&state) else { return .unknown }
      // Names and kinds only, not contents.
      let mask =
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        | IN_ONLYDIR
      let watch = path.withPlatformString {
        inotify_add_watch(state.descriptor, $0, UInt32(mask))
      }
      guard watch >= 0 else { return Reason(Errno(rawValue: errno), .look) }
      if let old = state.watches[folder], old != watch { remove(folder, old, &state) }
      state.watches[folder] = watch
      state.folders[watch, default: []].insert(folder)
      return nil
    }
  }

  func unwatch(_ folder: UInt32) {
    state.withLock { state in
      guard let watch = state.watches.removeValue(forKey: folder) else { return }
      remove(folder, watch, &state)
    }
  }

  /// Ends all watches. The handler is not called again, except for a call in progress. Returns at
  /// once, on any thread; idempotent.
  func close() {
    let (loop, descriptor) = state.withLock { state in
      state.isClosed = true
      defer { state.loop = nil }
      return (state.loop, state.descriptor)
    }
    guard let loop, descriptor >= 0 else { return }
    loop.detach(self)
    // Closed on the thread that polls it, since only that thread knows when it does not. A stopped
    // loop no longer polls.
    if !loop.post({ Glibc.close(descriptor) }) { Glibc.close(descriptor) }
    if ownsLoop { loop.stop() }
  }

  /// The kernel queues IN_IGNORED, which is read later.
  private func remove(_ folder: UInt32, _ watch: Int32, _ state: inout Watches) {
    state.folders[watch]?.remove(folder)
    guard state.folders[watch]?.isEmpty == true else { return }
    state.folders[watch] = nil
    inotify_rm_watch(state.descriptor, watch)
  }

  /// `false` if descriptors or threads are exhausted; the next watch retries.
  private func start(_ state: inout Watches) -> Bool {
    let descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else { return false }
    if state.loop == nil, let own = EventLoop(), own.start() { state.loop = own }
    guard let loop = state.loop else {
      Glibc.close(descriptor)
      return false
    }
    state.descriptor = descriptor
    loop.attach(self)
    return true
  }

  /// No timeout: idle costs nothing.
  package func waits() -> EventWait {
    let descriptor = state.withLock { $0.descriptor }
    return EventWait(descriptors: [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)])
  }

  package func ready(_ descriptors: [pollfd]) {
    let descriptor = state.withLock { $0.isClosed ? -1 : $0.descriptor }
    guard descriptors.contains(where: { $0.fd == descriptor }) else { return }
    report(drain(descriptor))
  }

  /// Reads all queued events up to a limit, so that a busy folder is reported in batches. Ends with
  /// EAGAIN, since the descriptor is nonblocking.
  private func drain(_ descriptor: Int32) -> WatchEvents {
    var events = WatchEvents()
    // 64 KiB: room for at least 240 events with the longest names.
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while events.count < Self.largestDrain {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        events.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
    return events
  }

  /// Maps watches to folders under the lock, and calls the handler outside.
  private func report(_ events: WatchEvents) {
    var changed: [UInt32: Set<[UInt8]>] = [:]
    var gone: Set<UInt32> = []
    state.withLock { state in
      for (watch, names) in events.names {
        for folder in state.folders[watch] ?? [] { changed[folder, default: []].formUnion(names) }
      }
      for watch in events.gone { gone.formUnion(state.folders[watch] ?? []) }
      for watch in events.ended {
        for folder in state.folders.removeValue(forKey: watch) ?? [] {
          if state.watches[folder] == watch { state.watches[folder] = nil }
        }
      }
    }
    guard !changed.isEmpty || !gone.isEmpty || events.overflowed else { return }
    handler(changed, gone, events.overflowed)
  }

  private static let largestDrain = 16_384
}
