import Glibc
import KeyDragCore
import SystemPackage

/// Moves one thing to a name that must be free, whatever file systems are between.
///
/// For undo and recovery, where nobody is asked for another name. ``StepRunner`` does the same for
/// deliveries, in batches and with intents.
enum Moving {
  /// Removes from one tree all that another holds with the same contents.
  ///
  /// Blocks while both trees are read. Folders go only when that leaves them empty, and what somebody
  /// writes to, or has written to since it was read, stays, as does what can't be read or is mounted there.
  /// Throws at the first thing that can't be removed; the other tree holds what went before.
  ///
  /// - Parameter aside: the tree's name until then.
  static func removeDoubles(
    of kept: FolderEntry, from place: FolderEntry, as aside: FileName, _ copier: TreeCopier
  ) throws {
    var held: Set<UInt128> = []
    try copier.eachContents(of: kept) { digest, _, _ in held.insert(digest) }
    try TreeRemover.removeHidden(place, as: aside) { try remove(held, from: $0, copier) }
  }

  private static func remove(
    _ held: Set<UInt128>, from place: FolderEntry, _ copier: TreeCopier
  ) throws {
    let walk = try TreeWalk(place.folder, place.name, goesOn: true, staysOnDisk: true)
    while let visit = try walk.next() {
      switch visit {
      case .item(let name, let stamp):
        let item = FolderEntry(folder: walk.folder.raw, name: name)
        guard let digest = try? copier.digest(item, stamp, walk.path), held.contains(digest) else {
          continue
        }
        do {
          try OpenWriters.unlink(walk.folder.raw, name) { stamp.recorded.isUntouched($0) }
        } catch
          Reason.inUse, Reason.changed
        {}
      case .left(let name, _): try? FileCalls.unlink(walk.folder.raw, name, isFolder: true)
      case .entered, .leaving, .barred: break
      }
    }
  }

  /// Throws `Reason.nameExists` of the first file of a tree that has the path of one in another, and
  /// other contents. What the other does not have need not be readable. Blocks while both are read.
  private static func requireNoOther(
    in place: FolderEntry, than other: FolderEntry, _ copier: TreeCopier
  ) throws {
    var held: [[UInt8]: UInt128] = [:]
    try copier.eachContents(of: other) { digest, path, kind in
      if kind != .folder { held[path] = digest }
    }
    let walk = try TreeWalk(place.folder, place.name, goesOn: true)
    while let visit = try walk.next() {
      guard case .item(let name, let stamp) = visit, let known = held[walk.path] else { continue }
      let item = FolderEntry(folder: walk.folder.raw, name: name)
      if try copier.digest(item, stamp, walk.path) != known {
        throw UndeletableItem(path: walk.path, reason: .nameExists)
      }
    }
  }

  /// Moves by a rename, or by a copy that is read back before the original goes.
  ///
  /// - Parameter remainder: the inode of that from which all came that could be copied: what was
  ///   left there, or could not be removed, joins it again.
  /// - Throws: `Errno.fileExists` or `Reason.nameExists` where the name is taken, `Reason.bothHold`
  ///   where both ends hold it now, ``HiddenLeftover`` where a hidden copy could not be removed.
  static func move(
    _ from: OpenedEntry, to: OpenedEntry, part: FileName, aside: FileName, _ copier: TreeCopier,
    remainder: UInt64? = nil
  ) throws {
    do {
      try FileCalls.rename(from.place, to: to.place, aside: aside)
      return
    } catch Errno.improperLink {
      // EXDEV: two file systems. The original has to go afterwards, and its folder may not allow
      // it.
      if let refusal = from.folder.refusesChanges() { throw refusal }
    }
    let left = try? FileCalls.status(to.folder.raw, to.name)
    let isRemainder = left != nil && left?.identity.inode == remainder
    if left != nil, !isRemainder { throw Reason.nameExists }
    let growing = FolderEntry(to.folder, part)
    func withoutCopy(_ error: any Error) -> any Error {
      try? TreeRemover.remove(growing, forcing: true, beat: copier.beat)
      return FileCalls.isFree(growing.folder, growing.name) ? error : HiddenLeftover(error)
    }
    let copied: CopyRecord
    do {
      copied = try copier.copy(from: from.place, to: growing, lasting: true)
      // A part that can't be copied could not be removed either: nothing is moved then.
      if let part = copied.leftOut.failures.first { throw part.reason }
      try TreeRemover.rehearse(from.place, marks: copied.marks, beat: copier.beat)
      if isRemainder {
        try requireNoOther(in: to.place, than: growing, copier)
        try? removeDoubles(of: growing, from: to.place, as: aside, copier)
      }
      if FileCalls.isFree(to.folder.raw, to.name) {
        try FileCalls.rename(growing, to: to.place)
      } else {
        try FolderJoin.join(growing, into: to.place)
      }
    } catch { throw withoutCopy(error) }
    do {
      // The name has to be on the device before the only other copy goes.
      try to.folder.flush()
      try TreeRemover.removeHidden(from.place, as: aside) {
        try TreeRemover.remove($0, marks: copied.marks, beat: copier.beat)
      }
    } catch let error as HiddenLeftover { throw error } catch {
      // Among what was joined are things that have never been anywhere else.
      guard !isRemainder,
        (try? TreeRemover.isWhole(from.place, marks: copied.marks)) == true,
        (try? FileCalls.rename(to.place, to: growing)) != nil
      else { throw Reason.bothHold }
      // Nobody new opens it under that name.
      guard (try? TreeRemover.isUnused(growing)) == true else {
        do { try FileCalls.rename(growing, to: to.place) } catch { throw HiddenLeftover(error) }
        throw Reason.bothHold
      }
      throw withoutCopy(error)
    }
  }
}
