import Glibc
import KeyDragCore
import SystemPackage

/// Something inside a copy that must not be deleted with it.
///
/// Thrown by ``CopyRemoval``, which has given the rest of the copy a name again by then.
struct KeptItem: Error {
  /// Below the copy; empty for the copy itself.
  ///
  /// With a leading "/".
  var path: [UInt8]
  var reason: Reason
}

/// Something of ours still bears a hidden name, or may: recovery has to look after it.
///
/// The step stays under way where this is thrown, and the next run mends it.
struct LeftHidden: Error {
  var reason: Reason

  init(_ error: any Error) { reason = Reason(error) }
}

/// Takes back a copy: the one undo that deletes.
///
/// The copy first leaves the place where others look for it and is proved once more there. Each of
/// its files is looked at again at the moment of its removal. What is not as it was proved stays,
/// and gets its name back with all that is left.
///
/// Two hidden names tell recovery how far it had come. Works on the thread of undo or of recovery.
struct CopyRemoval {
  let copier: TreeCopier
  /// Under ``aside`` it may be anything, under ``part`` it is proved to be ours.
  let aside: FolderEntry
  let part: FolderEntry

  /// Opens nothing and looks at nothing.
  init(_ step: StepRecord, _ entry: EntryRecord, in folder: OpenFolder, _ copier: TreeCopier) {
    self.copier = copier
    aside = FolderEntry(folder, entry.asideName(step.index))
    part = FolderEntry(folder, entry.partName(step.index))
  }

  /// Removes what stands at the target if it is the step's copy, untouched. When this throws
  /// anything but ``LeftHidden``, what is left of the copy stands at the target, or beside it under
  /// a numbered name where the target's was taken meanwhile.
  ///
  /// - Parameter step: holds afterwards how to recognise what could not be removed.
  func remove(_ step: inout StepRecord, at target: FolderEntry) throws {
    // Marks first, proof second: what changes in between differs from the marks at the next look.
    let before = try FileCalls.status(target.folder, target.name)
    let known: Set<UInt64>
    do {
      known = try Self.marks(of: target)
      try Recognition(copier: copier).verify(step, .copy, at: target)
    } catch {
      // What goes away while it is looked at has changed the copy, which is there still.
      guard (error as? Reason) == .changed || (error as? Errno) == .noSuchFileOrDirectory else {
        throw error
      }
      guard let path = try? Self.newest(in: target, step.landed) else { throw Reason.changed }
      throw KeptItem(path: path, reason: .changed)
    }
    if step.source != step.target { try requireOriginals(below: step.source, of: target) }
    // Nobody finds it under its name any more, so that nobody new opens it there.
    try FileCalls.rename(target, to: aside)
    do {
      let now = try FileCalls.status(aside.folder, aside.name)
      // The new name is a change of its own to the root; what is in it has none.
      guard now.identity == before.identity, step.landed.isSame(as: now),
        try Self.marks(of: aside) == known
      else { throw Reason.changed }
      // From here on it is proved, and an interrupted removal may be gone on with.
      try FileCalls.rename(aside, to: part)
    } catch {
      try putBack(aside, to: target)
      throw error
    }
    // Of a file with several names, the last one is left with a mark of its times alone.
    do {
      try removePart { path, stamp, _ in
        known.contains(Self.mark(path, stamp)) || known.contains(EntryDigest.mark(path, stamp))
      }
    } catch {
      let isOurs = (try? isKnown(known)) == true
      try putBack(part, to: target)
      if isOurs { try? recognise(&step, at: target) }
      throw error
    }
  }

  /// Throws `Reason.lastCopy` unless each file has its original, with the same length and time or the
  /// same contents: without it the copy may be the last there is, and what undo removes is gone.
  private func requireOriginals(below source: FilePath, of target: FolderEntry) throws {
    let walk = try TreeWalk(target.folder, target.name)
    while let visit = try walk.next() {
      guard case .item(let name, let stamp) = visit, stamp.kind == .file else { continue }
      copier.beat()
      let original = FilePath(rawBytes: source.rawBytes + walk.path)
      let now = try? FileCalls.status(original)
      // One that the system makes anew has another length each time.
      if let now, now.kind == .file, now.stored == 0,
        let file = try? FileCalls.open(original, flags: O_RDONLY | O_NONBLOCK),
        ContentCopy.isGenerated(now, file.raw)
      {
        continue
      }
      if let now, now.kind == .file, now.size == stamp.size {
        if now.modified == stamp.modified { continue }
        let copy = try copier.contents(of: FolderEntry(folder: walk.folder.raw, name: name))
        if (try? copier.contents(of: OpenPlace(original).place)) == copy { continue }
      }
      throw walk.depth == 0
        ? Reason.lastCopy : KeptItem(path: walk.path, reason: .lastCopy)
    }
  }

