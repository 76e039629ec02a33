import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Runs steps: the part of a delivery that changes the disk. Belongs to the delivery's thread.
///
/// Nothing gets its final name before it is complete. A failing step throws and leaves the others
/// alone. Deviations from the intent are journaled before they happen, by
/// ``JournalWriter/redirect(_:)``.
final class StepRunner {
  let meter: ProgressMeter
  let copier: TreeCopier
  let trash: TrashCan
  private let writer: JournalWriter
  /// Names delivered so far, which are never replaced.
  private var arrived: Set<NameInFolder> = []
  /// The same by inode if replacing is allowed, since other spellings may lead to the same file.
  private var landed: Set<FileIdentity> = []
  private var pendingRemovals: [PendingSourceRemoval] = []
  /// Trash notes that may not be flushed yet.
  private var notes: [(slot: TrashSlot, name: FileName)] = []

  /// A source to remove after its copy to another file system.
  private struct PendingSourceRemoval {
    var step: Step
    /// Only entries with one of these marks are removed.
    var marks: Set<UInt64>
  }

  /// Pending removals per flush of the target folder.
  private static let removalsPerFlush = 64

  init(meter: ProgressMeter, trash: TrashCan, writer: JournalWriter) {
    self.meter = meter
    self.trash = trash
    self.writer = writer
    copier = TreeCopier(meter: meter)
  }

  /// Runs one step and stores in it where it landed, or the copy that still has to be flushed and
  /// landed.
  ///
  /// Blocks on disk I/O. If this throws, the source is unchanged, except for a permanent removal in
  /// progress (``Step/isBegun``).
  func take(_ step: inout Step) throws {
    try meter.check()
    switch step.operation {
    case .copy where step.record.makesFolder(by: .copy): try make(&step)
    case .copy: try copy(&step)
    case .move where step.removesEmptied: try removeEmptied(step)
    case .move: try move(&step)
    case .link: try link(&step)
    case .remove: try remove(&step)
    case .open: throw Reason.operationNotOffered
    }
    // A copy arrives in ``land(_:)``.
    if step.copied == nil { noteArrival(step) }
  }

  /// Whether enough removals are pending to be worth a flush.
  var shouldRemoveSources: Bool { pendingRemovals.count >= Self.removalsPerFlush }

  /// A source that could not be removed, so that its step can't stay done.
  struct SourceRemovalFailure {
    /// `Reason.bothHold` if the copy stays; otherwise nothing has landed.
    var reason: Reason
    /// Whether recovery has to remove the copy, which has its hidden name again.
    var isLeft = false
  }

  /// Flushes copies on other file systems, then removes their sources. May take long. Call before
  /// the batch is journaled as done.
  ///
  /// - Returns: the failures, by step index.
  func removeSources() -> [Int64: SourceRemovalFailure] {
    defer { pendingRemovals = [] }
    var failures: [Int64: SourceRemovalFailure] = [:]
    // A failed flush fails the whole folder: a second one would not report the first one's loss.
    var flushed: [FileIdentity: Result<Void, any Error>] = [:]
    for departure in pendingRemovals {
      let step = departure.step
      do {
        let folder = step.targetFolder
        let flush = flushed[folder.stamp.identity] ?? Result { try folder.flush() }
        flushed[folder.stamp.identity] = flush
        // Flushes first: a power cut after the removal could otherwise lose both names.
        try flush.get()
        try TreeRemover.removeHidden(step.source, as: step.aside) {
          try TreeRemover.remove(
            $0, marks: departure.marks, leaving: step.leftOut, beat: meter.beat)
        }
      } catch is HiddenLeftover {
        failures[step.record.index] = SourceRemovalFailure(reason: .bothHold, isLeft: true)
      } catch {
        failures[step.record.index] = takeBack(departure, taking(error, step))
      }
    }
    return failures
  }

