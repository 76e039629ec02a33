import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// The kernel's watches on folders, read by one thread that sleeps until something happens.
///
/// inotify(7), which tells of local changes only: what another machine does on a server is not
/// seen. The thread is made with the first watch. Safe from any thread.
final class FolderWatcher: Sendable {
  /// Called on the watching thread, once for everything the kernel had queued, by folder number.
  typealias Handler =
    @Sendable (_ changed: [UInt32: Set<[UInt8]>], _ gone: Set<UInt32>, _ overflowed: Bool) -> Void

  /// Everything behind the lock.
  private struct Watches {
    /// The inotify instance; -1 until the first watch.
    var descriptor: Int32 = -1
    /// Shutting this end of a pair down ends the thread's sleep, which waits on the other.
    var wake: Int32 = -1
    var sleep: Int32 = -1
    var isClosed = false
    /// `nil` before the first watch and after the end.
    var thread: pthread_t?
    /// The same folder reached by two paths has one watch.
    var folders: [Int32: Set<UInt32>] = [:]
    /// By folder number.
    var watches: [UInt32: Int32] = [:]
  }

  private let state = Mutex(Watches())
  private let handler: Handler

  init(handler: @escaping Handler) { self.handler = handler }

  /// Watches a folder under this number; the reason when the kernel can't.
  ///
  /// A folder that was watched at another path changes to this one. May block like any look at the
  /// path. Fails with `.noSpace` where the person has no watches left
  /// (`fs.inotify.max_user_watches`).
  func watch(_ folder: UInt32, at path: FilePath) -> Reason? {
    state.withLock { state in
      guard !state.isClosed, state.descriptor >= 0 || start(&state) else { return .unknown }
      // Contents are not watched: only names and kinds are shown.
      let mask =
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        | IN_ONLYDIR
      let watch = path.withPlatformString {
        inotify_add_watch(state.descriptor, $0, UInt32(mask))
      }
      guard watch >= 0 else { return PlaceError.reason(errno) }
      if let old = state.watches[folder], old != watch { remove(folder, old, &state) }
      state.watches[folder] = watch
      state.folders[watch, default: []].insert(folder)
      return nil
    }
  }

  /// Does nothing for a folder that is not watched.
  func unwatch(_ folder: UInt32) {
    state.withLock { state in
      guard let watch = state.watches.removeValue(forKey: folder) else { return }
      remove(folder, watch, &state)
    }
  }

  /// Ends the thread and returns when it has ended; called on that thread, as the handler is, it
  /// returns at once. Harmless when called again.
  func close() {
    let thread = state.withLock { state -> pthread_t? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      if state.wake >= 0 { shutdown(state.wake, Int32(SHUT_WR)) }
      return state.thread
    }
    guard let thread else { return }
    // The last owner may let go while the handler runs.
    guard pthread_equal(thread, pthread_self()) == 0 else {
      pthread_detach(thread)
      return
    }
    // Outside the lock, which the thread needs to end.
    pthread_join(thread, nil)
    state.withLock { $0.thread = nil }
  }

  /// The kernel answers with IN_IGNORED, which is read later.
  private func remove(_ folder: UInt32, _ watch: Int32, _ state: inout Watches) {
    state.folders[watch]?.remove(folder)
    guard state.folders[watch]?.isEmpty == true else { return }
    state.folders[watch] = nil
    inotify_rm_watch(state.descriptor, watch)
  }

  /// `false` where there are no descriptors or threads left; the next watch tries again.
  private func start(_ state: inout Watches) -> Bool {
    let descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else { return false }
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      Glibc.close(descriptor)
      return false
    }
    state.descriptor = descriptor
    (state.wake, state.sleep) = (pair[0], pair[1])
    var thread = pthread_t()
    // Kept by the thread until it ends: a watcher that is not closed never goes.
    let box = Unmanaged.passRetained(self)
    guard pthread_create(&thread, nil, runFolderWatcher, box.toOpaque()) == 0 else {
      box.release()
      for descriptor in [descriptor] + pair { Glibc.close(descriptor) }
      state.descriptor = -1
      return false
    }
    state.thread = thread
    return true
  }

  /// Sleeps until the kernel has events or the watcher is closed.
  fileprivate func run() {
    let (descriptor, wake) = state.withLock { ($0.descriptor, $0.sleep) }
    // By the thread that waits on them: nobody else knows when it has ended.
    defer {
      state.withLock { state in
        for descriptor in [state.descriptor, state.wake, state.sleep] { Glibc.close(descriptor) }
        (state.descriptor, state.wake, state.sleep) = (-1, -1, -1)
      }
    }
    var waiting = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
    ]
    // -1: without end. Idle costs nothing.
    while true {
      let ready = poll(&waiting, 2, -1)
      if ready < 0, errno != EINTR { return }
      if waiting[1].revents != 0 { return }
      guard ready > 0 else { continue }
      report(drain(descriptor))
    }
  }

  /// Everything that is queued, up to a bound so that a busy folder is reported in parts.
  ///
  /// A read of an empty queue fails with EAGAIN, because the descriptor does not block.
  private func drain(_ descriptor: Int32) -> WatchEvents {
    var events = WatchEvents()
    // 64 KiB: room for at least 240 events of the longest names.
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while events.count < Self.largestDrain {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        events.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
    return events
  }

  /// Turns watches into folders under the lock, and calls the handler outside.
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

  /// Names in one report.
  private static let largestDrain = 16_384
}

/// The function of the thread: the box owns the watcher until here.
private func runFolderWatcher(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let box else { return nil }
  Unmanaged<FolderWatcher>.fromOpaque(box).takeRetainedValue().run()
  return nil
}
