import KeyDragCore
import Synchronization
import SystemPackage

/// Tells when files that are carried are gone: removed, renamed or moved away by anybody.
///
/// By watches on their folders; owned by ``FilePayload``.
final class FollowedFiles: Sendable {
  private struct Followed {
    /// By the folder's number here and the file's name.
    var files: [UInt32: [[UInt8]: (item: DragItem, path: FilePath)]] = [:]
    /// `nil` until something is followed.
    var gone: (@Sendable ([DragItem]) -> Void)?
    /// Numbers are not used again.
    var lastFolder: UInt32 = 0
    /// Made once, with the first files.
    var watcher: FolderWatcher?
  }

  private let state = Mutex(Followed())
  /// Of what lies in more folders than this some is missed only at the drop.
  private static let mostFolders = 64

  deinit { state.withLock { $0.watcher }?.close() }

  /// Follows these in the place of those before.
  ///
  /// An empty list ends it. Files in folders that can't be watched are not followed. May block.
  ///
  /// - Parameter gone: called from any thread.
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
        // A number that no late word is about.
        state.lastFolder &+= 1
        guard watcher.watch(state.lastFolder, at: path) == nil else { continue }
        state.files[state.lastFolder] = Dictionary(
          files.compactMap { file in file.path.lastComponent.map { ($0.bytes, file) } },
          uniquingKeysWith: { first, _ in first })
      }
    }
  }

  /// Looks at each file itself: a name that went may have come again.
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
