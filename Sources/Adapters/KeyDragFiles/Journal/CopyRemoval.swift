import Glibc
import KeyDragCore
import SystemPackage

/// An entry of a copy that must not be deleted. ``CopyRemoval`` throws it after restoring the
/// rest's name.
struct UndeletableItem: Error {
  /// Below the copy, with a leading "/"; empty for the copy itself.
  var path: [UInt8]
  var reason: Reason
}

/// Undoes a copy: the only undo that deletes.
///
/// First moves the copy out of sight and verifies it again there. Each file is checked once more at
/// its removal. Whatever differs stays, and gets its name back with everything left.
///
/// Two hidden names tell recovery how far it came. Runs on the thread of undo or recovery.
struct CopyRemoval {
  let copier: TreeCopier
  /// Unverified under ``aside``, verified to be ours under ``part``.
  let aside: FolderEntry
  let part: FolderEntry

  init(_ step: StepRecord, _ entry: EntryRecord, in folder: OpenFolder, _ copier: TreeCopier) {
    self.copier = copier
    aside = FolderEntry(folder, entry.asideName(step.index))
    part = FolderEntry(folder, entry.partName(step.index))
  }

  /// Removes the target if it is the step's unmodified copy. On any error but ``HiddenLeftover``, the
  /// rest of the copy is back at the target, or under a numbered name if that was taken meanwhile.
  ///
  /// - Parameter step: updated to recognise what could not be removed.
  func remove(_ step: inout StepRecord, at target: FolderEntry) throws {
    // Marks first, then verification: changes in between show up at the next check.
    let before = try FileCalls.status(target.folder, target.name)
    let known: Set<UInt64>
    do {
      known = try Self.marks(of: target)
      try Recognition(copier: copier).verify(step, .copy, at: target)
    } catch {
      // A file that vanished during the check has changed the copy, which still exists.
      guard (error as? Reason) == .changed || (error as? Errno) == .noSuchFileOrDirectory else {
        throw error
      }
      guard let path = try? Self.newest(in: target, step.landed) else { throw Reason.changed }
      throw UndeletableItem(path: path, reason: .changed)
    }
    if step.source != step.target { try requireOriginals(below: step.source, of: target) }
    // From here on nothing else opens it by its name.
    try FileCalls.rename(target, to: aside)
    do {
      let now = try FileCalls.status(aside.folder, aside.name)
      // The rename changes only the root, not its contents.
      guard now.identity == before.identity, step.landed.isSame(as: now),
        try Self.marks(of: aside) == known
      else { throw Reason.changed }
      // Verified: an interrupted removal may be continued from here.
      try FileCalls.rename(aside, to: part)
    } catch {
      try TreeRemover.putBack(aside, to: target)
      throw error
    }
    // The last of several hard links has only the mark of its times left.
    do {
      try removePart { path, stamp, _ in
        known.contains(Self.mark(path, stamp)) || known.contains(EntryDigest.mark(path, stamp))
      }
    } catch {
      let isOurs = (try? isKnown(known)) == true
      try TreeRemover.putBack(part, to: target)
      if isOurs { try? recognise(&step, at: target) }
      throw error
    }
  }

  /// Throws `Reason.lastCopy` unless each file has an original with the same size and time or the
  /// same contents: otherwise undo might delete the last copy.
  private func requireOriginals(below source: FilePath, of target: FolderEntry) throws {
    let walk = try TreeWalk(target.folder, target.name)
    while let visit = try walk.next() {
      guard case .item(let name, let stamp) = visit, stamp.kind == .file else { continue }
      copier.beat()
      let original = FilePath(rawBytes: source.rawBytes + walk.path)
      let now = try? FileCalls.status(original)
      // Generated files have another size each time.
      if let now, now.kind == .file, now.stored == 0,
        let file = try? FileCalls.open(original, flags: O_RDONLY | O_NONBLOCK),
        ContentCopy.isGenerated(now, file.raw)
      {
        continue
      }
      if let now, now.kind == .file, now.size == stamp.size {
        if now.modified == stamp.modified { continue }
        let copy = try copier.contents(of: FolderEntry(folder: walk.folder.raw, name: name))
        if (try? copier.contents(of: OpenedEntry(original).place)) == copy { continue }
      }
      throw walk.depth == 0
        ? Reason.lastCopy : UndeletableItem(path: walk.path, reason: .lastCopy)
    }
  }

