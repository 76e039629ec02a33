import KeyDragCore
import Synchronization
import SystemPackage

/// Reports carried files that are removed, renamed or moved away, by watching their folders. Owned
/// by ``FilePayload``.
final class FileTracker: Sendable {
  private struct Followed {
    var files: [UInt32: [[UInt8]: (item: DragItem, path: FilePath)]] = [:]
    var gone: (@Sendable ([DragItem]) -> Void)?
    /// Watch ids are never reused.
    var lastFolder: UInt32 = 0
    var watcher: FolderWatcher?
  }

  private let state = Mutex(Followed())
  /// Limit on watched folders; files beyond it are only checked at the drop.
  private static let mostFolders = 64

  deinit { state.withLock { $0.watcher }?.close() }

  /// Replaces the followed files; an empty list stops following. Files in folders that can't be
  /// watched are ignored. May block.
  ///
  /// - Parameter gone: called on any thread.
  func follow(
    _ files: [(item: DragItem, path: FilePath)], _ gone: @escaping @Sendable ([DragItem]) -> Void
  ) {
    state.withLock { state in
      for folder in state.files.keys { state.watcher?.unwatch(folder) }
      (state.files, state.gone) = ([:], gone)
      guard !files.isEmpty else { return }
      let watcher =
        state.watcher
        ?? FolderWatcher { [weak self] changed, gone, overflowed in
          self?.look(changed, gone, isAll: overflowed)
        }
      state.watcher = watcher
      let byFolder = Dictionary(grouping: files) { $0.path.folder }
      for (path, files) in byFolder.prefix(Self.mostFolders) {
        // A new id, so that late events can't match it.
        state.lastFolder &+= 1
        guard watcher.watch(state.lastFolder, at: path) == nil else { continue }
        state.files[state.lastFolder] = Dictionary(
          files.compactMap { file in file.path.lastComponent.map { ($0.bytes, file) } },
          uniquingKeysWith: { first, _ in first })
      }
    }
  }

  /// Checks each file itself: a removed name may have reappeared.
  private func look(
    _ changed: [UInt32: Set<[UInt8]>], _ gone: Set<UInt32>, isAll: Bool
  ) {
    let (files, tell) = state.withLock { state in
      let all = state.files.flatMap { folder, files in
        files.filter { name, _ in
          isAll || gone.contains(folder) || changed[folder]?.contains(name) == true
        }.values
      }
      return (all, state.gone)
    }
    let missing = files.filter { (try? FileCalls.status($0.path)) == nil }.map(\.item)
    if !missing.isEmpty { tell?(missing) }
  }
}
