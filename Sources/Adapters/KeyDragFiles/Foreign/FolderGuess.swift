import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Finds the folder that another program's window shows, by what a person sees of it.
///
/// A file manager tells nobody its path, so that candidates are made from its title and its path
/// bar, and one is taken only when it holds every row that is shown. May block.
///
/// A value for one question; what it learns is kept in ``memory``.
struct FolderGuess {
  /// Folders that are known already, such as those that what is carried comes from.
  var known: Set<FilePath> = []
  /// The folders and names that were found before.
  var memory: FolderMemory?
  /// Whether something is put there by the path: then no other folder may be meant.
  private var isForDrop = false

  init(known: Set<FilePath> = [], memory: FolderMemory? = nil) {
    (self.known, self.memory) = (known, memory)
  }

  /// More rows than this prove no more.
  private static let mostRows = 50
  /// Of fewer rows than this each one counts.
  private static let manyRows = 4

  /// The folder that is dropped on; nothing when none fits, or when two do.
  ///
  /// A wrong answer would be worse than none: a file would be looked for, and undone, where it is
  /// not.
  func folder(of shown: ShownFolder) -> FilePath? {
    guard let folder = shownFolder(shown) else { return nil }
    guard let row = shown.row else { return folder }
    // A file's row passes the drop on to the folder; a program's takes it, and a row of something
    // else leads who knows where.
    guard let inner = ToldNames(folder, memory: memory).onlyFile(row) else { return nil }
    if Self.folder(inner) != nil { return inner }
    return Self.isPlain(inner) ? folder : nil
  }

  /// The folder that a row stands for; `nil` for a row of anything else, and where the window may
  /// show another folder of the same name.
  func folder(ofRow shown: ShownFolder) -> FilePath? {
    var guess = self
    guess.isForDrop = true
    guard let row = shown.row, row != "..", let folder = guess.shownFolder(shown),
      let inner = ToldNames(folder, memory: memory).onlyFile(row), Self.folder(inner) != nil
    else { return nil }
    return inner
  }