  /// Removes the copy if its source is still complete. If either was modified, both stay.
  private func takeBack(_ departure: PendingSourceRemoval, _ reason: Reason) -> SourceRemovalFailure
  {
    var step = departure.step
    guard let after = step.record.after,
      (try? TreeRemover.isWhole(
        step.source, marks: departure.marks, leaving: step.leftOut)) == true,
      let now = try? FileCalls.status(step.landing.folder, step.landing.name),
      now.kind == .folder ? after.isSame(as: now) : after.isUntouched(now),
      (try? TreeInspection.untouched(step.landing)) == step.record.untouched,
      // The hidden name first, so that a partial removal never shows under the final one.
      (try? FileCalls.rename(step.landing, to: step.growing)) != nil
    else { return SourceRemovalFailure(reason: .bothHold) }
    // From here on nothing else opens it by that name.
    guard (try? TreeRemover.isUnused(step.growing)) == true else {
      let isBack = (try? FileCalls.rename(step.growing, to: step.landing)) != nil
      return SourceRemovalFailure(reason: isBack ? .bothHold : .inUse, isLeft: !isBack)
    }
    try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
    // Incomplete: must not get a name that suggests otherwise.
    if !FileCalls.isFree(step.growing.folder, step.growing.name) {
      return SourceRemovalFailure(reason: reason, isLeft: true)
    }
    step.slot?.release(step.targetName)
    bringBackReplaced(&step)
    return SourceRemovalFailure(reason: reason, isLeft: step.record.replaced != nil)
  }

  /// Lands at once if nobody waits for the device, otherwise with the batch after one flush.
  private func copy(_ step: inout Step) throws {
    step.copied = try copier.copy(from: step.source, to: step.growing, lasting: false)
    if !writer.flushesToDevice { try land(&step) }
  }

  /// Flushes the contents of copies to the device. May take long. On failure it is unknown which
  /// copies are safe, so that none may land.
  ///
  /// - Parameter positions: indices of the copied steps.
  func flush(_ steps: [Step], at positions: [Int]) -> Errno? {
    let areMany = positions.count > Self.flushedOneByOne
    do throws(Errno) {
      // One flush of the file system is cheaper for many files, and a folder may contain many.
      if areMany || positions.contains(where: { steps[$0].record.before.kind == .folder }) {
        // Merged folders may span file systems.
        var flushed: Set<UInt64> = []
        for position in positions {
          let folder = steps[position].targetFolder
          if flushed.insert(folder.stamp.identity.device).inserted { try flushAll(folder) }
        }
      } else {
        for position in positions where steps[position].record.before.kind == .file {
          try flush(steps[position])
        }
      }
      return nil
    } catch { return error }
  }

  private func flush(_ step: Step) throws(Errno) {
    do throws(Errno) {
      let file = try FileCalls.open(step.targetFolder.raw, step.part, flags: O_RDONLY)
      // fdatasync(2) skips only times, not the length.
      try FileCalls.checked { fdatasync(file.raw) }
    } catch .permissionDenied {
      // A file that its owner may not read.
      try flushAll(step.targetFolder)
    }
  }

  /// Above this number, one call flushes the whole file system.
  private static let flushedOneByOne = 8

  /// syncfs(2): also flushes what other programs have written there.
  private func flushAll(_ folder: OpenFolder) throws(Errno) {
    do throws(Errno) {
      try FileCalls.checked { clinux_sync_file_system(folder.raw) }
    } catch .badFileDescriptor {
      // A folder without read permission.
      sync()
    }
  }

  /// Flushes a folder's names. EINVAL and ENOTSUP count as success: the file system has no way to
  /// do it.
  func flushNames(in folder: OpenFolder) -> Bool {
    guard writer.flushesToDevice else { return true }
    do throws(Errno) {
      try folder.flush()
      return true
    } catch { return error == .invalidArgument || error == .notSupported }
  }

  /// Flushes the notes of trashed files. Ignores failures: without its note, a trashed file only
  /// lacks its original path.
  func flushNotes() {
    defer { notes = [] }
    guard writer.flushesToDevice else { return }
    let areMany = notes.count > Self.flushedOneByOne
    var flushed: Set<FileIdentity> = []
    for (slot, name) in notes {
      if !areMany { try? slot.flushNote(of: name) }
      guard flushed.insert(slot.info.stamp.identity).inserted else { continue }
      if areMany { try? flushAll(slot.info) } else { try? slot.info.flush() }
    }
  }

