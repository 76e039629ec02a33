import Glibc
import KeyDragCore
import SystemPackage

/// Finds the folder that another program's window shows, by what a person sees of it.
///
/// A file manager tells nobody its path, so that candidates are made from its title and its path bar,
/// and one is taken only when it holds every row that is shown. May block.
struct FolderGuess {
  /// Folders that are known already, such as those that what is carried comes from.
  var known: [FilePath] = []

  /// More rows than this prove no more.
  private static let mostRows = 50

  /// The folder that is dropped on; nothing when none fits, or when two do.
  func folder(of shown: ShownFolder) -> FilePath? {
    let watched = shown.processID.map(WatchedFolders.init(process:))
    var found: [FileIdentity: FilePath] = [:]
    for candidate in candidates(shown) {
      guard let stamp = Self.folder(candidate), found[stamp.identity] == nil,
        holdsAll(shown.rows, candidate), isConfirmed(shown, stamp.identity, watched)
      else { continue }
      found[stamp.identity] = candidate
    }
    guard found.count == 1, let folder = found.values.first else { return nil }
    guard let row = shown.row else { return folder }
    // A file's row passes the drop on to the folder; a program's takes it, and a row of something
    // else leads who knows where.
    guard let inner = ToldNames(folder).file(row) else { return nil }
    if Self.folder(inner) != nil { return inner }
    return Self.isPlain(inner) ? folder : nil
  }

  /// Whether a file is neither a folder nor a program nor a starter. Where a link leads counts; one
  /// that leads nowhere takes nothing either.
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
    return !shown.rows.isEmpty
  }

  private static func folder(_ path: FilePath) -> FileStamp? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    let stamp = FileStamp(status)
    return stamp.kind == .folder ? stamp : nil
  }

  private func holdsAll(_ rows: [String], _ folder: FilePath) -> Bool {
    let names = ToldNames(folder)
    return rows.prefix(Self.mostRows).allSatisfy { names.file($0) != nil }
  }

  // MARK: Candidates

  private func candidates(_ shown: ShownFolder) -> [FilePath] {
    var result: [FilePath] = []
    let home = StandardFolders.home
    let trail = shown.trail.filter { !$0.isEmpty && !$0.contains("/") }
    // A path bar may begin at the root, at the home folder, or somewhere in between.
    for start in trail.indices {
      let names = trail[start...]
      result.append(names.reduce(FilePath("/")) { $0.appending(bytes: Array($1.utf8)) })
      result.append(names.reduce(home) { $0.appending(bytes: Array($1.utf8)) })
    }
    if shown.title.hasPrefix("/") {
      result.append(FilePath(shown.title))
    } else if !shown.title.isEmpty, !shown.title.contains("/") {
      let name = Array(shown.title.utf8)
      result.append(home)
      result.append(home.appending(bytes: name))
      for folder in known + WatchedFolders.arguments(of: shown.processID) {
        var above = folder
        repeat {
          result.append(above.appending(bytes: name))
          if above.lastComponent?.bytes == name { result.append(above) }
        } while above.removeLastComponent()
      }
    }
    if shown.title == "/" || shown.trail.isEmpty && shown.title.isEmpty { result.append("/") }
    return result
  }
}

/// The folders whose changes a program is told of: a file manager watches the one that it shows.
struct WatchedFolders {
  /// Whether the system lets us know.
  let isKnown: Bool
  private let identities: Set<FileIdentity>

  /// A program with more watches than this is not read to its end.
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

  /// Device numbers are written in another way there, so that the inode alone is compared.
  func contains(_ identity: FileIdentity) -> Bool {
    identities.contains(FileIdentity(device: 0, inode: identity.inode))
  }

  /// "inotify wd:3 ino:9e7e sdev:800013 mask:…"
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

  private static func text(of path: String) -> String {
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
  static func arguments(of process: Int32?) -> [FilePath] {
    guard let process else { return [] }
    return text(of: "/proc/\(process)/cmdline").split(separator: "\0").dropFirst().prefix(64)
      .filter { $0.hasPrefix("/") }.map { FilePath(String($0)).lexicallyNormalized() }
  }
}