  /// The folder that the window shows, whatever row is meant.
  ///
  /// Tried in turn, each only where the one before has found nothing: paths in fields of the window,
  /// title and path bar, home, a search among watched folders, and a folder found a moment ago of
  /// which one row is missing.
  private func shownFolder(_ shown: ShownFolder) -> FilePath? {
    if let bookmark = shown.bookmark {
      return Bookmarks().folder(called: shown.title, bookmark)
    }
    let watched = shown.processID.map(WatchedFolders.init(process:))
    if shown.isRowAlone { return watched.flatMap { rowFolder(shown, $0) } }
    // Two folders of one name may be watched, and hold the same.
    let isNameAlone = isForDrop || shown.rows.isEmpty
    var found: [FileIdentity: FilePath] = [:]
    // All rows but one are in these.
    var nearly: [FileIdentity: FilePath] = [:]
    func look(at candidates: [FilePath], areTold: Bool = false) {
      for candidate in candidates {
        guard let stamp = Self.folder(candidate), found[stamp.identity] == nil,
          areTold && shown.rows.contains(where: { $0 != ".." })
            || isConfirmed(shown, stamp.identity, watched),
          areTold || !isNameAlone || Self.isBelow(shown, candidate) != false
        else { continue }
        switch shown.isDesktop ? 0 : missing(shown.rows, candidate) {
        case 0: found[stamp.identity] = candidate
        // Only where the program's watch speaks for it too.
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
    // Programs call the home folder by a word of theirs, and watch it whatever they show.
    if found.isEmpty, nearly.isEmpty, !shown.isDesktop, !isNameAlone || Self.isHome(shown.title) {
      look(at: [StandardFolders.home])
    }
    func isCertain() -> Bool {
      found.count == 1 && found.values.allSatisfy { Self.isBelow(shown, $0) == true }
    }
    if !isTold, !shown.isDesktop, let watched, watched.isKnown,
      found.isEmpty && nearly.isEmpty || isNameAlone && !isCertain()
    {
      let search = searched(shown, watched, near: Array(found.values))
      look(at: search.found)
      // Another one may lie in the rest.
      if isNameAlone, !search.isWhole, !isCertain() { return nil }
    }
    if found.isEmpty { return isForDrop ? nil : remembered(shown, among: nearly) }
    // Two folders may show the same rows: then it is neither.
    guard found.count == 1, let (identity, folder) = found.first else { return nil }
    memory?.note(identity, as: shown)
    return folder
  }

  /// Whether a folder lies in the one that the path bar names before it; `nil` where it names none, or the
  /// root, for which each program has a word of its own.
  private static func isBelow(_ shown: ShownFolder, _ folder: FilePath) -> Bool? {
    let trail = shown.trail.prefix { $0 != shown.title }
    guard let around = trail.last, shown.trail.contains(shown.title) else { return nil }
    guard let name = folder.folder.lastComponent else { return nil }
    return around == name.string || folder.folder == StandardFolders.home && isHome(around)
  }

  /// Whether a program may call the home folder so.
  private static func isHome(_ title: String) -> Bool {
    HomeNames.all.contains(title) || title == StandardFolders.home.lastComponent?.string
  }

  /// Folders by the window's name that its program watches, wherever they lie.
  ///
  /// Empty for a title that can be no name.
  ///
  /// - Parameter others: folders that were found already: what lies beside them is looked through, too.
  private func searched(
    _ shown: ShownFolder, _ watched: WatchedFolders, near others: [FilePath]
  ) -> FolderSearch.Result {
    guard !shown.title.isEmpty, !shown.title.contains("/") else {
      return FolderSearch.Result(isWhole: true)
    }
    // A drop is asked about at several rows at once, and once more right before it.
    if let known = memory?.searched(shown, within: .seconds(isForDrop ? 1 : 5)) { return known }
    var result = FolderSearch().result(called: shown.title) { watched.contains(folder: $0) }
    let beside = FolderSearch(
      roots: others.map(\.folder.folder).filter { $0 != "/" }, most: 400, depth: 2)
    result.found += beside.folders(called: shown.title) { watched.contains(folder: $0) }
    memory?.keep(result, searchedFor: shown)
    return result
  }

  /// The folder by a row's path; else the one by its name that its program watches, or that lies in
  /// one that it watches: of a tree of folders those that are shut need no watch of their own.
  private func rowFolder(_ shown: ShownFolder, _ watched: WatchedFolders) -> FilePath? {
    if shown.title.hasPrefix("/") {
      let path = FilePath(shown.title)
      return Self.folder(path) == nil ? nil : path
    }
    guard watched.isKnown, !shown.title.isEmpty, !shown.title.contains("/") else { return nil }
    let found = FolderSearch().folders(called: shown.title) { path in
      watched.contains(folder: path) || watched.contains(folder: path.folder)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// A folder that was found a moment ago is not lost for one row that stands for no file just now:
  /// one that is being renamed, or has just gone.
  private func remembered(
    _ shown: ShownFolder, among nearly: [FileIdentity: FilePath]
  ) -> FilePath? {
    guard nearly.count == 1, let (identity, folder) = nearly.first,
      shown.rows.count >= Self.manyRows, memory?.knows(identity, as: shown) == true
    else { return nil }
    return folder
  }

  /// Whether a file is neither a folder nor a program nor a starter. Where a link leads counts; one
  /// that leads nowhere takes nothing either.
  ///
  /// Whatever can't be looked at counts as plain.
  static func isPlain(_ file: FilePath) -> Bool {
    var status = stat()
    guard file.withPlatformString({ stat($0, &status) }) == 0 else { return true }
    let isProgram = status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH) != 0
    return FileStamp(status).kind == .file && !isProgram && file.extension != "desktop"
  }

  /// Whether more speaks for it than its name: rows that it holds, or that the program watches it.
  private func isConfirmed(
    _ shown: ShownFolder, _ identity: FileIdentity, _ watched: WatchedFolders?
  ) -> Bool {
    if let watched, watched.isKnown { return watched.contains(identity) }
    return !shown.rows.isEmpty && !shown.isGuessed && !isForDrop
  }

  /// In a folder of more files than this nobody looks for folders.
  ///
  /// In files of any kind.
  private static let mostFiles = 20_000
  /// More folders than any person would walk.
  ///
  /// In folders.
  private static let mostFolders = 1_000

  /// The folders in a folder by the names under which programs show them, in their order, without
  /// hidden ones and those that are told like another; `nil` where there are too many.
  ///
  /// May block.
  static func folders(in folder: FilePath) -> [String]? {
    guard let open = try? FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY),
      let files = try? FileCalls.names(in: open.raw), files.count <= mostFiles
    else { return nil }
    var found: [String: Int] = [:]
    for file in files where file.bytes.first != UInt8(ascii: ".") {
      var status = stat()
      guard file.withPointer({ fstatat(open.raw, $0, &status, 0) }) == 0,
        status.st_mode & S_IFMT == S_IFDIR
      else { continue }
      let name = ToldNames.told(String(decoding: Array(file.bytes), as: UTF8.self))
      found[name, default: 0] += 1
      if found.count > mostFolders { return nil }
    }
    return NameOrder.sorted(found.filter { $0.value == 1 }.keys)
  }

  /// The stamp of a folder, links followed; `nil` for anything else. May block.
  static func folder(_ path: FilePath) -> FileStamp? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    let stamp = FileStamp(status)
    return stamp.kind == .folder ? stamp : nil
  }

  /// How many of the rows are not in it; of more than two nobody needs to know.
  ///
  /// At most 50 rows are looked for.
  private func missing(_ rows: [String], _ folder: FilePath) -> Int {
    let names = ToldNames(folder, memory: memory)
    var count = 0
    for row in rows.prefix(Self.mostRows) where names.file(row) == nil {
      count += 1
      if count == 2 { break }
    }
    return count
  }

  // MARK: Candidates

  /// Paths to be tried, likeliest first; none of them has been looked at.
  private func candidates(_ shown: ShownFolder) -> [FilePath] {
    var result: [FilePath] = []
    let home = StandardFolders.home
    let trail = shown.trail.filter { !$0.isEmpty && !$0.contains("/") }
    // A path bar may begin at the root, at the home folder, or somewhere in between.
    // It may go on to where the person was before.
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
    // Some titles hold the path, perhaps behind the name.
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

extension ShownFolder {
  /// The folder that the window shows, where this was found to be dropped on.
  func around(_ target: FilePath) -> FilePath {
    row != nil || bookmark != nil || isRowAlone ? target.folder : target
  }
}

/// Which folder a window has shown lately, by its title and its path bar, and what was read of
/// folders.
///
/// One for a run of the program, shared by all questions. Safe from any thread; nothing is looked
/// at here.
final class FolderMemory: Sendable {
  /// The facts that a window shows of itself.
  private struct Sign: Hashable {
    var title: String
    var trail: [String]
    /// The number of its program.
    var process: Int32
  }

  /// At most ``most``, then all are forgotten.
  private let folders = Mutex<[Sign: FileIdentity]>([:])
  private static let most = 256
  /// By folder; a hit is good only for the same stamp and languages.
  private let contents = Mutex<[FileIdentity: FolderNames]>([:])
  /// By program and title.
  private let searches = Mutex<
    [Sign: (result: FolderSearch.Result, time: ContinuousClock.Instant)]
  >([:])
  private static let mostContents = 16
  /// A folder with more names that are told otherwise is read anew each time.
  private static let mostOdd = 4_096

  /// The names that were read of a folder, when it is as it was then.
  ///
  /// The folder's own time tells: it changes with each name in it.
  func names(of folder: FileStamp, in languages: [String]) -> FolderNames? {
    guard let known = contents.withLock({ $0[folder.identity] }),
      known.stamp == folder.recorded, known.languages == languages
    else { return nil }
    return known
  }

  /// Not for a folder with very many names that are told otherwise.
  func keep(_ read: FolderNames, of folder: FileIdentity) {
    guard read.odd.values.reduce(0, { $0 + $1.count }) <= Self.mostOdd else { return }
    contents.withLock { contents in
      if contents.count >= Self.mostContents, contents[folder] == nil { contents = [:] }
      contents[folder] = read
    }
  }

  /// The result of a search that is no older; `nil` without one.
  func searched(_ shown: ShownFolder, within age: Duration) -> FolderSearch.Result? {
    searches.withLock { searches in
      guard let known = searches[Self.question(shown)], known.time + age > .now else {
        return nil
      }
      return known.result
    }
  }

  func keep(_ result: FolderSearch.Result, searchedFor shown: ShownFolder) {
    searches.withLock { searches in
      if searches.count >= Self.mostContents { searches = [:] }
      searches[Self.question(shown)] = (result, .now)
    }
  }

  private static func question(_ shown: ShownFolder) -> Sign {
    Sign(title: shown.title, trail: [], process: shown.processID ?? 0)
  }

  /// Notes that all of a window spoke for a folder.
  func note(_ folder: FileIdentity, as shown: ShownFolder) {
    guard let sign = Self.sign(of: shown) else { return }
    folders.withLock { folders in
      if folders.count >= Self.most { folders = [:] }
      folders[sign] = folder
    }
  }

  /// Whether just such a window was found to show this folder.
  func knows(_ folder: FileIdentity, as shown: ShownFolder) -> Bool {
    guard let sign = Self.sign(of: shown) else { return false }
    return folders.withLock { $0[sign] == folder }
  }

  /// A title alone is that of many folders.
  ///
  /// `nil` for a window without a path bar, or of an unknown program.
  private static func sign(of shown: ShownFolder) -> Sign? {
    guard shown.trail.count > 1, let process = shown.processID else { return nil }
    return Sign(title: shown.title, trail: shown.trail, process: process)
  }
}

/// The folders whose changes a program is told of: a file manager watches the one that it shows.
///
/// Read of `/proc/PID/fdinfo` (proc(5), inotify), which only the same user's programs show. A look
/// at one moment.
struct WatchedFolders {
  /// Whether the system lets us know. `false` too for a program that watches nothing.
  let isKnown: Bool
  /// By inode, with the device 0.
  private let identities: Set<FileIdentity>

  /// A program with more watches than this is not read to its end.
  private static let most = 10_000

  init(process: Int32) {
    var identities: Set<FileIdentity> = []
    var isKnown = false
    let folder = "/proc/\(process)/fdinfo"
    // 4,096 descriptors at most.
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

  /// Device numbers are written in another way there, so that the inode alone is compared.
  ///
  /// Two file systems may have the same inode: more than this has to speak for a folder.
  func contains(_ identity: FileIdentity) -> Bool {
    identities.contains(FileIdentity(device: 0, inode: identity.inode))
  }

  /// `false` for what is no folder. May block.
  func contains(folder path: FilePath) -> Bool {
    FolderGuess.folder(path).map { contains($0.identity) } ?? false
  }

  /// "inotify wd:3 ino:9e7e sdev:800013 mask:…"
  ///
  /// Numbers are hexadecimal.
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

  /// Empty where the file can't be read.
  private static func lines(of path: String) -> [Substring] {
    text(of: path).split(separator: "\n")
  }

  /// A file of the kernel's, up to 1 MiB. Its length is told as 0, so that it is read to its end.
  static func text(of path: String) -> String {
    guard let file = try? FileCalls.open(FilePath(path), flags: O_RDONLY) else { return "" }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 1 << 20 {
      let count = read(file.raw, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Folders that a program was started with.
  ///
  /// At most 64, absolute ones. Whatever begins with "/" counts, be it a folder or not.
  static func arguments(of process: Int32?) -> [FilePath] {
    guard let process else { return [] }
    return text(of: "/proc/\(process)/cmdline").split(separator: "\0").dropFirst().prefix(64)
      .filter { $0.hasPrefix("/") }.map { FilePath(String($0)).lexicallyNormalized() }
  }
}