  /// Whether nothing was changed or added in what is left.
  ///
  /// Throws where it can't be looked through. Things that are gone already are no change.
  private func isKnown(_ marks: Set<UInt64>) throws -> Bool {
    let walk = try TreeWalk(part.folder, part.name)
    while let visit = try walk.next() {
      switch visit {
      // Of several names of one file the others may have been removed here.
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

  /// What could not be removed is known again by what it is now: the rest can be taken back later.
  ///
  /// The fingerprints are those of the remainder. Throws where it can't be read through; then the
  /// old ones stay, and a later undo refuses.
  private func recognise(_ step: inout StepRecord, at target: FolderEntry) throws {
    let untouched = try TreeInspection.untouched(target)
    let contents = try copier.contents(of: target)
    step.after = try FileCalls.status(target.folder, target.name).recorded
    (step.untouched, step.contents) = (untouched, contents)
  }

  /// Goes on where an earlier run was cut short, with all that has not been changed since it began.
  ///
  /// For recovery, which has no marks of the killed run any more: times have to do.
  ///
  /// - Parameter begun: when the undo was intended, in nanoseconds since 1970.
  func goOn(since begun: Int64, at target: FolderEntry) throws {
    // Under this name nothing was proved: it gets its name back, whole.
    if !FileCalls.isFree(aside.folder, aside.name) {
      try putBack(aside, to: target)
      throw Reason.interrupted
    }
    if FileCalls.isFree(part.folder, part.name) { return }
    do {
      try removePart { _, stamp, isRoot in
        // The root's change time is that of our own renaming.
        stamp.kind == .folder || stamp.modified <= begun && (isRoot || stamp.changed <= begun)
      }
    } catch {
      try putBack(part, to: target)
      throw error
    }
  }

  /// Removes what stands under ``part``, innermost first, and ends at the first thing that is not
  /// known.
  private func removePart(_ isKnown: ([UInt8], FileStamp, _ isRoot: Bool) -> Bool) throws {
    let walk = try TreeWalk(part.folder, part.name, forcing: true, staysOnDisk: true)
    while let visit = try walk.next() {
      copier.beat()
      do {
        switch visit {
        case .item(let name, _):
          try Writers.unlink(walk.folder.raw, name) {
            isKnown(walk.path, $0, walk.depth == 0)
          }
        case .left(let name, _): try FileCalls.unlink(walk.folder.raw, name, isFolder: true)
        case .barred(let reason): throw reason
        case .entered, .leaving: break
        }
      } catch {
        // A folder in which something was added can't be removed: what was added stays.
        let reason = (error as? Errno) == .directoryNotEmpty ? .changed : Reason(error)
        throw KeptItem(path: walk.path, reason: reason)
      }
    }
  }

  /// Gives it its name back, or the next that is free.
  ///
  /// Throws ``LeftHidden`` where it can't be renamed at all.
  private func putBack(_ hidden: FolderEntry, to target: FolderEntry) throws {
    do {
      var number = 0
      var name = target.name
      while true {
        do {
          return try FileCalls.rename(hidden, to: FolderEntry(folder: target.folder, name: name))
        } catch Errno.fileExists {
          name = FreeName.choose(target.name, after: &number) {
            FileCalls.exists(target.folder, $0)
          }
        }
      }
    } catch Errno.noSuchFileOrDirectory {
      return  // All of it has gone but for the report.
    } catch { throw LeftHidden(error) }
  }

  /// One path below the root of a tree that was changed since its root was recorded, as far as that
  /// can be seen; `nil` for none.
  ///
  /// Only files and links are looked at; their change times are compared.
  private static func newest(in place: FolderEntry, _ root: RecordedStamp) throws -> [UInt8]? {
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      if case .item(_, let stamp) = visit, walk.depth > 0, stamp.changed > root.changed {
        return walk.path
      }
    }
    return nil
  }

  /// The marks of everything below the root of a tree, which prove that none of it was written to.
  ///
  /// Blocks while the whole tree is looked at; no contents are read. Throws ``KeptItem`` for what is
  /// mounted in it.
  private static func marks(of place: FolderEntry) throws -> Set<UInt64> {
    var marks: Set<UInt64> = []
    let walk = try TreeWalk(place.folder, place.name, staysOnDisk: true)
    while let visit = try walk.next() {
      switch visit {
      case .item(_, let stamp): marks.insert(mark(walk.path, stamp))
      case .entered(_, let stamp):
        marks.insert(mark(walk.path, stamp))
        // Its times change when something goes out of it.
        marks.insert(EntryDigest.mark(walk.path, stamp))
      case .barred(let reason): throw KeptItem(path: walk.path, reason: reason)
      case .leaving, .left: break
      }
    }
    return marks
  }

  /// The strongest mark that renaming the root and removing other entries leave alone.
  private static func mark(_ path: [UInt8], _ stamp: FileStamp) -> UInt64 {
    // The root's change time is that of its renaming, and one name less changes it for the others.
    path.isEmpty || stamp.links > 1
      ? EntryDigest.mark(path, stamp)
      : UInt64(truncatingIfNeeded: EntryDigest.untouched(path, stamp))
  }
}
