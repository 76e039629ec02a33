import KeyDragCore
import SystemPackage

/// The walk through two folders of one name of which the second takes what is in the first.
///
/// Each thing that only the first has is a step of its own, so that the journal can take back what was
/// done and leave alone what was there. Folders are known by path and identity: no descriptor is held
/// between two steps, however deep the two trees are.
final class FolderMerge {
  struct Level {
    let source: FilePath
    let sourceIdentity: FileIdentity
    let target: FilePath
    let targetIdentity: FileIdentity
    fileprivate var names: [FileName]
    fileprivate var next = 0
  }

  /// Index of the folder among what was ordered.
  let item: Int
  /// The folder that takes it all.
  let target: FilePath
  /// The folders around the first one and all of its own that were entered: none of them can take what
  /// comes out of them.
  private var around: Set<FileIdentity>
  private var levels: [Level] = []
  /// Folders whose contents have all been visited, innermost first.
  private var visited: [Level] = []
  private var nextVisited = 0

  init(item: Int, from around: Set<FileIdentity>, into target: FilePath) {
    self.item = item
    self.around = around
    self.target = target
  }

  /// Goes into two folders of one name.
  ///
  /// - Throws: when the first can't be read, or either can't be changed.
  func enter(_ source: OpenFolder, _ target: OpenFolder, isMove: Bool) throws {
    if let refusal = target.refusesChanges() { throw refusal }
    if isMove, source.refusesChanges() != nil { throw Reason.notRemovable }
    around.insert(source.stamp.identity)
    levels.append(
      Level(
        source: source.path, sourceIdentity: source.stamp.identity, target: target.path,
        targetIdentity: target.stamp.identity, names: try FileCalls.names(in: source.raw)))
  }

  /// Whether a folder is, or is around, what is being emptied.
  func isAround(_ folder: FileIdentity) -> Bool { around.contains(folder) }

  /// The next thing in the first folder and the two folders around it; `nil` when all were visited.
  func next() -> (name: FileName, level: Level)? {
    while var level = levels.last {
      guard level.next < level.names.count else {
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

  /// The next folder that a move has emptied, unless something stayed in it; innermost first.
  func nextEmptied() -> Level? {
    guard nextVisited < visited.count else { return nil }
    nextVisited += 1
    return visited[nextVisited - 1]
  }
}
