import Glibc
import KeyDragCore
import SystemPackage

/// Maps the names that programs display to the files of one folder.
///
/// Displayed names have unprintable and unspeakable characters replaced and are trimmed. A .desktop
/// file may appear under its file name or its own name. The folder is read once, or not at all if
/// the cache has its current state. May block.
///
/// For one question about one folder. Not thread-safe.
final class DisplayedNames {
  private let folder: FilePath
  private let starters: DesktopEntryName
  /// `nil` disables caching.
  private let memory: FolderCache?
  /// By displayed name, if it differs from the file name.
  private lazy var files = read()

  /// Limit on .desktop files read.
  private static let mostStarters = 1_000

  init(
    _ folder: FilePath, starters: DesktopEntryName = DesktopEntryName(), memory: FolderCache? = nil
  ) {
    (self.folder, self.starters, self.memory) = (folder, starters, memory)
  }

  /// The only file that this name can mean; `nil` also if a .desktop file has another file's name
  /// as its own. Any doubt is `nil`: a drop must not go to the wrong file.
  func onlyFile(_ name: String) -> FilePath? {
    guard let file = file(name) else { return nil }
    return (files[name] ?? []).allSatisfy { folder.appending($0) == file } ? file : nil
  }

  /// The only file displayed with this name; `nil` if there is none or several. A file of exactly
  /// that name wins.
  func file(_ name: String) -> FilePath? {
    guard !name.isEmpty, !name.contains("/") else { return nil }
    let plain = folder.appending(bytes: Array(name.utf8))
    if (try? FileCalls.status(plain)) != nil { return plain }
    let found = files[name] ?? []
    return found.count == 1 ? found.first.map { folder.appending($0) } : nil
  }

  private func read() -> [String: [FileName]] {
    guard let open = try? FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY),
      let stamp = try? FileCalls.status(of: open.raw)
    else { return [:] }
    // A folder that has just changed may change again within its timestamp's resolution.
    let isLasting = stamp.isSettled
    var names: FolderNames
    if let known = memory?.names(of: stamp, in: starters.languages) {
      names = known
    } else {
      guard let all = try? FileCalls.names(in: open.raw) else { return [:] }
      names = Self.sorted(all, stamp, starters.languages)
    }
    var result = names.odd
    // .desktop files last: each is opened unless its stamp is cached.
    for file in names.starters {
      guard let shown = shown(file, in: open.raw, &names.shown),
        shown != Self.told(String(decoding: Array(file.bytes), as: UTF8.self))
      else { continue }
      result[shown, default: []].append(file)
    }
    if isLasting { memory?.keep(names, of: stamp.identity) }
    return result
  }

  /// Collects .desktop files and files whose displayed names differ. Opens no file.
  private static func sorted(
    _ files: [FileName], _ stamp: FileStamp, _ languages: [String]
  ) -> FolderNames {
    var names = FolderNames(stamp: stamp.recorded, languages: languages)
    for file in files {
      let bytes = Array(file.bytes)
      if !isPlain(bytes) {
        let name = told(String(decoding: bytes, as: UTF8.self))
        if Array(name.utf8) != bytes { names.odd[name, default: []].append(file) }
      }
      if names.starters.count < mostStarters, DesktopEntryName.isStarter(file) {
        names.starters.append(file)
      }
    }
    return names
  }

  /// A .desktop file's own name; `nil` if there is none or it can't be read. Content changes do not
  /// touch the folder, so the cache is keyed by the file's own stamp, with links followed.
  private func shown(
    _ file: FileName, in open: CInt, _ known: inout [FileName: FolderNames.Shown]
  ) -> String? {
    guard let stamp = try? FileCalls.status(open, file, following: true) else { return nil }
    if let before = known[file], before.stamp == stamp.recorded { return before.name }
    let isLasting = stamp.isSettled
    let name = starters.shown(folder.appending(file)).map(Self.told).flatMap {
      $0.isEmpty ? nil : $0
    }
    known[file] = isLasting ? FolderNames.Shown(stamp: stamp.recorded, name: name) : nil
    return name
  }

  /// A fast path for nearly all names: trimmed printable ASCII. `false` does not mean that the
  /// displayed name differs.
  private static func isPlain(_ name: [UInt8]) -> Bool {
    let blank = UInt8(ascii: " ")
    return name.first != blank && name.last != blank
      && name.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// The displayed form of a name: trimmed, with unprintable and unspeakable characters replaced.
  /// Names from disks and from windows are compared in this form.
  static func told(_ name: String) -> String {
    let start = name.firstIndex { !$0.isWhitespace } ?? name.endIndex
    let end = name.lastIndex { !$0.isWhitespace }.map { name.index(after: $0) }
    return SpokenName.clean(String(name[start..<(end ?? start)]))
  }
}

/// A folder's displayed names. Valid for one stamp of the folder and one list of languages; cached
/// by ``FolderCache``.
struct FolderNames: Sendable {
  /// A .desktop file's name, and the file's stamp when it was read.
  struct Shown: Sendable {
    var stamp: RecordedStamp
    var name: String?
  }

  /// Taken before the folder was read.
  var stamp: RecordedStamp
  var languages: [String]
  /// By displayed name, if it differs from the file name.
  var odd: [String: [FileName]] = [:]
  var starters: [FileName] = []
  var shown: [FileName: Shown] = [:]
}

extension FileStamp {
  /// Whether the last change is more than two seconds ago, the coarsest timestamp resolution of
  /// file systems. Future times are never settled.
  fileprivate var isSettled: Bool {
    timespec.now.nanoseconds &- max(modified, changed) > 2_000_000_000
  }
}
