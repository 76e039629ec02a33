import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// The kernel's watches on folders, read by a loop, which sleeps until something happens.
///
/// inotify(7), which tells of local changes only: what another machine does on a server is not
/// seen. A loop of its own is made with the first watch. The loop keeps the watcher until that is
/// closed. Safe from any thread.
final class FolderWatcher: EventSource {
  /// Called on the loop's thread, once for everything the kernel had queued, by folder number.
  typealias Handler =
    @Sendable (_ changed: [UInt32: Set<[UInt8]>], _ gone: Set<UInt32>, _ overflowed: Bool) -> Void

  /// Everything behind the lock.
  private struct Watches {
    /// The inotify instance; -1 until the first watch.
    var descriptor: Int32 = -1
    /// `nil` before the first watch, but for one that was given, and after the end.
    var loop: EventLoop?
    var isClosed = false
    /// The same folder reached by two paths has one watch.
    var folders: [Int32: Set<UInt32>] = [:]
    /// By folder number.
    var watches: [UInt32: Int32] = [:]
  }

  private let state: Mutex<Watches>
  private let handler: Handler
  /// Whether the loop ends with the watches.
  private let ownsLoop: Bool

  /// - Parameter loop: one that runs; a loop of its own where none is given.
  init(on loop: EventLoop? = nil, handler: @escaping Handler) {
    (self.handler, ownsLoop) = (handler, loop == nil)
    state = Mutex(Watches(loop: loop))
  }

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
      guard watch >= 0 else { return Reason(Errno(rawValue: errno), .look) }
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

  /// Ends the watch: the handler is not called any more, but for a call that is under way.
  ///
  /// Returns at once, on any thread. Harmless when called again.
  func close() {
    let (loop, descriptor) = state.withLock { state in
      state.isClosed = true
      defer { state.loop = nil }
      return (state.loop, state.descriptor)
    }
    guard let loop, descriptor >= 0 else { return }
    loop.detach(self)
    // By the thread that waits for it: nobody else knows when it does not. A loop that has been
    // stopped waits no more.
    if !loop.post({ Glibc.close(descriptor) }) { Glibc.close(descriptor) }
    if ownsLoop { loop.stop() }
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
    if state.loop == nil, let own = EventLoop(), own.start() { state.loop = own }
    guard let loop = state.loop else {
      Glibc.close(descriptor)
      return false
    }
    state.descriptor = descriptor
    loop.attach(self)
    return true
  }

  /// Without a deadline: idle costs nothing.
  package func waits() -> EventWait {
    let descriptor = state.withLock { $0.descriptor }
    return EventWait(descriptors: [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)])
  }

  package func ready(_ descriptors: [pollfd]) {
    let descriptor = state.withLock { $0.isClosed ? -1 : $0.descriptor }
    guard descriptors.contains(where: { $0.fd == descriptor }) else { return }
    report(drain(descriptor))
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
