import Glibc
import KeyDragThreads
import SystemPackage

/// Breadth-first search by name for a folder that a program watches, from the home folder and the
/// mount points. Limited in number and time, because the user waits: a home folder may be large, and
/// its disk slow. May block.
struct FolderSearch {
  /// Missing roots count as empty.
  var roots: [FilePath] = [StandardFolders.home, "/media", "/run/media", "/mnt"]
  /// Limit on folders read.
  var most = 4_000
  var depth = 8
  /// How long folders are read.
  var patience: Milliseconds = 1_000

  struct Result {
    var found: [FilePath] = []
    var isWhole = false
  }

  /// The folders with this name that `isWatched` accepts. Stops at the second: two are ambiguous,
  /// and the caller uses neither.
  func folders(called name: String, where isWatched: (FilePath) -> Bool) -> [FilePath] {
    result(called: name, where: isWatched).found
  }

  func result(called name: String, where isWatched: (FilePath) -> Bool) -> Result {
    let wanted = FileName(name)
    var found: [FilePath] = []
    var level = roots
    var left = most
    let end = MonotonicClock.now + patience
    for _ in 0..<depth where !level.isEmpty {
      var next: [FilePath] = []
      for folder in level where left > 0 {
        left = MonotonicClock.now < end ? left - 1 : 0
        for inner in Self.folders(in: folder) {
          let path = folder.appending(inner)
          if inner == wanted, !found.contains(path), isWatched(path) {
            found.append(path)
            if found.count == 2 { return Result(found: found) }
          }
          next.append(path)
        }
      }
      level = next
    }
    return Result(found: found, isWhole: level.isEmpty && left > 0)
  }

  /// Skips hidden folders and links; empty for a folder that can't be read.
  private static func folders(in folder: FilePath) -> [FileName] {
    guard let open = try? FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
      let names = try? FileCalls.names(in: open.raw)
    else { return [] }
    return names.filter { name in
      name.bytes.first != UInt8(ascii: ".")
        && (try? FileCalls.status(open.raw, name))?.kind == .folder
    }
  }
}
