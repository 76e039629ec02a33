import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Turns what the kernel saw into changes of the registry, reported in the order they took effect.
///
/// Owned by ``FolderLister``. Works on the watcher's thread and on the queues of folders; two locks
/// are never taken in the other order than ``order``, then ``wiring``.
final class ChangeReporter: Sendable {
  /// Called on any of these threads, one call at a time.
  typealias Observer = @Sendable (WorldReport) -> Void

  /// The ends of the wires, which are made one after the other.
  private struct Wiring {
    /// `nil` until somebody listens: reports are dropped then.
    var observer: Observer?
    /// Weak, because the watcher's handler keeps the reporter.
    weak var watcher: FolderWatcher?
    /// Reads a folder again as a whole.
    var relist: (@Sendable (UInt32) -> Void)?
    /// Called for each of the folders given that has vanished.
    var lost: (@Sendable (UInt32) -> Void)?
  }

  private let registry: PlaceRegistry
  private let wiring = Mutex(Wiring())
  /// Held while a change takes effect and is reported, so that reports keep that order.
  private let order = Mutex(())

  init(registry: PlaceRegistry) { self.registry = registry }

  /// Replaces an observer that was set before.
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

  /// Requests of `body` have to go by ``sendUnordered(_:)``: the lock is not recursive.
  func inOrder(_ body: () -> Void) { order.withLock { _ in body() } }

  func send(_ report: WorldReport) { inOrder { sendUnordered(report) } }

  /// For reports made inside ``inOrder(_:)``.
  func sendUnordered(_ report: WorldReport) { wiring.withLock { $0.observer }?(report) }

  /// Takes what one drain of the kernel's queue has told, by numbers of folders. Blocks for the
  /// looks at the names.
  func report(_ changed: [UInt32: Set<[UInt8]>], gone: Set<UInt32>, overflowed: Bool) {
    vanish(gone)
    let relist = wiring.withLock { $0.relist }
    // Lost events can be of any folder that is watched.
    if overflowed {
      for number in registry.shown { relist?(number) }
      return
    }
    for (number, names) in changed where !gone.contains(number) {
      // One listing costs less than this many single changes, for us and for who follows them.
      if names.count > Self.mostSingleChanges {
        relist?(number)
      } else {
        look(number, at: names, isListing: false)
      }
    }
  }

  /// Reports what changed while a listing was made. More may change while that is looked at, so it
  /// goes on until nothing waits.
  func catchUp(_ number: UInt32) {
    while true {
      let names = registry.endListing(number)
      if names.isEmpty { return }
      look(number, at: names, isListing: true)
    }
  }

  /// Forgets the watches of folders that are gone and reports each that was shown, once.
  func vanish(_ folders: Set<UInt32>) {
    let watcher = wiring.withLock { $0.watcher }
    for number in folders.sorted() {
      watcher?.unwatch(number)
      // Several threads may find the same folder gone: the first one reports it.
      let wasShown = order.withLock { _ in
        guard registry.hideWholly(number) else { return false }
        sendUnordered(.changed([.containerVanished(ContainerID(number, of: .files))]))
        return true
      }
      if wasShown, registry.isRoot(number) { wiring.withLock { $0.lost }?(number) }
    }
  }

  /// Asks the file system what is true now, so that it does not matter what happened in between.
  private func look(_ number: UInt32, at names: Set<[UInt8]>, isListing: Bool) {
    guard let path = registry.path(of: number) else { return }
    let folder = path.withPlatformString { open($0, folderLookup) }
    // A folder that is gone is reported as a whole; of any other failure nothing is known.
    guard folder >= 0 else { return }
    defer { close(folder) }
    var seen: [[UInt8]: ItemKind?] = [:]
    for name in names {
      switch FolderReader.kind(of: name.map { CChar(bitPattern: $0) } + [0], in: folder) {
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

  /// Names a folder; more are read as one listing.
  private static let mostSingleChanges = 256
}

/// Opens a folder only to look names up in it, which needs no permission to read it.
///
/// Its number is O_PATH, which Swift's Glibc module does not show.
let folderLookup: Int32 = 0o10000000 | O_DIRECTORY | O_CLOEXEC
