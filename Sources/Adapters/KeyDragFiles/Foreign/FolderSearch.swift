import Glibc
import SystemPackage

/// Looks for a folder of a name among those that a program watches, where no path is told: from the
/// person's home and from what is mounted for them, nearest first.
///
/// Bounded, because it is done while a person waits.
///
/// Breadth first. May block, as long as 4,000 folders take.
struct FolderSearch {
  /// Those that are not there are empty.
  var roots: [FilePath]
  /// How many folders are looked into.
  var most: Int
  /// How many levels below a root.
  var depth: Int

  init(roots: [FilePath] = FolderSearch.usual, most: Int = 4_000, depth: Int = 8) {
    (self.roots, self.most, self.depth) = (roots, most, depth)
  }

  private static var usual: [FilePath] { [StandardFolders.home, "/media", "/run/media", "/mnt"] }

  /// The folders found, and whether all was looked through.
  struct Result {
    var found: [FilePath] = []
    var isWhole = false
  }

  /// The folders with this name that `isWatched` says yes to; the search ends with the second.
  ///
  /// Two mean that nobody knows which: the caller takes none then.
  func folders(called name: String, where isWatched: (FilePath) -> Bool) -> [FilePath] {
    result(called: name, where: isWatched).found
  }

  /// The same, with how far it has come.
  func result(called name: String, where isWatched: (FilePath) -> Bool) -> Result {
    let wanted = FileName(name)
    var found: [FilePath] = []
    var level = roots
    var left = most
    for _ in 0..<depth where !level.isEmpty {
      var next: [FilePath] = []
      for folder in level where left > 0 {
        left -= 1
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

  /// Hidden folders are left out, and so is what links lead to.
  ///
  /// Empty for a folder that may not be read.
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
