import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Finds the folder that another program's window shows, from its visible contents.
///
/// File managers do not expose the path. Candidates come from the title and the path bar; one
/// counts only if it contains every visible row. May block.
///
/// For one question; results are cached in ``memory``.
struct FolderResolver {
  /// Known folders, such as the sources of the carried files.
  var known: Set<FilePath> = []
  var memory: FolderCache?
  /// Whether the path itself is used for a delivery, which must not go to another folder.
  var isForDrop = false
  /// Called as the disk answers.
  var alive: @Sendable () -> Void = {}

  /// Limit on rows checked; more add no certainty.
  private static let mostRows = 50
  /// Below this number every row has to match.
  private static let manyRows = 4

  /// The folder that a drop goes to; `nil` if no folder fits or two do. A wrong answer is worse
  /// than none: files would be looked for, and undone, in the wrong place.
  func folder(of shown: DisplayedFolder) -> FilePath? {
    guard let folder = shownFolder(shown) else { return nil }
    guard let row = shown.row else { return folder }
    // A plain file's row passes the drop to the folder; a program's row takes it, and anything else
    // is unpredictable.
    guard let inner = DisplayedNames(folder, memory: memory).onlyFile(row) else { return nil }
    if Self.folder(inner) != nil { return inner }
    return Self.isPlain(inner) ? folder : nil
  }

  /// The folder behind a row; `nil` for any other row, or if the window may show another folder of
  /// the same name.
  func folder(ofRow shown: DisplayedFolder) -> FilePath? {
    var guess = self
    guess.isForDrop = true
    guard let row = shown.row, row != "..", let folder = guess.shownFolder(shown),
      let inner = DisplayedNames(folder, memory: memory).onlyFile(row), Self.folder(inner) != nil
    else { return nil }
    return inner
  }

  /// The window's folder, regardless of the row.
  ///
  /// Falls back in this order: paths in the window's fields, title and path bar, home, a search
  /// among watched folders, and a recently found folder with one row missing.
  func shownFolder(_ shown: DisplayedFolder) -> FilePath? {
    if let bookmark = shown.bookmark {
      return Bookmarks().folder(called: shown.title, bookmark)
    }
    let watched = shown.processID.map(WatchedFolders.init(process:))
    if shown.isNamedRowOnly { return rowFolder(shown, watched) }
    // Watched folders may share both name and contents.
    let isNameOnly = isForDrop || shown.rows.isEmpty
    var found: [FileIdentity: FilePath] = [:]
    var nearly: [FileIdentity: FilePath] = [:]
    func look(at candidates: [FilePath], areTold: Bool = false) {
      for candidate in candidates {
        let stamp = Self.folder(candidate)
        alive()
        guard let stamp, found[stamp.identity] == nil,
          areTold && shown.rows.contains(where: { $0 != ".." })
            || isConfirmed(shown, stamp.identity, watched),
          areTold || !isNameOnly || Self.isBelow(shown, candidate) != false
        else { continue }
        switch shown.isDesktop ? 0 : missing(shown.rows, candidate) {
        case 0: found[stamp.identity] = candidate
        case 1 where watched?.isKnown == true: nearly[stamp.identity] = candidate
        default: break
        }
      }
    }
    look(at: shown.addresses.map { FilePath($0).lexicallyNormalized() }, areTold: true)
    let isTold = !found.isEmpty
    if found.isEmpty {
      look(at: shown.isDesktop ? [Bookmarks().desktop] : candidates(shown))
    }
    // Programs have their own word for the home folder, and always watch it.
    if found.isEmpty, nearly.isEmpty, !shown.isDesktop, !isNameOnly || Self.isHome(shown.title) {
      look(at: [StandardFolders.home])
    }
    func isCertain() -> Bool {
      found.count == 1 && found.values.allSatisfy { Self.isBelow(shown, $0) == true }
    }
    if !isTold, !shown.isDesktop, let watched, watched.isKnown,
      found.isEmpty && nearly.isEmpty || isNameOnly && !isCertain()
    {
      let search = searched(shown, watched, near: Array(found.values))
      look(at: search.found)
      // The unsearched rest may hold another one.
      if isNameOnly, !search.isWhole, !isCertain() { return nil }
    }
    if found.isEmpty { return isForDrop ? nil : remembered(shown, among: nearly) }
    // Two folders with the same rows are ambiguous.
    guard found.count == 1, let (identity, folder) = found.first else { return nil }
    memory?.note(identity, as: shown)
    return folder
  }

