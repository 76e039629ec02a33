import KeyDragCore
import SystemPackage

/// Merges one folder into another of the same name.
///
/// Every entry that only the source has is a step of its own, so that undo reverts only what was
/// done. Folders are identified by path and inode; no descriptor is held between steps.
///
/// Owned by ``DeliveryPlanner``, on its thread. Uses an explicit stack, so that deep trees don't
/// exhaust the thread's.
final class FolderMerge {
  /// A pair of folders being merged, and the position in the source.
  struct Level {
    let source: FilePath
    let sourceIdentity: FileIdentity
    let target: FilePath
    let targetIdentity: FileIdentity
    /// The source's names on entry. Names added later are not moved, and keep the folder from being
    /// removed.
    fileprivate var names: [FileName]
    fileprivate var next = 0
  }

  let item: Int
  let target: FilePath
  /// The source's ancestors and all entered source folders: none of them can be a target of their
  /// own contents.
  private var around: Set<FileIdentity>
  private var levels: [Level] = []
  /// Completed source folders, innermost first.
  private var visited: ArraySlice<Level> = []

  /// - Parameters:
  ///   - around: the source's parent and all its ancestors.
  ///   - target: the target of the whole merge.
  init(item: Int, from around: Set<FileIdentity>, into target: FilePath) {
    self.item = item
    self.around = around
    self.target = target
  }

  /// Enters a pair of folders and reads all names of the source.
  ///
  /// - Throws: if the source can't be read or either can't be changed; no level is added then.
  func enter(_ source: OpenFolder, _ target: OpenFolder, isMove: Bool) throws {
    if let refusal = target.refusesChanges() { throw refusal }
    if isMove, let refusal = source.refusesChanges() { throw refusal.ofTaking }
    around.insert(source.stamp.identity)
    levels.append(
      Level(
        source: source.path, sourceIdentity: source.stamp.identity, target: target.path,
        targetIdentity: target.stamp.identity, names: try FileCalls.names(in: source.raw)))
  }

  /// Whether a folder is an entered source folder or an ancestor of one.
  func isAround(_ folder: FileIdentity) -> Bool { around.contains(folder) }

  /// The next source entry and its pair of folders; `nil` at the end.
  func next() -> (name: FileName, level: Level)? {
    while var level = levels.last {
      guard level.next < level.names.count else {
        // Frees the names: a completed level is kept only for its removal.
        level.names = []
        visited.append(level)
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      return (level.names[level.next], level)
    }
    return nil
  }

  /// The next source folder to remove after a move, innermost first. Call only after ``next()`` has
  /// returned `nil`. It may be nonempty, which the removal finds.
  func nextEmptiedFolder() -> Level? { visited.popFirst() }
}