  /// Whether nothing was changed or added in the rest; entries already removed don't count. Throws
  /// if it can't be read.
  private func isKnown(_ marks: Set<UInt64>) throws -> Bool {
    let walk = try TreeWalk(part.folder, part.name)
    while let visit = try walk.next() {
      switch visit {
      // Other hard links to the file may have been removed here.
      case .item(_, let stamp)
      where !marks.contains(Self.mark(walk.path, stamp))
        && !marks.contains(EntryDigest.mark(walk.path, stamp)):
        return false
      case .entered(_, let stamp) where !marks.contains(EntryDigest.mark(walk.path, stamp)):
        return false
      case .item, .entered, .leaving, .left, .barred: break
      }
    }
    return true
  }

  /// Records the remainder's state, so that a later undo can remove it. Throws if it can't be read;
  /// then the old record stays, and a later undo refuses.
  private func recognise(_ step: inout StepRecord, at target: FolderEntry) throws {
    let untouched = try TreeInspection.untouched(target)
    let contents = try copier.contents(of: target)
    step.after = try FileCalls.status(target.folder, target.name).recorded
    (step.untouched, step.contents) = (untouched, contents)
  }

  /// Continues an interrupted removal with everything unchanged since it started. For recovery,
  /// which has no marks of the killed run and uses times instead.
  ///
  /// - Parameter begun: time of the undo's intent, in nanoseconds since 1970.
  func goOn(since begun: Int64, at target: FolderEntry) throws {
    // Not verified yet: restores its name.
    if !FileCalls.isFree(aside.folder, aside.name) {
      try TreeRemover.putBack(aside, to: target)
      throw Reason.interrupted
    }
    if FileCalls.isFree(part.folder, part.name) { return }
    do {
      try removePart { _, stamp, isRoot in
        // The root's change time is that of our own rename.
        stamp.kind == .folder || stamp.modified <= begun && (isRoot || stamp.changed <= begun)
      }
    } catch {
      try TreeRemover.putBack(part, to: target)
      throw error
    }
  }

  /// Removes everything under ``part``, innermost first, up to the first unknown entry.
  private func removePart(_ isKnown: ([UInt8], FileStamp, _ isRoot: Bool) -> Bool) throws {
    let walk = try TreeWalk(part.folder, part.name, forcing: true, staysOnDisk: true)
    while let visit = try walk.next() {
      copier.beat()
      do {
        switch visit {
        case .item(let name, _):
          try OpenWriters.unlink(walk.folder.raw, name) {
            isKnown(walk.path, $0, walk.depth == 0)
          }
        case .left(let name, _): try FileCalls.unlink(walk.folder.raw, name, isFolder: true)
        case .barred(let reason): throw reason
        case .entered, .leaving: break
        }
      } catch {
        // A nonempty folder: something was added, which stays.
        let reason = (error as? Errno) == .directoryNotEmpty ? .changed : Reason(error)
        throw UndeletableItem(path: walk.path, reason: reason)
      }
    }
  }

  /// A file or link below the root that changed after the root was recorded, by change time; `nil`
  /// if there is none.
  private static func newest(in place: FolderEntry, _ root: RecordedStamp) throws -> [UInt8]? {
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      if case .item(_, let stamp) = visit, walk.depth > 0, stamp.changed > root.changed {
        return walk.path
      }
    }
    return nil
  }

  /// Marks of all entries below a root, which prove that none was modified. Reads no contents.
  private static func marks(of place: FolderEntry) throws -> Set<UInt64> {
    var marks: Set<UInt64> = []
    let walk = try TreeWalk(place.folder, place.name, staysOnDisk: true)
    while let visit = try walk.next() {
      switch visit {
      case .item(_, let stamp): marks.insert(mark(walk.path, stamp))
      case .entered(_, let stamp):
        marks.insert(mark(walk.path, stamp))
        // Its times change when an entry is removed.
        marks.insert(EntryDigest.mark(walk.path, stamp))
      case .barred(let reason): throw UndeletableItem(path: walk.path, reason: reason)
      case .leaving, .left: break
      }
    }
    return marks
  }

  /// The strongest mark that survives renaming the root and removing other entries.
  private static func mark(_ path: [UInt8], _ stamp: FileStamp) -> UInt64 {
    // A rename updates the root's change time, and removing a hard link that of the others.
    path.isEmpty || stamp.links > 1
      ? EntryDigest.mark(path, stamp)
      : UInt64(truncatingIfNeeded: EntryDigest.untouched(path, stamp))
  }
}
