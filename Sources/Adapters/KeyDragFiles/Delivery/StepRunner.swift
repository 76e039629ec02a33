import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Takes steps one after the other: the part of a delivery that changes the disk.
///
/// Belongs to the thread that works on the delivery.
///
/// Nothing bears its final name before it is whole. A failure of one step is thrown and leaves the
/// rest alone; the caller tells it and goes on. The journal learns of every other way than the
/// intended one before it is gone, by ``JournalWriter/redirect(_:)``.
final class StepRunner {
  let meter: Meter
  let copier: TreeCopier
  let trash: TrashCan
  /// For ways that turn out while a step is taken.
  private let writer: JournalWriter
  /// What has arrived in this delivery, which it never replaces.
  private var arrived: Set<NameInFolder> = []
  /// The same by inode, where something may be replaced: other names may lead to it, in another
  /// case for one.
  private var landed: Set<FileIdentity> = []
  /// In the order they were taken.
  private var departures: [PendingSourceRemoval] = []
  /// Notes in the trash that may not be on the device yet.
  private var notes: [(slot: TrashSlot, name: FileName)] = []

  /// A source that was copied to another file system and still has to go.
  private struct PendingSourceRemoval {
    /// With the target and what was left out.
    var step: Step
    /// Marks of all that was copied: only what still bears one is removed.
    var marks: Set<UInt64>
  }

  /// As many sources wait for the flush of the target folder that makes their copies last.
  private static let departuresAtOnce = 64

  /// Whether a copy gets its name only when its contents are on the device.
  private let waitsForDisk: Bool

  /// - Parameter waitsForDisk: with `false`, a power cut may leave an incomplete file under a final
  ///   name.
  init(meter: Meter, trash: TrashCan, writer: JournalWriter, waitsForDisk: Bool = true) {
    self.meter = meter
    self.waitsForDisk = waitsForDisk
    self.trash = trash
    self.writer = writer
    copier = TreeCopier(meter: meter)
  }

