import Glibc
import KeyDragCore
import SystemPackage

/// Looks which names would clash still if folders of one name became one. May block, not for long.
///
/// A look before the drop: the answer is one word of a question, and the merge itself looks again.
struct MergeProbe {
  /// A person waits at the drop: folders that take longer are not looked through. Names in all
  /// folders together.
  private static let most = 50_000
  /// In nanoseconds.
  private static let patience: Int64 = 1_000_000_000

  /// By the wall clock, in nanoseconds since 1970.
  private let end = timespec.now.nanoseconds + MergeProbe.patience
  /// How many names may still be looked at.
  private var left = MergeProbe.most
  /// Names that clash, safe to speak.
  private var names: [String] = []
  /// Whether all was looked through.
  private var isWhole = true
  /// Whether any two folders become one.
  private var hasFolders = false

  /// `nil` where no two folders have one name.
  ///
  /// - Parameter sources: files as well as folders, by their paths.
  static func merger(of sources: [FilePath], in target: FilePath) -> Merger? {
    var probe = MergeProbe()
    guard let folder = try? OpenFolder(target) else { return nil }
    var folders = OpenFolders()
    for source in sources {
      guard let name = source.name,
        let around = try? folders.folder(at: source.folder)
      else { continue }
      probe.visit(name, around.raw, folder.raw)
    }
    return probe.hasFolders ? Merger(names: probe.names, isWhole: probe.isWhole) : nil
  }

  /// Adds the names below two things of one name that would clash. What can't be read clashes not.
  private mutating func visit(_ name: FileName, _ source: CInt, _ target: CInt, depth: Int = 0) {
    guard isWhole, let there = try? FileCalls.status(target, name) else { return }
    guard there.kind == .folder, let stamp = try? FileCalls.status(source, name),
      stamp.kind == .folder, stamp.identity != there.identity,
      // A folder that lies around its own source can't take it.
      depth > 0 || (try? TreeInspection.ancestors(of: source))?.contains(there.identity) == false
    else {
      names.append(SpokenName.file(name.bytes))
      return
    }
    hasFolders = true
    // Two descriptors stay open for each.
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
    isWhole = left >= 0 && timespec.now.nanoseconds < end
    for name in inside where isWhole { visit(name, inner.raw, outer.raw, depth: depth + 1) }
  }

  /// Levels.
  private static let deepest = 40
}
