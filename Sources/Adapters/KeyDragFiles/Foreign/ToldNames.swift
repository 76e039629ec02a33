import Glibc
import KeyDragCore
import SystemPackage

/// Files of one folder by the names under which programs show them.
///
/// Names come from a program's window with everything replaced that a terminal or a voice could not
/// bear, and without blanks around them; starters by their files' names or by their own, as the
/// program pleases. The folder is read once, and not at all while it is as the memory knows it.
/// May block.
///
/// For one question about one folder. Not for two threads.
final class ToldNames {
  private let folder: FilePath
  private let starters: StarterName
  /// `nil` for none: the folder is then read each time.
  private let memory: FolderMemory?
  /// By the names that differ from the files' own; `nil` until it is read.
  private var files: [String: [FileName]]?

  /// More starters than this are not read.
  private static let mostStarters = 1_000

  init(
    _ folder: FilePath, starters: StarterName = StarterName(), memory: FolderMemory? = nil
  ) {
    (self.folder, self.starters, self.memory) = (folder, starters, memory)
  }

  /// The one file that can be meant; `nil` also where a starter is shown by the name of another
  /// file.
  ///
  /// A drop must not go to the wrong one: any doubt is `nil`.
  func onlyFile(_ name: String) -> FilePath? {
    guard let file = file(name) else { return nil }
    return (told()[name] ?? []).allSatisfy { folder.appending($0) == file } ? file : nil
  }

  /// The one file that is told so; `nil` when there is none, or when there are several.
  ///
  /// A file of just that name comes first.
  func file(_ name: String) -> FilePath? {
    guard !name.isEmpty, !name.contains("/") else { return nil }
    let plain = folder.appending(bytes: Array(name.utf8))
    if (try? FileCalls.status(plain)) != nil { return plain }
    let found = told()[name] ?? []
    return found.count == 1 ? found.first.map { folder.appending($0) } : nil
  }

  /// Reads the folder once for this object.
  private func told() -> [String: [FileName]] {
    if let files { return files }
    let result = read()
    files = result
    return result
  }

  /// Empty where the folder can't be read.
  private func read() -> [String: [FileName]] {
    guard let open = try? FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY),
      let stamp = try? FileCalls.status(of: open.raw)
    else { return [:] }
    // A folder that has just changed may change again without its time telling.
    let isLasting = stamp.isSettled
    var names: FolderNames
    if let known = memory?.names(of: stamp, in: starters.languages) {
      names = known
    } else {
      guard let all = try? FileCalls.names(in: open.raw) else { return [:] }
      names = Self.sorted(all, stamp, starters.languages)
    }
    var result = names.odd
    // Starters last: each is opened, unless its stamp is known.
    for file in names.starters {
      guard let shown = shown(file, in: open.raw, &names.shown),
        shown != Self.told(String(decoding: Array(file.bytes), as: UTF8.self))
      else { continue }
      result[shown, default: []].append(file)
    }
    if isLasting { memory?.keep(names, of: stamp.identity) }
    return result
  }

  /// Files whose names are shown otherwise, and starters. No file is opened.
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
      if names.starters.count < mostStarters, StarterName.isStarter(file) {
        names.starters.append(file)
      }
    }
    return names
  }

  /// The name that a starter gives itself. What it contains changes without a trace in its folder,
  /// so that its own times are asked each time, those of the file that a link leads to.
  ///
  /// `nil` where it has none, or can't be read.
  private func shown(
    _ file: FileName, in open: CInt, _ known: inout [FileName: FolderNames.Shown]
  ) -> String? {
    var status = stat()
    guard file.withPointer({ fstatat(open, $0, &status, 0) }) == 0 else { return nil }
    let stamp = FileStamp(status)
    if let before = known[file], before.stamp == stamp.recorded { return before.name }
    let isLasting = stamp.isSettled
    let name = starters.shown(folder.appending(file)).map(Self.told).flatMap {
      $0.isEmpty ? nil : $0
    }
    known[file] = isLasting ? FolderNames.Shown(stamp: stamp.recorded, name: name) : nil
    return name
  }

  /// Whether it is told as it is, as nearly all are.
  ///
  /// Printable ASCII without blanks at its ends. A name that is not may still be told as it is.
  private static func isPlain(_ name: [UInt8]) -> Bool {
    let blank = UInt8(ascii: " ")
    return name.first != blank && name.last != blank
      && name.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// A name as it is told: everything replaced that a terminal or a voice could not bear, and
  /// without blanks around it.
  ///
  /// The same for names that come from disks and from windows, so that they compare.
  static func told(_ name: String) -> String {
    let start = name.firstIndex { !$0.isWhitespace } ?? name.endIndex
    let end = name.lastIndex { !$0.isWhitespace }.map { name.index(after: $0) }
    return SpokenName.clean(String(name[start..<(end ?? start)]))
  }
}

/// The names by which a folder's files are shown, as read from it.
///
/// Good for one stamp of the folder and one list of languages; kept by ``FolderMemory``.
struct FolderNames: Sendable {
  /// The name of a starter, and the stamp of its file when that was read.
  struct Shown: Sendable {
    var stamp: RecordedStamp
    /// `nil` where it has none of its own.
    var name: String?
  }

  /// The folder before it was read.
  var stamp: RecordedStamp
  /// The languages that starters were read in.
  var languages: [String]
  /// Files that are told otherwise than they are called.
  var odd: [String: [FileName]] = [:]
  /// At most 1,000.
  var starters: [FileName] = []
  /// By the starter's file.
  var shown: [FileName: Shown] = [:]
}

extension FileStamp {
  /// Whether its last change is so long ago that another one would show: some file systems count in
  /// steps of two seconds.
  ///
  /// In nanoseconds; a time that lies ahead is never settled.
  fileprivate var isSettled: Bool {
    timespec.now.nanoseconds &- max(modified, changed) > 2_000_000_000
  }
}
