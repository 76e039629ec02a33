import Glibc
import SystemPackage

/// Looks at trees without changing them.
///
/// Each look walks the whole tree and blocks as long as that takes.
enum TreeInspection {
  /// The bytes of file contents in a tree; what cannot be read counts nothing.
  ///
  /// Length as stat(2) says, holes included. Throws only where the root can't be looked at, or the
  /// person stops it.
  static func bytes(of place: FolderEntry, meter: Meter) throws -> Int64 {
    var total: Int64 = 0
    let walk = try TreeWalk(place.folder, place.name, goesOn: true)
    while let visit = try walk.next() {
      try meter.check()
      if case .item(_, let stamp) = visit, stamp.kind == .file { total &+= stamp.size }
    }
    return total
  }

  /// Digest of what is below the root of a tree, by inode and times.
  ///
  /// Throws where any of it can't be read. The root itself is left out: its own stamp is compared
  /// apart.
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

  /// The folder itself and every folder around it, up to the root of the file system.
  ///
  /// By inode. Ends at the root, which is its own parent. Costs one descriptor at a time.
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
