import Glibc
import KeyDragCore
import SystemPackage

/// Finds the archive that another program's window shows.
///
/// Programs for archives are titled by the archive's name and tell nobody its path: candidates are
/// the files that the program has open, was started with, or has put among the person's recent
/// files. One is taken only when all that the window lists is in it. May block.
///
/// Used once, for one question.
struct ArchiveGuess {
  /// An archive with the entries that are meant.
  struct Found {
    /// As the program names it.
    var archive: FilePath
    /// In the order of the names.
    var entries: [ArchiveName]
  }

  private let recent: FilePath
  /// More descriptors of a program are not looked at.
  private static let mostFiles = 4_096
  /// A longer list of recent files is read by nobody. 4 MiB.
  private static let longestList = 4 << 20
  /// As many archives of one name are looked through.
  private static let mostCandidates = 8

  /// - Parameter recent: the person's recent files (freedesktop.org's desktop bookmark
  ///   specification).
  init(recent: FilePath = StandardFolders.data.appending("recently-used.xbel")) {
    self.recent = recent
  }

  /// The entries with these names in the archive that is shown; `nil` where none is shown.
  ///
  /// - Parameter shown: its title is the window's, its rows are what the window lists.
  /// - Throws: ``Reason/tooBig`` when the time is over, ``Reason/notDraggable`` when two archives
  ///   fit.
  func entries(
    named names: [String], in shown: ShownFolder, until deadline: ContinuousClock.Instant
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
        // A file that happens to be called as the window.
        continue
      }
      if let entries = contents.entries(named: names, among: shown.rows) {
        found[identity] = Found(archive: candidate, entries: entries)
      }
    }
    guard found.count < 2 else { throw Reason.notDraggable }
    return found.first?.value
  }

  /// Files whose names are in the title, the longest name first.
  ///
  /// Recent files only where the program tells of none itself.
  private func candidates(_ shown: ShownFolder) -> [FilePath] {
    guard let process = shown.processID else { return [] }
    var seen: Set<FilePath> = []
    // Only what is meant is looked at: the disk of another file may hang.
    func meant(_ files: [FilePath]) -> [FilePath] {
      files.filter { isNamed($0, in: shown.title) && seen.insert($0).inserted && Self.isFile($0) }
    }
    var named = meant(Self.open(in: process) + Self.arguments(of: process))
    if named.isEmpty { named = meant(recentFiles) }
    let longest = named.map { $0.lastComponent?.bytes.count ?? 0 }.max()
    return named.filter { $0.lastComponent?.bytes.count == longest }
  }

  /// By containment: titles have the program's name, or a mark, beside it.
  private func isNamed(_ file: FilePath, in title: String) -> Bool {
    guard let name = file.lastComponent, case let told = Self.told(name), !told.isEmpty else {
      return false
    }
    return title.contains(told)
  }

  private static func told(_ name: FilePath.Component) -> String {
    ToldNames.told(String(decoding: name.bytes, as: UTF8.self))
  }

  // MARK: Candidates

  /// Paths that a program has open.
  ///
  /// By `/proc/PID/fd` (proc(5)); none for another user's program.
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

  /// Words that a program was started with, as paths or as addresses.
  ///
  /// Relative ones start from the program's working folder. At most 64 KiB of them.
  private static func arguments(of process: Int32) -> [FilePath] {
    guard let file = try? FileCalls.open(FilePath("/proc/\(process)/cmdline"), flags: O_RDONLY),
      let folder = try? FileCalls.open(
        FilePath("/proc/\(process)"), flags: O_RDONLY | O_DIRECTORY)
    else { return [] }
    var bytes = [UInt8](repeating: 0, count: longestArguments)
    let count = max(0, read(file.raw, &bytes, bytes.count))
    let work = (try? FileCalls.linkText(folder.raw, FileName("cwd"))).map { FilePath(rawBytes: $0) }
    return bytes.prefix(count).split(separator: 0).dropFirst().compactMap { argument -> FilePath? in
      let path =
        FileList.path(String(decoding: argument, as: UTF8.self)) ?? FilePath(rawBytes: argument)
      return path.isAbsolute ? path : work?.pushing(path)
    }
  }

  private static let longestArguments = 65_536

  /// Local files among the recent ones.
  ///
  /// The lines of the file are taken as GLib writes them: one bookmark begins a line.
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
      let address = line[start.upperBound..<end].replacing("&apos;", with: "'")
        .replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&")
      return FileList.path(String(address))
    }
  }

  /// A link is none.
  private static func isFile(_ path: FilePath) -> Bool {
    (try? FileCalls.status(path))?.kind == .file
  }
}