  /// Whether the folder's parent matches the path bar; `nil` if the path bar has no parent or the
  /// root, for which programs have their own words.
  private static func isBelow(_ shown: DisplayedFolder, _ folder: FilePath) -> Bool? {
    let trail = shown.trail.prefix { $0 != shown.title }
    guard let around = trail.last, shown.trail.contains(shown.title) else { return nil }
    guard let name = folder.folder.lastComponent else { return nil }
    return around == name.string || folder.folder == StandardFolders.home && isHome(around)
  }

  /// Whether a program may show the home folder under this title.
  private static func isHome(_ title: String) -> Bool {
    HomeNames.all.contains(title) || title == StandardFolders.home.lastComponent?.string
  }

  /// Watched folders with the window's title as their name, anywhere. Empty if the title can't be a
  /// file name.
  ///
  /// - Parameter others: folders found so far; their surroundings are searched too.
  private func searched(
    _ shown: DisplayedFolder, _ watched: WatchedFolders, near others: [FilePath]
  ) -> FolderSearch.Result {
    guard !shown.title.isEmpty, !shown.title.contains("/") else {
      return FolderSearch.Result(isWhole: true)
    }
    // A drop is checked at several rows at once, and again right before it.
    if let known = memory?.searched(shown, within: .seconds(isForDrop ? 1 : 5)) { return known }
    var result = FolderSearch().result(called: shown.title) { watched.contains(folder: $0) }
    let beside = FolderSearch(
      roots: others.map(\.folder.folder).filter { $0 != "/" }, most: 400, depth: 2)
    result.found += beside.folders(called: shown.title) { watched.contains(folder: $0) }
    memory?.keep(result, searchedFor: shown)
    return result
  }

  /// The only folder with the row's name that the program watches or whose parent it watches:
  /// collapsed folders in a tree need no watch.
  private func rowFolder(_ shown: DisplayedFolder, _ watched: WatchedFolders?) -> FilePath? {
    if shown.title.hasPrefix("/") {
      let path = FilePath(shown.title)
      return Self.folder(path) == nil ? nil : path
    }
    guard let watched, watched.isKnown, !shown.title.isEmpty, !shown.title.contains("/") else {
      return nil
    }
    let search = FolderSearch().result(called: shown.title) { path in
      watched.contains(folder: path) || watched.contains(folder: path.folder)
    }
    // The unsearched rest may hold another one.
    return search.isWhole && search.found.count == 1 ? search.found[0] : nil
  }

  /// A recently found folder stays valid despite one row without a file, such as one being renamed
  /// or just deleted.
  private func remembered(
    _ shown: DisplayedFolder, among nearly: [FileIdentity: FilePath]
  ) -> FilePath? {
    guard nearly.count == 1, let (identity, folder) = nearly.first,
      shown.rows.count >= Self.manyRows, memory?.knows(identity, as: shown) == true
    else { return nil }
    return folder
  }

  /// Whether a file, with links followed, is no folder, program or .desktop file. Dangling links
  /// and unreadable files count as plain.
  static func isPlain(_ file: FilePath) -> Bool {
    guard let stamp = try? FileCalls.status(file, following: true) else { return true }
    let isProgram = stamp.mode & (S_IXUSR | S_IXGRP | S_IXOTH) != 0
    return stamp.kind == .file && !isProgram && file.extension != "desktop"
  }

  /// Whether more than the name supports the folder: matching rows, or the program's watch.
  private func isConfirmed(
    _ shown: DisplayedFolder, _ identity: FileIdentity, _ watched: WatchedFolders?
  ) -> Bool {
    if let watched, watched.isKnown { return watched.contains(identity) }
    return !shown.rows.isEmpty && !shown.isGuessed && !isForDrop
  }

  /// Limit on files of any kind in a folder searched for subfolders.
  private static let mostFiles = 20_000
  private static let mostFolders = 1_000

