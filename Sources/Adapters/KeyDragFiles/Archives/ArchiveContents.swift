import KeyDragCore
import SystemPackage

/// The names in an archive, by the folders that they lie in.
///
/// Pure once it is made: the archive is read through once, without its contents.
struct ArchiveContents {
  /// The names in each folder of the archive: its path, and the names in it as they are told.
  ///
  /// Two entries may be told alike: then neither is certain.
  private var folders: [ArchiveName: [String: [FileName]]] = [:]
  /// More entries than this are not looked through while a person waits.
  private static let most = 200_000

  /// - Throws: as ``ArchiveReader``; ``Reason/tooMany`` for an archive of more than 200,000
  ///   entries.
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

  /// The entries that are shown with these names, in their order; `nil` where that is not certain.
  ///
  /// A folder that holds just these names wins over one that holds more.
  ///
  /// - Parameter rows: names that the program shows beside them. They say which folder of the
  ///   archive is shown; a program may show all of its folders at once.
  func entries(named names: [String], among rows: [String]) -> [ArchiveName]? {
    let shown = Set(rows).union(names)
    let fitting = folders.filter { shown.isSubset(of: $0.value.keys) }
    let whole = fitting.filter { $0.value.count == shown.count }
    let found = whole.count == 1 ? whole : fitting
    if found.count > 1 { return names.isEmpty ? [] : nil }
    if let (folder, inner) = found.first {
      return Self.all(names.map { Self.only(inner[$0], in: folder) })
    }
    // All rows have to be in the archive somewhere, each name meant in one place.
    return Self.all(shown.map(anywhere)) == nil ? nil : Self.all(names.map(only))
  }

  /// The folders of the archive in which an entry is told by a name.
  func folders(with name: String) -> Set<ArchiveName> {
    Set(folders.filter { $0.value[name] != nil }.keys)
  }

  /// `nil` where several are told so.
  private static func only(_ files: [FileName]?, in folder: ArchiveName) -> ArchiveName? {
    guard let files, files.count == 1 else { return nil }
    return ArchiveName(components: folder.components + files)
  }

  /// Some entry of a name, in any folder.
  private func anywhere(_ name: String) -> ArchiveName? {
    folders.lazy.compactMap { folder, inner in
      inner[name]?.first.map { ArchiveName(components: folder.components + [$0]) }
    }.first
  }

  /// The one entry of a name in all of the archive.
  private func only(_ name: String) -> ArchiveName? {
    let all = folders.filter { $0.value[name] != nil }
    guard all.count == 1, let (folder, inner) = all.first else { return nil }
    return Self.only(inner[name], in: folder)
  }

  /// All or none.
  private static func all(_ names: [ArchiveName?]) -> [ArchiveName]? {
    let found = names.compactMap(\.self)
    return found.count == names.count ? found : nil
  }
}
