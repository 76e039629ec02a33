import Glibc
import SystemPackage

/// Read-only checks of trees. Each walks the whole tree and blocks for as long as that takes.
enum TreeInspection {
  /// Total file size in a tree, including holes and without unreadable files. Throws only if the
  /// root can't be read or on cancellation.
  static func bytes(of place: FolderEntry, meter: ProgressMeter) throws -> Int64 {
    var total: Int64 = 0
    let walk = try TreeWalk(place.folder, place.name, goesOn: true)
    while let visit = try walk.next() {
      try meter.check()
      if case .item(_, let stamp) = visit, stamp.kind == .file { total &+= stamp.size }
    }
    return total
  }

  /// Digest of everything below the root, by inode and times. Throws if any of it can't be read.
  /// The root is excluded: its stamp is compared separately.
  static func untouched(_ place: FolderEntry) throws -> Fingerprint {
    var result = Fingerprint()
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      switch visit {
      case .entered(_, let stamp) where walk.depth > 1:
        result.add(EntryDigest.untouched(walk.path, stamp))
      case .item(_, let stamp) where walk.depth > 0:
        result.add(EntryDigest.untouched(walk.path, stamp))
      case .entered, .item, .leaving, .left, .barred: break
      }
    }
    return result
  }

  /// The folder and all its ancestors up to the file system's root. Holds one descriptor at a time.
  static func ancestors(of folder: CInt) throws -> Set<FileIdentity> {
    var result: Set<FileIdentity> = []
    var current = OwnedDescriptor(
      owning: try FileCalls.checked { fcntl(folder, F_DUPFD_CLOEXEC, 0) })
    while result.insert(try FileCalls.status(of: current.raw).identity).inserted {
      current = try FileCalls.openParent(of: current.raw)
    }
    return result
  }
}