  /// Displayed names of a folder's subfolders, sorted, without hidden and ambiguous ones; `nil` if
  /// there are too many. May block.
  static func folders(in folder: FilePath) -> [String]? {
    guard let open = try? FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY),
      let files = try? FileCalls.names(in: open.raw), files.count <= mostFiles
    else { return nil }
    var found: [String: Int] = [:]
    for file in files where file.bytes.first != UInt8(ascii: ".") {
      let stamp = try? FileCalls.status(open.raw, file, following: true)
      guard stamp?.kind == .folder else { continue }
      let name = DisplayedNames.told(String(decoding: Array(file.bytes), as: UTF8.self))
      found[name, default: 0] += 1
      if found.count > mostFolders { return nil }
    }
    return NameOrder.sorted(found.filter { $0.value == 1 }.keys)
  }

  /// `nil` if the path is no folder; follows links. May block.
  static func folder(_ path: FilePath) -> FileStamp? {
    guard let stamp = try? FileCalls.status(path, following: true), stamp.kind == .folder else {
      return nil
    }
    return stamp
  }

  /// Number of missing rows among the first 50, counting up to two.
  private func missing(_ rows: [String], _ folder: FilePath) -> Int {
    let names = DisplayedNames(folder, memory: memory)
    var count = 0
    for row in rows.prefix(Self.mostRows) where count < 2 {
      if names.file(row) == nil { count += 1 }
      alive()
    }
    return count
  }

  // MARK: Candidates

  /// Unchecked candidate paths, likeliest first.
  private func candidates(_ shown: DisplayedFolder) -> [FilePath] {
    var result: [FilePath] = []
    let home = StandardFolders.home
    let trail = shown.trail.filter { !$0.isEmpty && !$0.contains("/") }
    // A path bar may start at the root, at home, or in between, and may continue to a folder
    // visited before.
    let shownEnd = trail.lastIndex(of: shown.title).map { $0 + 1 } ?? trail.endIndex
    let ends = Set([shownEnd, trail.endIndex])
    for (start, end) in trail.indices.flatMap({ start in ends.map { (start, $0) } })
    where start < end {
      let names = trail[start..<end]
      result.append(names.reduce(FilePath("/")) { $0.appending(bytes: Array($1.utf8)) })
      result.append(names.reduce(home) { $0.appending(bytes: Array($1.utf8)) })
    }
    if shown.title == "~" || shown.title.hasPrefix("~/") {
      return result + [FilePath(home.string + shown.title.dropFirst())]
    }
    // Some titles contain the path, possibly after the name.
    if let path = shown.title.range(of: "/").flatMap({ start in
      start.lowerBound == shown.title.startIndex
        || shown.title[..<start.lowerBound].hasSuffix(" - ")
        ? shown.title[start.lowerBound...] : nil
    }) {
      result.append(FilePath(String(path)))
    } else if !shown.title.isEmpty, !shown.title.contains("/") {
      let name = Array(shown.title.utf8)
      result.append(home.appending(bytes: name))
      for folder in known.union(WatchedFolders.arguments(of: shown.processID)) {
        var above = folder
        repeat {
          result.append(above.appending(bytes: name))
          if above.lastComponent?.bytes == name { result.append(above) }
        } while above.goUp()
      }
    }
    if shown.title == "/" || shown.trail.isEmpty && shown.title.isEmpty { result.append("/") }
    return result
  }
}

extension DisplayedFolder {
  /// The window's own folder, given the drop target found for it.
  func around(_ target: FilePath) -> FilePath {
    row != nil || bookmark != nil || isNamedRowOnly ? target.folder : target
  }
}

/// Caches the folders that windows have shown, by title and path bar, and the names read from
/// folders. One per process. Thread-safe; does no disk access.
final class FolderCache: Sendable {
  /// A window's key.
  private struct Sign: Hashable {
    var title: String
    var trail: [String]
    var process: Int32
  }

  /// Cleared at ``most`` entries.
  private let folders = Mutex<[Sign: FileIdentity]>([:])
  private static let most = 256
  /// By folder; valid for the same stamp and languages only.
  private let contents = Mutex<[FileIdentity: FolderNames]>([:])
  private let searches = Mutex<
    [Sign: (result: FolderSearch.Result, time: ContinuousClock.Instant)]
  >([:])
  private static let mostContents = 16
  /// Limit on differing names; folders with more are not cached.
  private static let mostOdd = 4_096

  /// The cached names of a folder whose stamp is unchanged; its time changes with every name in it.
  func names(of folder: FileStamp, in languages: [String]) -> FolderNames? {
    guard let known = contents.withLock({ $0[folder.identity] }),
      known.stamp == folder.recorded, known.languages == languages
    else { return nil }
    return known
  }

  /// Skips a folder with very many differing names.
  func keep(_ read: FolderNames, of folder: FileIdentity) {
    guard read.odd.values.reduce(0, { $0 + $1.count }) <= Self.mostOdd else { return }
    contents.withLock { contents in
      if contents.count >= Self.mostContents, contents[folder] == nil { contents = [:] }
      contents[folder] = read
    }
  }

