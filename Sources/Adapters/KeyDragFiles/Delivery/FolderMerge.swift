import KeyDragCore
import SystemPackage

/// The walk through two folders of one name of which the second takes what is in the first.
///
/// Each thing that only the first has is a step of its own, so that the journal can take back what
/// was done and leave alone what was there. Folders are known by path and identity: no descriptor
/// is held between two steps, however deep the two trees are.
///
/// Owned by ``DeliveryPlanner``, on its thread. Levels are a stack, so that the depth of the trees
/// takes no stack of the thread.
final class FolderMerge {
  /// Two folders of one name that were entered, and how far the first has been visited.
  struct Level {
    let source: FilePath
    let sourceIdentity: FileIdentity
    let target: FilePath
    let targetIdentity: FileIdentity
    /// All names in the first folder when it was entered: what is added later is not moved, and
    /// keeps the folder from being removed.
    fileprivate var names: [FileName]
    /// Index of the next name to visit.
    fileprivate var next = 0
  }

  /// Index of the folder among what was ordered.
  let item: Int
  /// The folder that takes it all.
  let target: FilePath
  /// The folders around the first one and all of its own that were entered: none of them can take
  /// what comes out of them.
  private var around: Set<FileIdentity>
  private var levels: [Level] = []
  /// Folders whose contents have all been visited, innermost first.
  private var visited: [Level] = []
  /// How many of them ``nextEmptied()`` has given.
  private var nextVisited = 0

  /// - Parameters:
  ///   - around: the folder that holds the first one and all above it.
  ///   - target: the folder that takes it all.
  init(item: Int, from around: Set<FileIdentity>, into target: FilePath) {
    self.item = item
    self.around = around
    self.target = target
  }

  /// Goes into two folders of one name.
  ///
  /// Nothing is noted when this throws. Reads all names of the first folder at once.
  ///
  /// - Throws: when the first can't be read, or either can't be changed.
  func enter(_ source: OpenFolder, _ target: OpenFolder, isMove: Bool) throws {
    if let refusal = target.refusesChanges() { throw refusal }
    if isMove, let refusal = source.refusesChanges() { throw refusal.ofTaking }
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
        // Names are freed: a level that was visited is kept for its removal.
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
  ///
  /// Only after ``next()`` has answered `nil`. Whether it is empty shows when it is removed.
  func nextEmptied() -> Level? {
    guard nextVisited < visited.count else { return nil }
    nextVisited += 1
    return visited[nextVisited - 1]
  }
}
