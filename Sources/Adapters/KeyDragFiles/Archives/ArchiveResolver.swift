import Glibc
import KeyDragCore
import SystemPackage

/// Finds the archive that another program's window shows.
///
/// An archive manager's title has the archive's name, but its path is not exposed. Candidates are
/// the files that the program has open, its arguments, and the recent files. A candidate counts
/// only if it contains every row of the window. May block.
///
/// Used once per question.
struct ArchiveResolver {
  struct Found {
    var archive: FilePath
    var entries: [ArchiveName]
  }

  /// The recent files (freedesktop.org desktop bookmark specification).
  var recent = StandardFolders.data.appending("recently-used.xbel")
  /// Limit on descriptors checked per program.
  private static let mostFiles = 4_096
  /// Longer lists of recent files are ignored.
  private static let longestList = 4 << 20
  private static let longestArguments = 65_536
  /// Limit on archives opened per question.
  private static let mostCandidates = 8

  /// The entries with these names in the archive that the window shows; `nil` if it shows none.
  ///
  /// - Throws: ``Reason/tooBig`` at the deadline, ``Reason/notDraggable`` if two archives match.
  func entries(
    named names: [String], in shown: DisplayedFolder, until deadline: ContinuousClock.Instant
  ) throws -> Found? {
    var found: [FileIdentity: Found] = [:]
    for candidate in candidates(shown).prefix(Self.mostCandidates) {
      guard let identity = FileCalls.identity(behind: candidate), found[identity] == nil else {
        continue
      }
      let contents: ArchiveContents
      do {
        contents = try ArchiveContents(of: candidate, until: deadline)
      } catch Reason.malformed {
        // Not an archive, but its name occurs in the title.
        continue
      }
      if let entries = contents.entries(named: names, among: shown.rows) {
        found[identity] = Found(archive: candidate, entries: entries)
      }
    }
    guard found.count < 2 else { throw Reason.notDraggable }
    return found.first?.value
  }

  /// Files whose names occur in the title, longest name first. Recent files are a fallback for
  /// programs without a matching open file or argument.
  private func candidates(_ shown: DisplayedFolder) -> [FilePath] {
    guard let process = shown.processID else { return [] }
    var seen: Set<FilePath> = []
    // Filters by name first: the disk of another file may hang.
    func meant(_ files: [FilePath]) -> [FilePath] {
      files.filter { isNamed($0, in: shown.title) && seen.insert($0).inserted && Self.isFile($0) }
    }
    var named = meant(Self.open(in: process) + Self.arguments(of: process))
    if named.isEmpty { named = meant(recentFiles) }
    let longest = named.map { $0.name?.count ?? 0 }.max()
    return named.filter { $0.name?.count == longest }
  }

  /// By containment: titles add the program's name or a modification mark.
  private func isNamed(_ file: FilePath, in title: String) -> Bool {
    guard let name = file.name, case let told = Self.told(name), !told.isEmpty else {
      return false
    }
    return title.contains(told)
  }

  private static func told(_ name: FileName) -> String {
    DisplayedNames.told(String(decoding: name.bytes, as: UTF8.self))
  }

  // MARK: Candidates

  /// Paths in `/proc/PID/fd` (proc(5)); empty for another user's program.
  private static func open(in process: Int32) -> [FilePath] {
    let folder = FilePath("/proc/\(process)/fd")
    guard let open = try? FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY),
      let names = try? FileCalls.names(in: open.raw)
    else { return [] }
    return names.prefix(mostFiles).compactMap { name in
      guard let text = try? FileCalls.linkText(open.raw, name), text.first == UInt8(ascii: "/")
      else { return nil }
      return FilePath(rawBytes: text)
    }
  }

  /// Command-line arguments as paths or URIs, relative to the program's working folder.
  private static func arguments(of process: Int32) -> [FilePath] {
    let path = FilePath("/proc/\(process)/cmdline")
    let bytes = FileCalls.head(of: path, most: .max, head: longestArguments)?.bytes ?? []
    let work = (try? FileCalls.linkText(AT_FDCWD, FileName("/proc/\(process)/cwd")))
      .map { FilePath(rawBytes: $0) }
    return bytes.split(separator: 0).dropFirst().filter(mayBePath).compactMap { argument in
      if let path = FileList.path(String(decoding: argument, as: UTF8.self)) { return path }
      if argument.first == UInt8(ascii: "/") { return FilePath(rawBytes: argument) }
      return work?.appending(bytes: Array(argument))
    }
  }

  /// A program may have been given a whole text, as an interpreter is. In an address each byte takes
  /// up to three.
  private static func mayBePath(_ argument: ArraySlice<UInt8>) -> Bool {
    let slash = argument.lastIndex(of: UInt8(ascii: "/"))
    let name = argument.suffix(from: slash.map { $0 + 1 } ?? argument.startIndex)
    return argument.count <= 3 * Int(PATH_MAX) && name.count <= 3 * Int(NAME_MAX)
  }

  /// Local files among the recent ones. Assumes GLib's layout, with each bookmark on a line of its
  /// own.
  private var recentFiles: [FilePath] {
    guard
      let bytes = FileCalls.head(of: recent, most: Self.longestList, head: Self.longestList)?.bytes
    else { return [] }
    let mark = "<bookmark href=\""
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
      line -> FilePath? in
      guard let start = line.range(of: mark),
        let end = line[start.upperBound...].firstIndex(of: "\"")
      else { return nil }
      return XBELPlaces.plain(line[start.upperBound..<end]).flatMap(FileList.path)
    }
  }

  /// `false` for links.
  private static func isFile(_ path: FilePath) -> Bool {
    (try? FileCalls.status(path))?.kind == .file
  }
}
