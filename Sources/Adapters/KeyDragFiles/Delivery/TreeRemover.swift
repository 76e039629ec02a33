import Glibc
import KeyDragCore
import SystemPackage

/// Removes whole trees, entry by entry.
///
/// Without marks it removes whatever it finds; with marks only what was recorded before. What
/// somebody has open for writing stays, unless it is ours or a person has it deleted for good.
enum TreeRemover {
  /// Removes a file, a symbolic link or a folder with all that is in it.
  ///
  /// Not undone when it throws: what has gone is gone.
  ///
  /// - Parameters:
  ///   - marks: when given, only what bears one of these marks goes; the first other thing ends it
  ///     with `Reason.changed`. A file that somebody writes to ends it with `Reason.inUse`.
  ///   - leaving: what stays, with the folders around it.
  ///   - forcing: whether it is ours alone: folders that do not allow it are made to.
  ///   - isForGood: whether a person has it deleted, whoever writes to it.
  ///   - beat: called before each; what it throws ends the removal.
  ///   - gone: called after each.
  static func remove(
    _ place: FolderEntry, marks: Set<UInt64>? = nil, leaving: LeftOut = LeftOut(),
    forcing: Bool = false, isForGood: Bool = false, beat: () throws -> Void = {},
    gone: () -> Void = {}
  ) throws {
    func unlink(_ folder: CInt, _ name: FileName, _ path: [UInt8]) throws {
      if isForGood || forcing { return try FileCalls.unlink(folder, name) }
      // Looked at again at the moment it goes: the mark may have been true a moment ago only.
      try Writers.unlink(folder, name) { stamp in
        marks.map { $0.contains(EntryDigest.mark(path, stamp)) } ?? true
      }
    }
    if marks == nil, leaving.paths.isEmpty {
      try beat()
      // A file goes without a walk, which takes descriptors: there may be no more of them.
      // EISDIR for a folder, which then is walked.
      do {
        try unlink(place.folder, place.name, [])
        return gone()
      } catch Reason.inUse { throw Reason.inUse } catch {}
    }
    let walk = try TreeWalk(
      place.folder, place.name, forcing: forcing, staysOnDisk: true, skipping: leaving.paths)
    while let visit = try walk.next() {
      try beat()
      switch visit {
      case .entered: break
      // Mounted there, perhaps meanwhile.
      case .barred(let reason): throw reason
      case .item(let name, _):
        try unlink(walk.folder.raw, name, walk.path)
        gone()
      // Before rmdir(2) on it; a folder's mark does not change when its contents go.
      case .leaving(_, let stamp):
        try check(walk.path, stamp, marks)
      case .left(let name, _):
        if leaving.enclosing.contains(walk.path) { continue }
        try FileCalls.unlink(walk.folder.raw, name, isFolder: true)
        gone()
      }
    }
  }

  /// Whether nobody has any file of a tree open for writing.
  static func isUnused(_ place: FolderEntry) throws -> Bool {
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      guard case .item(let name, let stamp) = visit, stamp.kind == .file else { continue }
      if !Writers.areNone(of: name, in: walk.folder.raw) { return false }
    }
    return true
  }

  /// Throws why ``remove(_:marks:leaving:forcing:beat:gone:)`` would not get to the end, as far as
  /// that can be seen without removing anything.
  ///
  /// Nothing else is promised: what changes afterwards is found by the removal itself.
  static func rehearse(
    _ place: FolderEntry, marks: Set<UInt64>, leaving: LeftOut = LeftOut(), beat: () -> Void = {}
  ) throws {
    let walk = try TreeWalk(place.folder, place.name, skipping: leaving.paths)
    while let visit = try walk.next() {
      beat()
      switch visit {
      case .entered(_, let stamp):
        try check(walk.path, stamp, marks)
        // Entries can be removed only where the folder may be written and searched.
        try FileCalls.checked { faccessat(walk.folder.raw, ".", W_OK | X_OK, AT_EACCESS) }
      case .item(let name, let stamp):
        try check(walk.path, stamp, marks)
        if stamp.kind == .file, !Writers.areNone(of: name, in: walk.folder.raw) {
          throw Reason.inUse
        }
      case .leaving, .left, .barred: break
      }
    }
  }

  /// Whether all that bears one of these marks is still there, and nothing else.
  ///
  /// Throws `Reason.changed` at the first thing that bears none of the marks.
  static func isWhole(
    _ place: FolderEntry, marks: Set<UInt64>, leaving: LeftOut = LeftOut()
  ) throws -> Bool {
    var count = 0
    let walk = try TreeWalk(place.folder, place.name, skipping: leaving.paths)
    while let visit = try walk.next() {
      switch visit {
      case .entered(_, let stamp), .item(_, let stamp):
        try check(walk.path, stamp, marks)
        count += 1
      case .leaving, .left, .barred: break
      }
    }
    return count == marks.count
  }

  /// Nothing to check without marks.
  private static func check(_ path: [UInt8], _ stamp: FileStamp, _ marks: Set<UInt64>?) throws {
    guard let marks else { return }
    if !marks.contains(EntryDigest.mark(path, stamp)) { throw Reason.changed }
  }
}