  /// `nil` without a result of at most this age.
  func searched(_ shown: DisplayedFolder, within age: Duration) -> FolderSearch.Result? {
    searches.withLock { searches in
      guard let known = searches[Self.question(shown)], known.time + age > .now else {
        return nil
      }
      return known.result
    }
  }

  func keep(_ result: FolderSearch.Result, searchedFor shown: DisplayedFolder) {
    searches.withLock { searches in
      if searches.count >= Self.mostContents { searches = [:] }
      searches[Self.question(shown)] = (result, .now)
    }
  }

  private static func question(_ shown: DisplayedFolder) -> Sign {
    Sign(title: shown.title, trail: [], process: shown.processID ?? 0)
  }

  func note(_ folder: FileIdentity, as shown: DisplayedFolder) {
    guard let sign = Self.sign(of: shown) else { return }
    folders.withLock { folders in
      if folders.count >= Self.most { folders = [:] }
      folders[sign] = folder
    }
  }

  func knows(_ folder: FileIdentity, as shown: DisplayedFolder) -> Bool {
    guard let sign = Self.sign(of: shown) else { return false }
    return folders.withLock { $0[sign] == folder }
  }

  /// `nil` for an unknown program or a window without a path bar, whose title alone would fit many
  /// folders.
  private static func sign(of shown: DisplayedFolder) -> Sign? {
    guard shown.trail.count > 1, let process = shown.processID else { return nil }
    return Sign(title: shown.title, trail: shown.trail, process: process)
  }
}

/// A snapshot of a process's inotify watches: a file manager watches the folder it shows. Read from
/// `/proc/PID/fdinfo` (proc(5), inotify), which is only accessible for the same user's programs.
struct WatchedFolders {
  /// `false` if the watches can't be read or there are none.
  let isKnown: Bool
  /// By inode, with the device set to 0.
  private let identities: Set<FileIdentity>

  /// Limit on watches read.
  private static let most = 10_000

  init(process: Int32) {
    var identities: Set<FileIdentity> = []
    var isKnown = false
    let folder = "/proc/\(process)/fdinfo"
    for name in Self.names(in: folder).prefix(4096) {
      let path = folder + "/" + String(decoding: Array(name.bytes), as: UTF8.self)
      for line in Self.lines(of: path) where line.hasPrefix("inotify wd:") {
        isKnown = true
        if identities.count < Self.most, let identity = Self.identity(line) {
          identities.insert(identity)
        }
      }
    }
    self.isKnown = isKnown
    self.identities = identities
  }

  /// Compares the inode only, because fdinfo encodes device numbers differently. Inodes may collide
  /// across file systems, so the caller needs further evidence.
  func contains(_ identity: FileIdentity) -> Bool {
    identities.contains(FileIdentity(device: 0, inode: identity.inode))
  }

  /// `false` if the path is no folder. May block.
  func contains(folder path: FilePath) -> Bool {
    FolderResolver.folder(path).map { contains($0.identity) } ?? false
  }

  /// Parses "inotify wd:3 ino:9e7e sdev:800013 mask:…", with hexadecimal numbers.
  private static func identity(_ line: Substring) -> FileIdentity? {
    line.split(separator: " ").first { $0.hasPrefix("ino:") }
      .flatMap { UInt64($0.dropFirst(4), radix: 16) }
      .map { FileIdentity(device: 0, inode: $0) }
  }

  private static func names(in folder: String) -> [FileName] {
    do {
      let open = try FileCalls.open(FilePath(folder), flags: O_RDONLY | O_DIRECTORY)
      return try FileCalls.names(in: open.raw)
    } catch {
      // Another user's program, or one that has ended.
      return []
    }
  }

  private static func lines(of path: String) -> [Substring] {
    text(of: path).split(separator: "\n")
  }

  /// At most 1 MiB of a proc(5) file.
  static func text(of path: String) -> String {
    let bytes = FileCalls.head(of: FilePath(path), most: .max, head: 1 << 20)?.bytes ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Absolute paths among the first 64 command-line arguments. They need not be folders.
  static func arguments(of process: Int32?) -> [FilePath] {
    guard let process else { return [] }
    return text(of: "/proc/\(process)/cmdline").split(separator: "\0").dropFirst().prefix(64)
      .filter { $0.hasPrefix("/") }.map { FilePath(String($0)).lexicallyNormalized() }
  }
}
