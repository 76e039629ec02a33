import Glibc
import KeyDragCore
import SystemPackage

/// Takes steps one after the other: the part of a delivery that changes the disk.
///
/// Belongs to the thread that works on the delivery.
final class StepRunner {
  let meter: Meter
  let copier: TreeCopier
  let trash: TrashCan
  private let writer: JournalWriter
  /// What has arrived in this delivery is never replaced by it.
  private var arrived: Set<FileName> = []
  private var departures: [Departure] = []

  /// A source that was copied to another file system and still has to go.
  private struct Departure {
    var step: Step
    var marks: Set<UInt64>
  }

  /// As many sources wait for the flush of the target folder that makes their copies last.
  private static let departuresAtOnce = 64

  init(meter: Meter, trash: TrashCan, writer: JournalWriter) {
    self.meter = meter
    self.trash = trash
    self.writer = writer
    copier = TreeCopier(meter: meter)
  }

  /// Takes one step; `step` holds afterwards where it landed and how to recognise it.
  func take(_ step: inout Step) throws {
    try meter.check()
    switch step.operation {
    case .copy: try copy(&step)
    case .move: try move(&step)
    case .link: try link(&step)
    case .remove: try remove(&step)
    case .open: throw Reason.operationNotOffered
    }
    arrived.insert(step.targetName)
  }

  /// Whether enough sources wait to be removed for ``depart()`` to be worth its flush.
  var shouldDepart: Bool { departures.count >= Self.departuresAtOnce }

  /// Makes all copies to other file systems last, then removes their sources.
  ///
  /// - Returns: the steps whose source could not be removed, by index, with the reason.
  func depart() -> [Int64: Reason] {
    defer { departures = [] }
    var failures: [Int64: Reason] = [:]
    var flushed: Set<FileIdentity> = []
    for departure in departures {
      let step = departure.step
      do {
        if flushed.insert(step.targetFolder.stamp.identity).inserted {
          try step.targetFolder.flush()
        }
        try TreeRemover.remove(step.source, marks: departure.marks, beat: meter.beat)
      } catch {
        failures[step.record.index] = Reason(error)
        if let slot = step.slot { slot.release(step.targetName) }
        // One file that is still whole at its source is taken back; of a folder some may be gone.
        if step.record.before.kind != .folder, FileCalls.exists(step.source.folder, step.sourceName)
        {
          try? TreeRemover.remove(step.landing, beat: meter.beat)
        }
      }
    }
    return failures
  }

  private func copy(_ step: inout Step) throws {
    let copied = try copier.copy(from: step.source, to: step.growing, lasting: false)
    do {
      try settle(&step) { try FileCalls.rename($0.growing, to: $0.landing) }
    } catch {
      try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
      throw error
    }
    try note(copied, &step)
  }

  private func note(_ copied: CopyRecord, _ step: inout Step) throws {
    step.record.after = try FileCalls.status(step.targetFolder.raw, step.targetName).recorded
    step.record.untouched = copied.untouched
    step.record.contents = copied.contents
  }

  private func move(_ step: inout Step) throws {
    do {
      try settle(&step) { try FileCalls.rename($0.source, to: $0.landing) }
    } catch Errno.improperLink {
      try cross(&step)
    } catch Errno.invalidArgument {
      throw Reason.ownDescendant
    }
  }

  private func link(_ step: inout Step) throws {
    let text = step.record.source.rawBytes
    try settle(&step) { try FileCalls.makeLink($0.targetFolder.raw, $0.targetName, to: text) }
    step.record.after = try FileCalls.status(step.targetFolder.raw, step.targetName).recorded
  }

  /// Copies to another file system; the source goes with the next ``depart()``.
  private func cross(_ step: inout Step) throws {
    if let refusal = step.sourceFolder.refusesChanges() { throw refusal }
    let copied = try copier.copy(from: step.source, to: step.growing, lasting: true)
    do {
      try TreeRemover.rehearse(step.source, marks: copied.marks, beat: meter.beat)
      try settle(&step) { try FileCalls.rename($0.growing, to: $0.landing) }
    } catch {
      try? TreeRemover.remove(step.growing, forcing: true, beat: meter.beat)
      throw error
    }
    try note(copied, &step)
    step.record.crossed = true
    departures.append(Departure(step: step, marks: copied.marks))
  }

