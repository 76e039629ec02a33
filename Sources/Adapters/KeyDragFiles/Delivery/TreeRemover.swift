import Glibc
import KeyDragCore
import SystemPackage

/// Something of ours has or may have a hidden name. The step stays under way, for recovery.
struct HiddenLeftover: Error {
  var reason: Reason

  init(_ error: any Error) { reason = Reason(error) }
}

/// Removes trees entry by entry. With marks, removes only recorded entries. Keeps files that are
/// open for writing, unless they are ours or are deleted permanently.
enum TreeRemover {
  /// Removes a file, a symbolic link or a folder tree. Not undone on an error.
  ///
  /// - Parameters:
  ///   - marks: if given, only entries with one of these marks are removed. The first other entry
  ///     throws `Reason.changed`, and a file open for writing throws `Reason.inUse`.
  ///   - leaving: entries to keep, with their ancestors.
  ///   - forcing: whether the tree is ours, so that inaccessible folders are made accessible.
  ///   - isPermanentDeletion: whether the user deletes it permanently, even if it is open for writing.
  ///   - beat: called before each entry; its errors end the removal.
  ///   - gone: called after each entry.
  static func remove(
    _ place: FolderEntry, marks: Set<UInt64>? = nil, leaving: SkippedEntries = SkippedEntries(),
    forcing: Bool = false, isPermanentDeletion: Bool = false, beat: () throws -> Void = {},
    gone: () -> Void = {}
  ) throws {
    func unlink(_ folder: CInt, _ name: FileName, _ path: [UInt8]) throws {
      if isPermanentDeletion || forcing { return try FileCalls.unlink(folder, name) }
      // Checked again at removal: the mark may be outdated by now.
      try OpenWriters.unlink(folder, name) { stamp in
        marks.map { $0.contains(EntryDigest.mark(path, stamp)) } ?? true
      }
    }
    if marks == nil, leaving.paths.isEmpty {
      try beat()
      // Fast path without a walk, which needs descriptors that may be exhausted. Fails with EISDIR
      // for a folder, which is then walked.
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
      // A mount point, possibly mounted meanwhile.
      case .barred(let reason): throw reason
      case .item(let name, _):
        try unlink(walk.folder.raw, name, walk.path)
        gone()
      // Before its rmdir(2); a folder's mark does not depend on its contents.
      case .leaving(_, let stamp):
        try check(walk.path, stamp, marks)
      case .left(let name, _):
        if leaving.enclosing.contains(walk.path) { continue }
        try FileCalls.unlink(walk.folder.raw, name, isFolder: true)
        gone()
      }
    }
  }

  /// Has a tree removed under a hidden name. What remains gets its name back, or the next free one.
  ///
  /// A program that opens a file between the check and the removal waits for the lease's end, and then
  /// writes to a file without a name. It can't find a hidden one. A tree that the file system can't rename
  /// in one call is removed under its own name: its way back could fail.
  ///
  /// - Throws: ``HiddenLeftover`` if the name can't be restored, otherwise the removal's error.
  static func removeHidden(
    _ place: FolderEntry, as aside: FileName, _ remove: (FolderEntry) throws -> Void
  ) throws {
    let hidden = FolderEntry(folder: place.folder, name: aside)
    do { try FileCalls.renameAtOnce(place.folder, place.name, to: place.folder, aside) } catch {
      return try remove(place)
    }
    do { try remove(hidden) } catch {
      try putBack(hidden, to: place)
      throw error
    }
    try putBack(hidden, to: place)
  }

  /// Restores a name, or the next free one. No-op if nothing has the hidden name.
  ///
  /// - Throws: ``HiddenLeftover`` if it can't be renamed at all.
  static func putBack(_ hidden: FolderEntry, to place: FolderEntry) throws {
    if FileCalls.isFree(hidden.folder, hidden.name) { return }
    do {
      var number = 0
      var name = place.name
      while true {
        do {
          return try FileCalls.rename(hidden, to: FolderEntry(folder: place.folder, name: name))
        } catch Errno.fileExists {
          name = FreeName.choose(place.name, after: &number) {
            FileCalls.exists(place.folder, $0)
          }
        }
      }
    } catch Errno.noSuchFileOrDirectory {
      return  // Everything was removed, even if an error was reported.
    } catch { throw HiddenLeftover(error) }
  }

  /// Whether no file of a tree is open for writing.
  static func isUnused(_ place: FolderEntry) throws -> Bool {
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      guard case .item(let name, let stamp) = visit, stamp.kind == .file else { continue }
      if !OpenWriters.hasNoWriters(of: name, in: walk.folder.raw) { return false }
    }
    return true
  }

  /// Throws why the removal would fail, as far as that is known without removing anything. Later
  /// changes are found by the removal itself.
  static func rehearse(
    _ place: FolderEntry, marks: Set<UInt64>, leaving: SkippedEntries = SkippedEntries(),
    beat: () -> Void = {}
  ) throws {
    let walk = try TreeWalk(place.folder, place.name, skipping: leaving.paths)
    while let visit = try walk.next() {
      beat()
      switch visit {
      case .entered(_, let stamp):
        try check(walk.path, stamp, marks)
        // Removing entries needs write and search permission.
        try FileCalls.checked { faccessat(walk.folder.raw, ".", W_OK | X_OK, AT_EACCESS) }
      case .item(let name, let stamp):
        try check(walk.path, stamp, marks)
        if stamp.kind == .file, !OpenWriters.hasNoWriters(of: name, in: walk.folder.raw) {
          throw Reason.inUse
        }
      case .leaving, .left, .barred: break
      }
    }
  }

  /// Whether all marked entries are still there. Throws `Reason.changed` for the first entry
  /// without a mark.
  static func isWhole(
    _ place: FolderEntry, marks: Set<UInt64>, leaving: SkippedEntries = SkippedEntries()
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

  /// No-op without marks.
  private static func check(_ path: [UInt8], _ stamp: FileStamp, _ marks: Set<UInt64>?) throws {
    guard let marks else { return }
    if !marks.contains(EntryDigest.mark(path, stamp)) { throw Reason.changed }
  }
}