  /// Removes a copy that could not be flushed. Leftovers keep their hidden names, for recovery.
  func discard(_ step: Step) {
    try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
  }

  /// Gives a complete copy its final name, or removes it on an error. No-op for other steps.
  func land(_ step: inout Step) throws {
    guard let copied = step.copied else { return }
    step.copied = nil
    do { try reveal(copied, &step) } catch {
      discard(step)
      throw error
    }
    noteArrival(step)
  }

  /// Inodes are recorded only if something may be replaced, and nothing if both are always kept.
  private func noteArrival(_ step: Step) {
    if step.clash == .keepBoth { return }
    arrived.insert(step.placed)
    guard step.clash == .replace || step.clash == .mergeReplacing,
      let stamp = try? FileCalls.status(step.landing.folder, step.landing.name)
    else { return }
    landed.insert(stamp.identity)
  }

  /// Creates an empty folder; mkdirat(2) fails for a taken name.
  private func make(_ step: inout Step) throws {
    do {
      try FileCalls.makeFolder(step.targetFolder.raw, step.targetName, mode: 0o777)
    } catch { throw Reason.making(error, in: step.targetFolder.raw, step.targetName) }
    do {
      step.record.after = try FileCalls.status(step.targetFolder.raw, step.targetName).recorded
    } catch {
      try? FileCalls.unlink(step.targetFolder.raw, step.targetName, isFolder: true)
      throw error
    }
  }

  /// Gives a complete copy its final name, and records how to recognise it. Does not fail after the
  /// rename.
  private func reveal(_ copied: CopyRecord, _ step: inout Step) throws {
    do { try settle(&step) { try FileCalls.rename($0.growing, to: $0.landing) } } catch let code
      as Errno
    {
      // With both names it has arrived; recovery removes the hidden one.
      step.hasBothNames = FileCalls.areHardLinks(step.growing, step.landing)
      if !step.hasBothNames {
        throw Reason.making(code, in: step.targetFolder.raw, step.targetName)
      }
    }
    // If this fails, the stamp from before the rename still identifies the copy.
    let now = try? FileCalls.status(step.targetFolder.raw, step.targetName)
    step.record.after = (now ?? copied.grown)?.recorded
    step.record.untouched = copied.untouched
    step.record.contents = copied.contents
    step.leftOut = copied.leftOut
    step.hasLinks = copied.hasLinks
  }

  private func move(_ step: inout Step) throws {
    do {
      try settle(&step) {
        try FileCalls.rename($0.source, to: $0.landing, aside: $0.aside)
      }
    } catch is Errno where FileCalls.areHardLinks(step.source, step.landing) {
      throw Reason.bothHold
    } catch let code as Errno where code == .permissionDenied || code == .notPermitted {
      // EACCES and EPERM may come from either folder.
      throw step.targetFolder.refusesChanges() ?? taking(code, step)
    } catch Errno.improperLink {
      // EXDEV.
      try cross(&step)
    } catch Errno.resourceBusy where Self.isMountPoint(step) {
      throw Reason.otherDisk
    } catch Errno.invalidArgument
      where step.record.before.kind == .folder
      && (try? TreeInspection.ancestors(of: step.targetFolder.raw).contains {
        $0.inode == step.record.before.inode
      }) == true
    {
      // A folder moved into itself (rename(2)).
      throw Reason.ownDescendant
    } catch let code as Errno where FileCalls.exists(step.sourceFolder.raw, step.sourceName) {
      throw Reason.making(code, in: step.targetFolder.raw, step.targetName)
    }
  }

  private func taking(_ error: any Error, _ step: Step) -> Reason {
    Reason.taking(error, step.sourceFolder.raw, step.sourceName)
  }

  /// A mounted file system would be deleted with the folder, here or when the trash is emptied.
  private static func requireNoMounts(in folder: FilePath) throws {
    if try Mounts.areIn(folder, of: Mounts.all) { throw Reason.otherDisk }
  }

  private static func isMountPoint(_ step: Step) -> Bool {
    FileCalls.isMountPoint(step.sourceFolder.raw, step.sourceName)
  }

