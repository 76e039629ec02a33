import KeyDragCore
import SystemPackage

/// The names in an archive, by folder. Reads all headers once, without contents; pure from then on.
struct ArchiveContents {
  /// Entries by folder and displayed name. Two entries with the same displayed name are ambiguous.
  private var folders: [ArchiveName: [String: [FileName]]] = [:]
  /// Limit on entries, because the user waits.
  private static let most = 200_000

  /// - Throws: as ``ArchiveReader``; ``Reason/tooMany`` above 200,000 entries.
  init(of path: FilePath, until deadline: ContinuousClock.Instant) throws {
    let reader = try ArchiveReader(path, until: deadline)
    var seen: Set<ArchiveName> = []
    while let entry = try reader.next() {
      // Folders need not have entries of their own.
      for length in entry.name.components.indices {
        let name = ArchiveName(components: Array(entry.name.components[...length]))
        guard seen.insert(name).inserted else { continue }
        guard seen.count <= Self.most else { throw Reason.tooMany }
        let folder = ArchiveName(components: Array(name.components.dropLast()))
        guard let own = name.components.last, let told = name.told.last else { continue }
        folders[folder, default: [:]][told, default: []].append(own)
      }
    }
  }

  /// The entries displayed with these names, in order; `nil` if ambiguous.
  ///
  /// A folder with exactly these names wins over one that has more.
  ///
  /// - Parameter rows: the other names in the window, which tell the archive's folders apart. A
  ///   program may show several folders at once.
  func entries(named names: [String], among rows: [String]) -> [ArchiveName]? {
    let shown = Set(rows).union(names)
    let fitting = folders.filter { shown.isSubset(of: $0.value.keys) }
    let whole = fitting.filter { $0.value.count == shown.count }
    let found = whole.count == 1 ? whole : fitting
    if found.count > 1 { return names.isEmpty ? [] : nil }
    if let (folder, inner) = found.first {
      return Self.all(names.map { Self.only(inner[$0], in: folder) })
    }
    // No single folder fits: every row must exist somewhere, and each requested name exactly once.
    return Self.all(shown.map(anywhere)) == nil ? nil : Self.all(names.map(only))
  }

  func folders(with name: String) -> Set<ArchiveName> {
    Set(folders.filter { $0.value[name] != nil }.keys)
  }

  /// `nil` if ambiguous.
  private static func only(_ files: [FileName]?, in folder: ArchiveName) -> ArchiveName? {
    guard let files, files.count == 1 else { return nil }
    return ArchiveName(components: folder.components + files)
  }

  private func anywhere(_ name: String) -> ArchiveName? {
    folders.lazy.compactMap { folder, inner in
      inner[name]?.first.map { ArchiveName(components: folder.components + [$0]) }
    }.first
  }

  /// `nil` if the name occurs in several folders.
  private func only(_ name: String) -> ArchiveName? {
    let all = folders.filter { $0.value[name] != nil }
    guard all.count == 1, let (folder, inner) = all.first else { return nil }
    return Self.only(inner[name], in: folder)
  }

  private static func all(_ names: [ArchiveName?]) -> [ArchiveName]? {
    let found = names.compactMap(\.self)
    return found.count == names.count ? found : nil
  }
}