  /// Takes one step; `step` holds afterwards where it landed and how to recognise it, or the copy
  /// that still has to be flushed and to land.
  ///
  /// Blocks as long as the disk needs. When this throws, the source is where it was, except for a
  /// removal for good that was begun (``Step/isBegun``).
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
    // A copy arrives with ``land(_:)``.
    if step.copied == nil { noteArrival(step) }
  }

  /// Whether enough sources wait to be removed for ``depart()`` to be worth its flush.
  var shouldDepart: Bool { departures.count >= Self.departuresAtOnce }

  /// A source that could not be removed.
  ///
  /// The step was done before and can't stay so.
  struct SourceRemovalFailure {
    /// `Reason.bothHold` where what landed stays, any other where nothing has landed.
    var reason: Reason
    /// Whether recovery has to remove what had landed, which bears a hidden name again.
    var isLeft = false
  }

  /// Makes all copies to other file systems last, then removes their sources.
  ///
  /// May take long: a flush of a folder and a walk through every source. Throws nothing; to be
  /// called before the batch is written down as done.
  ///
  /// - Returns: the steps whose source could not be removed, by index.
  func depart() -> [Int64: SourceRemovalFailure] {
    defer { departures = [] }
    var failures: [Int64: SourceRemovalFailure] = [:]
    // One failure holds for the whole folder: a second flush does not tell of the first's loss.
    var flushed: [FileIdentity: Result<Void, any Error>] = [:]
    for departure in departures {
      let step = departure.step
      do {
        let folder = step.targetFolder
        let flush = flushed[folder.stamp.identity] ?? Result { try folder.flush() }
        flushed[folder.stamp.identity] = flush
        // The flush first: without it, a power cut after the removal could leave neither name.
        try flush.get()
        try TreeRemover.remove(
          step.source, marks: departure.marks, leaving: step.leftOut, beat: meter.beat)
      } catch {
        failures[step.record.index] = takeBack(departure, taking(error, step))
      }
    }
    return failures
  }

  /// Removes what has landed of a step whose source is still whole. Anything that somebody has
  /// changed at either end is left as it is: then both hold it.
  private func takeBack(_ departure: PendingSourceRemoval, _ reason: Reason) -> SourceRemovalFailure
  {
    var step = departure.step
    guard let after = step.record.after,
      (try? TreeRemover.isWhole(
        step.source, marks: departure.marks, leaving: step.leftOut)) == true,
      let now = try? FileCalls.status(step.landing.folder, step.landing.name),
      now.kind == .folder ? after.isSame(as: now) : after.isUntouched(now),
      (try? TreeInspection.untouched(step.landing)) == step.record.untouched,
      // The hidden name, so that what is half removed is never seen under the final one.
      (try? FileCalls.rename(step.landing, to: step.growing)) != nil
    else { return SourceRemovalFailure(reason: .bothHold) }
    // Nobody new opens it under that name.
    guard (try? TreeRemover.isUnused(step.growing)) == true else {
      let isBack = (try? FileCalls.rename(step.growing, to: step.landing)) != nil
      return SourceRemovalFailure(reason: isBack ? .bothHold : .inUse, isLeft: !isBack)
    }
    try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
    // Some of it may be gone: it gets no name again that anybody would take for the whole.
    if !FileCalls.isFree(step.growing.folder, step.growing.name) {
      return SourceRemovalFailure(reason: reason, isLeft: true)
    }
    step.slot?.release(step.targetName)
    bringBackReplaced(&step)
    return SourceRemovalFailure(reason: reason, isLeft: step.record.replaced != nil)
  }

  /// Without waiting the copy lands at once; else it lands with the batch, after one flush.
  private func copy(_ step: inout Step) throws {
    step.copied = try copier.copy(from: step.source, to: step.growing, lasting: false)
    if !waitsForDisk { try land(&step) }
  }

  /// Writes the contents of copies to the device, before anything says that they are there.
  ///
  /// May take long. On failure nobody knows which of them are safe, so that none may land.
  ///
  /// - Parameter positions: the steps that were copied, by their places.
  /// - Returns: why that can't be done.
  func flush(_ steps: [Step], at positions: [Int]) -> Errno? {
    let areMany = positions.count > Self.flushedOneByOne
    do throws(Errno) {
      // A folder has more files than are counted here: one flush of the file system is cheaper.
      if areMany || positions.contains(where: { steps[$0].record.before.kind == .folder }) {
        // Folders that become one may have other file systems in them.
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
      // fdatasync(2) leaves out times only, not the length.
      try FileCalls.checked { fdatasync(file.raw) }
    } catch .permissionDenied {
      // A file that its owner may not read.
      try flushAll(step.targetFolder)
    }
  }

  /// More files than that are flushed by one call for their whole file system.
  private static let flushedOneByOne = 8

  /// Flushes the file system that a folder is on, with whatever other programs have written there
  /// (syncfs(2)).
  private func flushAll(_ folder: OpenFolder) throws(Errno) {
    do throws(Errno) {
      try FileCalls.checked { clinux_sync_file_system(folder.raw) }
    } catch .badFileDescriptor {
      // A folder that may be written but not read.
      sync()
    }
  }

  /// Makes the names in a folder last; some file systems have no way to.
  ///
  /// EINVAL and ENOTSUP count as fine: nothing can be done there, and the rename itself has
  /// succeeded.
  ///
  /// - Returns: whether nothing went wrong.
  func flushNames(in folder: OpenFolder) -> Bool {
    guard waitsForDisk else { return true }
    do throws(Errno) {
      try folder.flush()
      return true
    } catch { return error == .invalidArgument || error == .notSupported }
  }

  /// Makes the notes last that were written in the trash; the things themselves are there in any
  /// case.
  ///
  /// Failures are passed over: without its note a thing is still in the trash, and can't tell where
  /// it was.
  func flushNotes() {
    defer { notes = [] }
    guard waitsForDisk else { return }
    let areMany = notes.count > Self.flushedOneByOne
    var flushed: Set<FileIdentity> = []
    for (slot, name) in notes {
      if !areMany { try? slot.flushNote(of: name) }
      guard flushed.insert(slot.info.stamp.identity).inserted else { continue }
      if areMany { try? flushAll(slot.info) } else { try? slot.info.flush() }
    }
  }

  /// Removes a copy that could not be flushed.
  ///
  /// Files that can't be removed stay under their hidden names, for recovery.
  func discard(_ step: Step) {
    try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
  }

  /// Gives a copy that is whole its final name.
  ///
  /// When this throws, the copy has been removed. Does nothing for a step that was not copied.
  func land(_ step: inout Step) throws {
    guard let copied = step.copied else { return }
    step.copied = nil
    do { try reveal(copied, &step) } catch {
      discard(step)
      throw error
    }
    noteArrival(step)
  }

  /// Both sets grow as long as the delivery runs; inodes are kept only where something may be
  /// replaced, and nothing where all keep both.
  private func noteArrival(_ step: Step) {
    if step.clash == .keepBoth { return }
    arrived.insert(step.placed)
    guard step.clash == .replace || step.clash == .mergeReplacing,
      let stamp = try? FileCalls.status(step.landing.folder, step.landing.name)
    else { return }
    landed.insert(stamp.identity)
  }

  /// Makes an empty folder; another's is never taken over, because mkdirat(2) fails for a taken
  /// name.
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

  /// Gives a whole copy its final name, and notes how to recognise it.
  ///
  /// Nothing fails once it has that name: it has arrived.
  private func reveal(_ copied: CopyRecord, _ step: inout Step) throws {
    do { try settle(&step) { try FileCalls.rename($0.growing, to: $0.landing) } } catch let code
      as Errno
    {
      // With both names it has arrived, and recovery takes the hidden one away.
      step.isDoubled = FileCalls.areTwoNames(step.growing, step.landing)
      if !step.isDoubled {
        throw Reason.making(code, in: step.targetFolder.raw, step.targetName)
      }
    }
    // If the look after the rename fails, the stamp from before it still tells the copy.
    let now = try? FileCalls.status(step.targetFolder.raw, step.targetName)
    step.record.after = (now ?? copied.grown)?.recorded
    step.record.untouched = copied.untouched
    step.record.contents = copied.contents
    step.leftOut = copied.leftOut
  }

  /// One rename where it can be, else a copy across file systems.
  private func move(_ step: inout Step) throws {
    do {
      try settle(&step) {
        try FileCalls.rename($0.source, to: $0.landing, aside: $0.aside)
      }
    } catch is Errno where FileCalls.areTwoNames(step.source, step.landing) {
      throw Reason.bothHold
    } catch let code as Errno where code == .permissionDenied || code == .notPermitted {
      // EACCES and EPERM come from either folder.
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
      // The folder was to go into itself (rename(2)).
      throw Reason.ownDescendant
    } catch let code as Errno where FileCalls.exists(step.sourceFolder.raw, step.sourceName) {
      throw Reason.making(code, in: step.targetFolder.raw, step.targetName)
    }
  }

  private func taking(_ error: any Error, _ step: Step) -> Reason {
    Reason.taking(error, step.sourceFolder.raw, step.sourceName)
  }

  /// A disk mounted in a folder would be emptied with it, here or by whoever empties the trash.
  private static func requireNoMounts(in folder: FilePath) throws {
    if try Mounts.areIn(folder, of: Mounts.all) { throw Reason.otherDisk }
  }

  private static func isMountPoint(_ step: Step) -> Bool {
    FileCalls.isMountPoint(step.sourceFolder.raw, step.sourceName)
  }

  /// Removes a folder of which everything has gone into another; what is in it still keeps it.
  ///
  /// Throws `Errno.directoryNotEmpty` then.
  private func removeEmptied(_ step: Step) throws {
    let now = try FileCalls.status(step.sourceFolder.raw, step.sourceName)
    guard now.identity.inode == step.record.before.inode else { throw Reason.changed }
    if Self.isMountPoint(step) { throw Reason.otherDisk }
    try FileCalls.unlink(step.sourceFolder.raw, step.sourceName, isFolder: true)
  }

  /// Makes a symbolic link with the source's absolute path as its text.
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

  /// Copies to another file system; the source goes with the next ``depart()``, once the copy was read back.
  private func cross(_ step: inout Step) throws {
    if let refusal = step.sourceFolder.refusesChanges() {
      throw refusal == .protected ? refusal : refusal.ofTaking
    }
    let copied = try copier.copy(from: step.source, to: step.growing, lasting: true)
    do {
      // Before it lands, because a source that can't go would leave both.
      try TreeRemover.rehearse(
        step.source, marks: copied.marks, leaving: copied.leftOut, beat: meter.beat)
      try reveal(copied, &step)
    } catch {
      try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
      throw error
    }
    step.record.crossed = true
    departures.append(PendingSourceRemoval(step: step, marks: copied.marks))
  }

  /// Sends it to the trash of its file system, or deletes it for good.
  private func remove(_ step: inout Step) throws {
    if step.record.before.kind == .folder { try Self.requireNoMounts(in: step.record.source) }
    guard !step.permanently else {
      // Nothing can be taken back here: the person is asked before, and a stop is possible between
      // files.
      let source = step.source
      do {
        try TreeRemover.remove(source, isForGood: true, beat: meter.check) { step.isBegun = true }
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
      // A mount point between the two although the device is the same: the home trash takes copies.
      // EXDEV with one device number is what bind mounts answer.
      let home = try trash.homeSlot()
      step.slot = home
      step.targetFolder = home.files
      step.lastNumber = 0
      chooseTrashName(&step, home)
      writer.redirect(step.record)
      try discard(&step) { [self] step throws in
        do { try FileCalls.rename(step.source, to: step.landing) } catch Errno.improperLink {
          // A taken name has to end here: the thing and its note bear the same name.
          step.clash = .fail
          try cross(&step)
        }
      }
    }
  }

  /// Reserves a name in the trash and puts the thing there.
  ///
  /// The note comes first (see `TrashSlot.reserve`): the specification asks for it, so that nothing
  /// lies in the trash without one.
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
        // Another program took the name between choice and reservation.
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
  /// Puts something at its final name, which is never taken from anything that bears it already,
  /// except as the person answered.
  ///
  /// Tries again as long as names are taken meanwhile. When it throws, what had given way is back
  /// where that could be done.
  private func settle(_ step: inout Step, _ put: (Step) throws -> Void) throws {
    while true {
      do {
        try put(step)
        return
      } catch let error where (error as? Errno) == .fileExists {
        // EEXIST.
        try giveWay(&step)
      } catch {
        bringBackReplaced(&step)
        throw error
      }
    }
  }

  /// Makes room for a step whose name is taken, or takes another name. Throws `Reason.nameExists`
  /// where the answer was to skip or to fail.
  private func giveWay(_ step: inout Step) throws {
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

  /// Once a step, and nothing that this delivery itself has brought: two items of one name must
  /// both stay.
  private func mayReplace(_ step: Step) -> Bool {
    guard step.record.replaced == nil, !arrived.contains(step.placed) else { return false }
    let there = try? FileCalls.status(step.landing.folder, step.landing.name)
    // Gone by now: the next try will find the name free.
    return there.map { !landed.contains($0.identity) } ?? true
  }

  /// Sends what bears the name now to the trash. The trash's path is written down before the
  /// rename, so that recovery finds the thing in either place.
  private func replace(_ step: inout Step) throws {
    let old = step.landing
    let stamp = try FileCalls.status(old.folder, old.name)
    // Replacing a thing by itself would leave it in the trash alone.
    if stamp.identity == (try? FileCalls.status(step.sourceFolder.raw, step.sourceName))?.identity {
      throw Reason.samePlace
    }
    // So would a link that stands for it, or leads into it.
    let end = step.record.before.kind == .link ? step.record.source.withoutLinks : nil
    if end.flatMap({ FileCalls.identity(behind: $0) }) == stamp.identity { throw Reason.samePlace }
    // A folder around it would take it along.
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
        case .improperLink: throw Reason.noTrash
        case .notPermitted, .permissionDenied: throw Reason.taking(error, old.folder, old.name)
        default: throw error
        }
      }
    }
  }

  /// Puts back what was to be replaced, when nothing came in its place.
  private func bringBackReplaced(_ step: inout Step) {
    if step.record.replaced == nil { return }
    if Restoring.bringBackReplaced(of: step.record, to: step.landing) {
      step.record.replaced = nil
      step.record.replacedStamp = nil
      writer.redirect(step.record)
    }
  }
}

/// Throws `Errno.fileExists` where the new name is taken.
extension FileCalls {
  static func rename(_ from: FolderEntry, to: FolderEntry) throws {
    try rename(from.folder, from.name, to: to.folder, to.name)
  }
}