  private func remove(_ step: inout Step) throws {
    guard !step.permanently else {
      try TreeRemover.remove(step.source, beat: meter.check)
      return
    }
    do {
      try discard(&step) { step throws in try FileCalls.rename(step.source, to: step.landing) }
    } catch Errno.improperLink {
      // A mount point between the two although the device is the same: the home trash takes copies.
      let home = try trash.homeSlot()
      step.slot = home
      step.targetFolder = home.files
      step.lastNumber = 0
      chooseTrashName(&step, home)
      writer.redirect(step.record)
      try discard(&step) { [self] step throws in
        do { try FileCalls.rename(step.source, to: step.landing) } catch Errno.improperLink {
          step.clash = .fail
          try cross(&step)
        }
      }
    }
  }

  /// Reserves a name in the trash and puts the thing there.
  private func discard(_ step: inout Step, _ put: (inout Step) throws -> Void) throws {
    guard let slot = step.slot else { throw Reason.noTrash }
    while true {
      do {
        try slot.reserve(step.targetName, for: step.record.source)
        do { try put(&step) } catch {
          slot.release(step.targetName)
          throw error
        }
        return
      } catch let error where Reason(error) == .nameExists {
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
  private func settle(_ step: inout Step, _ put: (Step) throws -> Void) throws {
    while true {
      do {
        try put(step)
        return
      } catch let error where (error as? Errno) == .fileExists {
        try giveWay(&step)
      } catch {
        bringBackReplaced(&step)
        throw error
      }
    }
  }

  private func giveWay(_ step: inout Step) throws {
    switch step.clash {
    case .replace where step.record.replaced == nil && !arrived.contains(step.targetName):
      try replace(&step)
    case .keepBoth, .replace:
      let folder = step.targetFolder.raw
      let free = FreeName.choose(step.wishedName, after: &step.lastNumber) {
        FileCalls.exists(folder, $0)
      }
      step.rename(to: free)
      writer.redirect(step.record)
    case .skip, .fail:
      throw Reason.nameExists
    }
  }

  /// Sends what bears the name now to the trash.
  private func replace(_ step: inout Step) throws {
    let old = step.landing
    let stamp = try FileCalls.status(old.folder, old.name)
    if stamp.identity == (try? FileCalls.status(step.sourceFolder.raw, step.sourceName))?.identity {
      throw Reason.samePlace
    }
    let path = step.targetFolder.path.appending(old.name)
    let slot = try trash.slot(for: path, stamp)
    var number = 0
    while true {
      let name = slot.freeName(for: old.name, after: &number)
      step.record.replaced = slot.files.path.appending(name)
      writer.redirect(step.record)
      do {
        try slot.reserve(name, for: path)
        try FileCalls.rename(old, to: Place(slot.files, name))
        return
      } catch let error where (error as? Errno) == .fileExists {
        continue
      } catch {
        slot.release(name)
        step.record.replaced = nil
        writer.redirect(step.record)
        // Without a trash on this file system the old one can't be kept, so it stays.
        throw (error as? Errno) == .improperLink ? Reason.noTrash : error
      }
    }
  }

  /// Puts back what was to be replaced, when nothing came in its place.
  private func bringBackReplaced(_ step: inout Step) {
    guard let trashed = step.record.replaced else { return }
    if Restoring.bringBack(trashed, to: step.targetFolder, step.targetName) {
      step.record.replaced = nil
      writer.redirect(step.record)
    }
  }
}

/// Takes things out of the trash again.
enum Restoring {
  /// Renames a trashed thing to a name that must be free, and removes its note.
  static func bringBack(_ trashed: FilePath, to folder: OpenFolder, _ name: FileName) -> Bool {
    guard let trashName = trashed.lastComponent,
      let files = try? OpenFolder(trashed.removingLastComponent()),
      (try? FileCalls.rename(
        Place(files, FileName(trashName)),
        to: Place(folder, name))) != nil
    else { return false }
    TrashSlot.forget(trashed)
    return true
  }
}

extension FileCalls {
  static func rename(_ from: Place, to: Place) throws {
    try rename(from.folder, from.name, to: to.folder, to.name)
  }
}
