import CLinux
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Applies file system events to the registry and reports the changes in the order they took
/// effect.
///
/// Owned by ``FolderLister``. Runs on the watcher's thread and on folder queues; locks ``order``
/// before ``wiring``, never the other way round.
final class ChangeReporter: Sendable {
  /// Called on any of these threads, serially.
  typealias Observer = @Sendable (WorldReport) -> Void

  private struct Wiring {
    /// `nil` until set; reports are dropped then.
    var observer: Observer?
    /// Weak, because the watcher's handler retains the reporter.
    weak var watcher: FolderWatcher?
    var relist: (@Sendable (UInt32) -> Void)?
    var lost: (@Sendable (UInt32) -> Void)?
  }

  private let registry: PlaceRegistry
  private let wiring = Mutex(Wiring())
  /// Held while a change is applied and reported, which keeps reports in order.
  private let order = Mutex(())

  init(registry: PlaceRegistry) { self.registry = registry }

  /// Replaces any previous observer.
  func observe(_ observer: @escaping Observer) { wiring.withLock { $0.observer = observer } }

  func use(
    watcher: FolderWatcher, relist: @escaping @Sendable (UInt32) -> Void,
    lost: @escaping @Sendable (UInt32) -> Void
  ) {
    wiring.withLock {
      $0.watcher = watcher
      $0.relist = relist
      $0.lost = lost
    }
  }

  /// `body` must use ``sendUnordered(_:)``: the lock is not recursive.
  func inOrder(_ body: () -> Void) { order.withLock { _ in body() } }

  func send(_ report: WorldReport) { inOrder { sendUnordered(report) } }

  func sendUnordered(_ report: WorldReport) { wiring.withLock { $0.observer }?(report) }

  /// Handles one drain of the kernel's queue, by folder number. Blocks while names are read.
  func report(_ changed: [UInt32: Set<[UInt8]>], gone: Set<UInt32>, overflowed: Bool) {
    vanish(gone)
    let relist = wiring.withLock { $0.relist }
    // Lost events may concern any watched folder.
    if overflowed {
      for number in registry.shown { relist?(number) }
      return
    }
    for (number, names) in changed where !gone.contains(number) {
      // Above this number, one listing is cheaper, for us and for observers.
      if names.count > Self.mostSingleChanges {
        relist?(number)
      } else {
        look(number, at: names, isListing: false)
      }
    }
  }

  /// Reports changes that came during a listing, repeating until none are left.
  func catchUp(_ number: UInt32) {
    while true {
      let names = registry.endListing(number)
      if names.isEmpty { return }
      look(number, at: names, isListing: true)
    }
  }

  /// Ends the watches of vanished folders and reports each shown one once.
  func vanish(_ folders: Set<UInt32>) {
    let watcher = wiring.withLock { $0.watcher }
    for number in folders.sorted() {
      watcher?.unwatch(number)
      // Several threads may find it gone: the first one reports it.
      let wasShown = order.withLock { _ in
        guard registry.removeAllViews(number) else { return false }
        sendUnordered(.changed([.containerVanished(ContainerID(number, of: .files))]))
        return true
      }
      if wasShown, registry.isRoot(number) { wiring.withLock { $0.lost }?(number) }
    }
  }

  /// Reads the current state, so that intermediate events don't matter.
  private func look(_ number: UInt32, at names: Set<[UInt8]>, isListing: Bool) {
    guard let path = registry.path(of: number) else { return }
    // A vanished folder is reported as a whole; other failures tell nothing.
    guard let folder = try? FileCalls.open(path, flags: clinux_open_path_only | O_DIRECTORY)
    else { return }
    var seen: [[UInt8]: ItemKind?] = [:]
    for name in names {
      switch FolderReader.kind(of: name.map { CChar(bitPattern: $0) } + [0], in: folder.raw) {
      case .success(let kind): seen.updateValue(kind, forKey: name)
      case .failure(.gone): seen.updateValue(nil, forKey: name)
      case .failure: break
      }
    }
    inOrder {
      let changes = registry.apply(seen, to: number, isListing: isListing)
      if !changes.isEmpty { sendUnordered(.changed(changes)) }
    }
  }

  /// Names per folder; above this, the whole folder is listed.
  private static let mostSingleChanges = 256
}