  /// Removes the source folder of a merge. Throws `Errno.directoryNotEmpty` if anything is left in
  /// it.
  private func removeEmptied(_ step: Step) throws {
    let now = try FileCalls.status(step.sourceFolder.raw, step.sourceName)
    guard now.identity.inode == step.record.before.inode else { throw Reason.changed }
    if Self.isMountPoint(step) { throw Reason.otherDisk }
    try FileCalls.unlink(step.sourceFolder.raw, step.sourceName, isFolder: true)
  }

  private func link(_ step: inout Step) throws {
    let text = step.record.source.rawBytes
    do {
      try settle(&step) { try FileCalls.makeLink($0.targetFolder.raw, $0.targetName, to: text) }
    } catch let code as Errno {
      throw Reason.making(code, in: step.targetFolder.raw, step.targetName, isLink: true)
    }
    do {
      step.record.after = try FileCalls.status(step.targetFolder.raw, step.targetName).recorded
    } catch {
      try? FileCalls.unlink(step.targetFolder.raw, step.targetName)
      bringBackReplaced(&step)
      throw error
    }
  }

  /// Copies to another file system and verifies the copy; the source is removed by the next
  /// ``removeSources()``.
  private func cross(_ step: inout Step) throws {
    if let refusal = step.sourceFolder.refusesChanges() {
      throw refusal == .protected ? refusal : refusal.ofTaking
    }
    let copied = try copier.copy(from: step.source, to: step.growing, lasting: true)
    do {
      // Before landing: a source that can't be removed would leave both.
      try TreeRemover.rehearse(
        step.source, marks: copied.marks, leaving: copied.leftOut, beat: meter.beat)
      try reveal(copied, &step)
    } catch {
      try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
      throw error
    }
    step.record.crossed = true
    pendingRemovals.append(PendingSourceRemoval(step: step, marks: copied.marks))
  }

  /// Moves it to its file system's trash, or deletes it permanently.
  private func remove(_ step: inout Step) throws {
    if step.record.before.kind == .folder { try Self.requireNoMounts(in: step.record.source) }
    guard !step.permanently else {
      // Irreversible: the user has confirmed it, and can cancel between files.
      let source = step.source
      do {
        try TreeRemover.remove(source, isPermanentDeletion: true, beat: meter.check) {
          step.isBegun = true
        }
      } catch let code as Errno { throw taking(code, step) }
      return
    }
    do {
      try discard(&step) { step throws in
        do { try FileCalls.rename(step.source, to: step.landing) } catch let code as Errno
          where code == .permissionDenied || code == .notPermitted
        { throw taking(code, step) }
      }
    } catch Errno.improperLink {
      // EXDEV despite the same device: a mount point in between, such as a bind mount. Copies to
      // the home trash instead.
      let home = try trash.homeSlot()
      step.slot = home
      step.targetFolder = home.files
      step.lastNumber = 0
      chooseTrashName(&step, home)
      writer.redirect(step.record)
      try discard(&step) { [self] step throws in
        do { try FileCalls.rename(step.source, to: step.landing) } catch Errno.improperLink {
          // A taken name must fail here: the file and its note need the same name.
          step.clash = .fail
          try cross(&step)
        }
      }
    }
  }

  /// Reserves a name in the trash and puts the file there. The note comes first, as the
  /// specification demands (see `TrashSlot.reserve`).
  private func discard(_ step: inout Step, _ put: (inout Step) throws -> Void) throws {
    guard let slot = step.slot else { throw Reason.noTrash }
    while true {
      do {
        try slot.reserve(step.targetName, for: step.record.source)
        do { try put(&step) } catch {
          slot.release(step.targetName)
          throw error
        }
        notes.append((slot, step.targetName))
        return
      } catch let error where Reason(error) == .nameExists {
        // Another program took the name after it was chosen.
        chooseTrashName(&step, slot)
        writer.redirect(step.record)
      }
    }
  }

  private func chooseTrashName(_ step: inout Step, _ slot: TrashSlot) {
    step.rename(to: slot.freeName(for: step.wishedName, after: &step.lastNumber))
  }
}

