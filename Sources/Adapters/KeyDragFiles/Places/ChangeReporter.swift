import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Turns what the kernel saw into changes of the registry, reported in the order they took effect.
final class ChangeReporter: Sendable {
  typealias Observer = @Sendable (WorldReport) -> Void

  private struct Wiring {
    var observer: Observer?
    weak var watcher: FolderWatcher?
    var relist: (@Sendable (UInt32) -> Void)?
    /// Called for each of the folders given that has vanished.
    var lost: (@Sendable (UInt32) -> Void)?
  }

  private let registry: PlaceRegistry
  private let wiring = Mutex(Wiring())
  /// Held while a change takes effect and is reported, so that reports keep that order.
  private let order = Mutex(())

  init(registry: PlaceRegistry) { self.registry = registry }

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

  func inOrder(_ body: () -> Void) { order.withLock { _ in body() } }

  func send(_ report: WorldReport) { inOrder { sendUnordered(report) } }

  /// For reports made inside ``inOrder(_:)``.
  func sendUnordered(_ report: WorldReport) { wiring.withLock { $0.observer }?(report) }

  func report(_ changed: [UInt32: Set<[UInt8]>], gone: Set<UInt32>, overflowed: Bool) {
    vanish(gone)
    let relist = wiring.withLock { $0.relist }
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

  /// Reports what changed while a listing was made.
  func catchUp(_ number: UInt32) {
    while true {
      let names = registry.endListing(number)
      if names.isEmpty { return }
      look(number, at: names, isListing: true)
    }
  }

  func vanish(_ folders: Set<UInt32>) {
    let watcher = wiring.withLock { $0.watcher }
    for number in folders.sorted() {
      watcher?.unwatch(number)
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

  private static let mostSingleChanges = 256
}

/// Opens a folder only to look names up in it, which needs no permission to read it.
let folderLookup: Int32 = 0o10000000 | O_DIRECTORY | O_CLOEXEC
