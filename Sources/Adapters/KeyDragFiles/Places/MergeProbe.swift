import Glibc
import KeyDragCore
import KeyDragThreads
import SystemPackage

/// Finds names that clash if folders are merged, for the question before the drop; the merge itself
/// checks again. May block for up to a second.
struct MergeProbe {
  /// Limit on names checked, because the user waits.
  private static let most = 50_000
  private let end = MonotonicClock.now + 1_000
  private var left = MergeProbe.most
  /// Clashing names, safe to speak.
  private var names: [String] = []
  private var isWhole = true
  private var hasFolders = false

  /// `nil` if no folders would be merged.
  ///
  /// - Parameter sources: files as well as folders.
  static func merger(of sources: [FilePath], in target: FilePath) -> MergeClashes? {
    var probe = MergeProbe()
    guard let folder = try? OpenFolder(target) else { return nil }
    var folders = OpenFolders()
    for source in sources {
      guard let name = source.name,
        let around = try? folders.folder(at: source.folder)
      else { continue }
      probe.visit(name, around.raw, folder.raw)
    }
    return probe.hasFolders ? MergeClashes(names: probe.names, isWhole: probe.isWhole) : nil
  }

  /// Collects clashes below two entries of the same name. Unreadable ones don't count.
  private mutating func visit(_ name: FileName, _ source: CInt, _ target: CInt, depth: Int = 0) {
    guard isWhole, let there = try? FileCalls.status(target, name) else { return }
    guard there.kind == .folder, let stamp = try? FileCalls.status(source, name),
      stamp.kind == .folder, stamp.identity != there.identity,
      // A folder can't be merged into its own ancestor.
      depth > 0 || (try? TreeInspection.ancestors(of: source))?.contains(there.identity) == false
    else {
      names.append(SpokenName.file(name.bytes))
      return
    }
    hasFolders = true
    // Each level holds two descriptors.
    guard depth < Self.deepest else {
      isWhole = false
      return
    }
    let flags = O_RDONLY | O_DIRECTORY
    guard let inner = try? FileCalls.open(source, name, flags: flags),
      let outer = try? FileCalls.open(target, name, flags: flags),
      let inside = try? FileCalls.names(in: inner.raw)
    else { return }
    left -= inside.count
    isWhole = left >= 0 && MonotonicClock.now < end
    for name in inside where isWhole { visit(name, inner.raw, outer.raw, depth: depth + 1) }
  }

  private static let deepest = 40
}