extension StepRunner {
  /// Puts something at its final name, which is never taken from another file unless the user
  /// agreed. Retries while names are taken meanwhile. On an error, a replaced file is restored if
  /// possible.
  private func settle(_ step: inout Step, _ put: (Step) throws -> Void) throws {
    while true {
      do {
        try put(step)
        return
      } catch let error where (error as? Errno) == .fileExists {
        try resolveClash(&step)
      } catch {
        bringBackReplaced(&step)
        throw error
      }
    }
  }

  /// Frees the step's name or chooses another one. Throws `Reason.nameExists` for the policies that
  /// skip or fail.
  private func resolveClash(_ step: inout Step) throws {
    switch step.clash {
    case .replace where mayReplace(step), .mergeReplacing where mayReplace(step):
      try replace(&step)
    case .keepBoth, .merge, .replace, .mergeReplacing:
      let folder = step.targetFolder.raw
      step.rename(to: step.freeName { FileCalls.exists(folder, $0) })
      writer.redirect(step.record)
    case .skip, .mergeSkipping, .fail:
      throw Reason.nameExists
    }
  }

  /// At most once per step, and never an item of this delivery: two items with one name must both
  /// stay.
  private func mayReplace(_ step: Step) -> Bool {
    guard step.record.replaced == nil, !arrived.contains(step.placed) else { return false }
    let there = try? FileCalls.status(step.landing.folder, step.landing.name)
    // Gone by now: the next attempt finds the name free.
    return there.map { !landed.contains($0.identity) } ?? true
  }

  /// Moves the existing file to the trash. Journals the trash path before the rename, so that
  /// recovery finds the file in either place.
  private func replace(_ step: inout Step) throws {
    let old = step.landing
    let stamp = try FileCalls.status(old.folder, old.name)
    // A file replaced by itself would only remain in the trash.
    if stamp.identity == (try? FileCalls.status(step.sourceFolder.raw, step.sourceName))?.identity {
      throw Reason.samePlace
    }
    // So would one replaced by a link that leads to it.
    let end = step.record.before.kind == .link ? step.record.source.withoutLinks : nil
    if end.flatMap({ FileCalls.identity(behind: $0) }) == stamp.identity { throw Reason.samePlace }
    // A folder that contains the source would take it along.
    if stamp.kind == .folder {
      var around = try TreeInspection.ancestors(of: step.sourceFolder.raw)
      if let folder = end.flatMap({ try? OpenFolder($0.folder) }) {
        around.formUnion(try TreeInspection.ancestors(of: folder.raw))
      }
      if around.contains(stamp.identity) { throw Reason.samePlace }
    }
    let path = step.targetFolder.path.appending(old.name)
    if stamp.kind == .folder { try Self.requireNoMounts(in: path) }
    if FileCalls.isMountPoint(old.folder, old.name) { throw Reason.otherDisk }
    let slot = try trash.slot(for: path, stamp, isRenamed: true)
    var number = 0
    while true {
      let name = slot.freeName(for: old.name, after: &number)
      step.record.replaced = slot.files.path.appending(name)
      step.record.replacedStamp = stamp.recorded
      writer.redirect(step.record)
      do {
        try slot.reserve(name, for: path)
        try FileCalls.rename(old, to: FolderEntry(slot.files, name))
        notes.append((slot, name))
        return
      } catch let error where (error as? Errno) == .fileExists {
        continue
      } catch {
        slot.release(name)
        step.record.replaced = nil
        step.record.replacedStamp = nil
        writer.redirect(step.record)
        switch error as? Errno {
        // Without a trash on this file system the old one can't be kept, so it stays.
        case .improperLink: throw Reason.oldHasNoTrash
        case .notPermitted, .permissionDenied: throw Reason.taking(error, old.folder, old.name)
        default: throw error
        }
      }
    }
  }

  private func bringBackReplaced(_ step: inout Step) {
    if step.record.replaced == nil { return }
    if TrashRestorer.bringBackReplaced(of: step.record, to: step.landing) {
      step.record.replaced = nil
      step.record.replacedStamp = nil
      writer.redirect(step.record)
    }
  }
}

/// Throws `Errno.fileExists` if the new name is taken.
extension FileCalls {
  static func rename(_ from: FolderEntry, to: FolderEntry) throws {
    try rename(from.folder, from.name, to: to.folder, to.name)
  }
}
