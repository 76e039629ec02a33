import Glibc
import KeyDragCore
import SystemPackage

/// Turns the items of an order into steps, or says why one can't be taken.
///
/// The planner decides on names and looks at the disk, but changes nothing there: ``StepRunner``
/// does that. It is asked for one step at a time, so that a folder with a million entries needs no
/// list of a million steps. A value that ``DeliveryRun`` owns and that is used on one thread only.
struct DeliveryPlanner {
  /// The next of an order.
  enum Planned {
    /// Something to be done, with names chosen and not yet written down in the journal.
    case step(Step)
    /// The item itself can't be delivered, or something inside a folder that becomes one with
    /// another.
    case failed(item: Int, inside: FilePath?, Reason)
    /// All of a folder has been planned that becomes one with another.
    case merged(item: Int, into: FilePath)
  }

  /// Paths in it are absolute (see ``DeliveryRun``).
  let order: FileOrder
  /// Gives the hidden names of copies that grow; its number may still be 0.
  let entry: EntryRecord
  /// `nil` for removal.
  let target: OpenFolder?
  let trash: TrashCan
  /// The target and all folders around it, by inode: none of these can be put into it. Empty for
  /// removal.
  private let ancestors: Set<FileIdentity>
  private var folders = OpenFolders()
  /// The trash of each source folder that was asked for last; at most 8, then all are forgotten,
  /// because each holds folders open.
  private var slots: [FilePath: TrashSlot] = [:]
  /// Names promised to earlier items, so that two of one order never get the same.
  private var promised: Set<NameInFolder> = []
  /// The stamp of each item that ``measure(_:)`` saw, for orders so quick that it still holds.
  private var seen: [FileStamp?] = []
  /// What other programs have handed over to be measured, by its index; more would take all descriptors.
  private var given: [Int: OpenFolder] = [:]
  private static let givenAtMost = 64
  /// Index into the order's sources of the item to plan next.
  private var nextItem = 0
  /// Number of the next step in its journal entry.
  private var nextIndex: Int64 = 0
  /// The folder that is being planned thing by thing.
  private var merge: FolderMerge?
  /// How many items or parts were given up while planning: they get no step but count as planned.
  private var failures: Int64 = 0
  /// More stamps than these are not kept: each takes over 100 bytes.
  private static let seenAtMost = 20_000

  /// - Parameter steps: how many steps the entry has already.
  init(
    order: FileOrder, entry: EntryRecord, target: OpenFolder?, trash: TrashCan,
    after steps: Int64 = 0
  ) throws {
    nextIndex = steps
    self.order = order
    self.entry = entry
    self.target = target
    self.trash = trash
    ancestors = try target.map { try TreeInspection.ancestors(of: $0.raw) } ?? []
  }

  /// Bytes that will have to be copied, as far as can be seen; what can't be read counts nothing.
  ///
  /// Stamps that were read are kept for moves and removals of at most 20,000 items: those rename,
  /// and need no second look.
  mutating func measure(_ meter: Meter) throws -> Int64 {
    var total: Int64 = 0
    let isQuick =
      (order.operation == .move || order.operation == .remove)
      && order.sources.count <= Self.seenAtMost
    if isQuick { seen = Array(repeating: nil, count: order.sources.count) }
    for (index, source) in order.sources.enumerated() {
      try meter.check()
      if let handed = order.handed[index] {
        // One that can't be had is told when its turn comes.
        guard let thing = try? handed.open() else { continue }
        if given.count < Self.givenAtMost { given[index] = thing }
        total &+= try TreeInspection.bytes(of: FolderEntry(thing, FileName("")), meter: meter)
        try requireRoom(for: total)
        continue
      }
      guard let name = source.name,
        let folder = try? folders.folder(around: source),
        let stamp = try? FileCalls.status(folder.raw, name)
      else { continue }
      if isQuick, !needsWalk(stamp) { seen[index] = stamp }
      if stamp.kind == .file { total &+= stamp.size }
      if stamp.kind == .folder, needsWalk(stamp) {
        do {
          total &+= try TreeInspection.bytes(
            of: FolderEntry(folder, name), meter: meter)
        } catch let error as CancelledByPerson { throw error } catch { continue }
      }
    }
    return total
  }

  /// Throws before anything is begun where the disk has no room for files that are handed over.
  private func requireRoom(for bytes: Int64) throws {
    if let target, let free = PlaceProbe.freeBytes(in: target.raw), bytes > free {
      throw Reason.noSpace
    }
  }

  /// Whether all that is inside has to be read: true for copies, and for moves to another device.
  private func needsWalk(_ stamp: FileStamp) -> Bool {
    switch order.operation {
    case .copy: true
    case .move: stamp.identity.device != target?.stamp.identity.device
    case .link, .open, .remove: false
    }
  }

  /// Items whose names exist at the target, or twice in the order.
  ///
  /// Looks at the target's folder, so what is free here may be taken by the time of the drop.
  mutating func clashes() -> [FilePath] {
    guard let target else { return [] }
    var names: Set<FileName> = []
    return order.sources.filter { source in
      guard let name = order.newName ?? source.name else {
        return false
      }
      return !names.insert(name).inserted
        || FileCalls.exists(target.raw, name) && !isOwn(name, of: source, in: target)
    }
  }

  /// Whether a name that exists is another spelling of the item's own.
  private func isOwn(_ name: FileName, of source: FilePath, in target: OpenFolder) -> Bool {
    guard order.operation == .move, let own = source.name else { return false }
    return FileCalls.areOneName(FolderEntry(target, own), FolderEntry(target, name))
      && (try? OpenFolder(source.folder))?.stamp.identity == target.stamp.identity
  }

  /// Whether there may be more.
  var hasMore: Bool { merge != nil || nextItem < order.sources.count }

  /// How much there is to do, as far as is known: more while a folder is being planned.
  var planned: Int64 {
    nextIndex + failures + Int64(order.sources.count - nextItem) + (merge == nil ? 0 : 1)
  }

  /// `nil` when all has been planned.
  ///
  /// Failures are values and not errors: only the person's wish to stop is thrown.
  mutating func next(_ meter: Meter) throws(CancelledByPerson) -> Planned? {
    if let merge { return try nextInside(merge, meter) }
    guard nextItem < order.sources.count else { return nil }
    let item = nextItem
    nextItem += 1
    do {
      if let step = try step(item) { return .step(step) }
    } catch {
      failures += 1
      return .failed(item: item, inside: nil, Reason(error))
    }
    return try next(meter)
  }

  /// A number for a step that can't fail any more: it is used up at once.
  private mutating func newIndex() -> Int64 {
    defer { nextIndex += 1 }
    return nextIndex
  }

  /// The step for one item; throws why there is none.
  ///
  /// - Returns: `nil` for a folder that becomes one with another, whose steps come next.
  mutating func step(_ item: Int) throws -> Step? {
    let source = order.sources[item]
    if let handed = order.handed[item] {
      let thing = try given.removeValue(forKey: item) ?? handed.open()
      if thing.stamp.kind == .file { try requireRoom(for: thing.stamp.size) }
      return try step(
        FileName(""), thing.stamp, at: thing.path, in: thing, of: item, to: target,
        wished: handed.name)
    }
    guard let name = source.name, name.isRegular else { throw Reason.notDraggable }
    if order.makesFolder, let target { return try making(name, in: target) }
    let folder = try folders.folder(around: source)
    // A kept stamp can be as old as the measuring took. The rename moves whatever bears the name;
    // undo then finds another stamp than this one and refuses what had changed.
    let known = seen.isEmpty ? nil : seen[item]
    let stamp = try known ?? FileCalls.status(folder.raw, name)
    if let held = order.held[source], !held.isSame(as: stamp) { throw Reason.changed }
    if let target, order.clash.mergesFolders, order.newName == nil,
      let there = try twin(of: stamp, name, in: target),
      // A folder can't be merged into one that is around it: emptying the first would empty the
      // second.
      case let around = try TreeInspection.ancestors(of: folder.raw),
      !around.contains(there.stamp.identity)
    {
      try check(stamp, in: folder, target)
      let merge = FolderMerge(item: item, from: around, into: there.path)
      try enter(merge, source, stamp, there)
      self.merge = merge
      return nil
    }
    return try step(name, stamp, at: source, in: folder, of: item, to: target)
  }

  /// Names are chosen last, and the number is used up only where a step comes of it.
  ///
  /// - Parameter merged: the folder that takes the things of a merge; `nil` for an item by itself.
  private mutating func step(
    _ name: FileName, _ stamp: FileStamp, at source: FilePath, in folder: OpenFolder,
    of item: Int, to target: OpenFolder?, merged: FilePath? = nil, wished: FileName? = nil
  ) throws -> Step {
    try check(stamp, in: folder, target)
    let index = nextIndex
    var step = Step(
      record: StepRecord(
        index: index, source: source, target: source, before: stamp.recorded,
        begun: timespec.now.nanoseconds,
        sourceFolder: wished == nil ? folder.stamp.identity : nil, merged: merged),
      item: item, operation: order.operation, permanently: order.permanently, clash: order.clash,
      sourceFolder: folder, sourceName: name, targetFolder: target ?? folder, targetName: name,
      wishedName: wished ?? (merged == nil ? order.newName ?? name : name), token: entry.token)
    if order.operation == .remove {
      if !order.permanently { try chooseTrash(&step, stamp) }
    } else {
      try chooseName(&step)
    }
    nextIndex += 1
    return step
  }

  // MARK: Folders that become one

  /// The folder of the same name in a folder, which can take what is in this one; `nil` where the
  /// name is free or something else has it.
  private func twin(
    of stamp: FileStamp, _ name: FileName, in target: OpenFolder
  ) throws -> (path: FilePath, stamp: FileStamp)? {
    guard order.operation == .copy || order.operation == .move, stamp.kind == .folder else {
      return nil
    }
    guard let there = try FileCalls.statusIfAny(target.raw, name) else {
      // One that comes between two looks would get a neighbour of another name.
      if FileCalls.exists(target.raw, name) { throw Reason.changed }
      return nil
    }
    guard there.kind == .folder, there.identity != stamp.identity else { return nil }
    return (target.path.appending(name), there)
  }

  /// Opens both folders and puts them on the merge's stack. Throws before anything is noted, so
  /// that the merge goes on with the next name.
  private mutating func enter(
    _ merge: FolderMerge, _ source: FilePath, _ stamp: FileStamp,
    _ target: (path: FilePath, stamp: FileStamp)
  ) throws {
    let folder = try folders.folder(at: source)
    let there = try folders.folder(at: target.path)
    // Between the look and the opening, either may have become another one, or a link.
    guard folder.stamp.identity == stamp.identity,
      there.stamp.identity == target.stamp.identity
    else { throw Reason.changed }
    try merge.enter(folder, there, isMove: order.operation == .move)
  }

  /// The next step inside a merge, or the failure of one thing in it, which holds up none of the
  /// others.
  private mutating func nextInside(
    _ merge: FolderMerge, _ meter: Meter
  ) throws(CancelledByPerson) -> Planned {
    while let (name, level) = merge.next() {
      // Folders that both have are gone through without a step.
      try meter.check()
      let path = level.source.appending(name)
      do {
        let (folder, target) = try open(level)
        let stamp = try FileCalls.status(folder.raw, name)
        if let there = try twin(of: stamp, name, in: target), !merge.isAround(there.stamp.identity)
        {
          try enter(merge, path, stamp, there)
          continue
        }
        return .step(
          try step(
            name, stamp, at: path, in: folder, of: merge.item, to: target, merged: merge.target))
      } catch {
        failures += 1
        return .failed(item: merge.item, inside: path, Reason(error))
      }
    }
    // Folders go last, innermost first: each is empty only when all steps inside it have been
    // taken.
    if order.operation == .move, let level = merge.nextEmptied() {
      do { return .step(try removal(of: level, merge)) } catch {
        failures += 1
        return .failed(item: merge.item, inside: level.source, Reason(error))
      }
    }
    self.merge = nil
    return .merged(item: merge.item, into: merge.target)
  }

  /// Opens the two folders of a level again. Throws `Reason.changed` where either path leads to
  /// another inode by now, for example to a link put in its place.
  private mutating func open(_ level: FolderMerge.Level) throws -> (OpenFolder, OpenFolder) {
    let folder = try folders.folder(at: level.source)
    let target = try folders.folder(at: level.target)
    guard folder.stamp.identity == level.sourceIdentity,
      target.stamp.identity == level.targetIdentity
    else { throw Reason.changed }
    return (folder, target)
  }

  /// The step that removes a folder of which everything has gone into another.
  ///
  /// Emptiness is not looked at here: rmdir(2) refuses a folder that still holds something.
  private mutating func removal(
    of level: FolderMerge.Level, _ merge: FolderMerge
  ) throws -> Step {
    guard let name = level.source.name else { throw Reason.notDraggable }
    let around = try folders.folder(around: level.source)
    let stamp = try FileCalls.status(around.raw, name)
    guard stamp.identity == level.sourceIdentity else { throw Reason.changed }
    let index = newIndex()
    return Step(
      // Source and target are one path, as for all that is removed for good; the mode is kept for
      // undo.
      record: StepRecord(
        index: index, source: level.source, target: level.source, before: stamp.recorded,
        begun: timespec.now.nanoseconds, sourceFolder: around.stamp.identity,
        targetFolder: around.stamp.identity, merged: merge.target, emptied: UInt32(stamp.mode)),
      item: merge.item, operation: .move, clash: .fail, sourceFolder: around, sourceName: name,
      targetFolder: around, targetName: name, wishedName: name, token: entry.token)
  }

  /// The step that makes a folder: its source is what it makes.
  private mutating func making(_ name: FileName, in target: OpenFolder) throws -> Step {
    if FileCalls.exists(target.raw, name) { throw Reason.nameExists }
    let path = target.path.appending(name)
    let index = newIndex()
    return Step(
      record: StepRecord(
        index: index, source: path, target: path, before: target.stamp.recorded,
        begun: timespec.now.nanoseconds, targetFolder: target.stamp.identity),
      operation: .copy, clash: .fail, sourceFolder: target, sourceName: name, targetFolder: target,
      targetName: name, wishedName: name, token: entry.token)
  }

  /// Throws why the thing can't be taken at all, by facts that no other name would change.
  private func check(
    _ stamp: FileStamp, in folder: OpenFolder, _ target: OpenFolder?
  ) throws {
    if stamp.kind == .folder, ancestors.contains(stamp.identity) { throw Reason.ownDescendant }
    switch order.operation {
    // A FIFO, socket or device has no contents to copy. A rename moves it like anything else.
    case .copy: if stamp.kind == .special { throw Reason.specialFile }
    case .move:
      if folder.stamp.identity == target?.stamp.identity, order.newName == nil {
        throw Reason.samePlace
      }
      if let target, stamp.kind == .special, stamp.identity.device != target.stamp.identity.device {
        throw Reason.specialFile
      }
    case .link, .remove: break
    case .open: throw Reason.operationNotOffered
    }
  }

  /// Chooses the name at the target by the person's answer to a clash and promises it to no other
  /// item.
  ///
  /// A look ahead only: ``StepRunner`` finds out with the rename itself, which replaces nothing.
  private mutating func chooseName(_ step: inout Step) throws {
    let folder = step.targetFolder
    var name = step.wishedName
    func isPromised(_ name: FileName) -> Bool {
      promised.contains(NameInFolder(folder: folder.stamp.identity, name: name))
    }
    switch order.clash {
    case .skip, .mergeSkipping, .fail:
      // Known before anything is copied.
      if isPromised(name)
        || FileCalls.exists(folder.raw, name) && !isOwn(name, of: step.record.source, in: folder)
      {
        throw Reason.nameExists
      }
    // Replaced when the step is taken; an item of the same order that landed there is never
    // replaced.
    case .replace where !isPromised(name), .mergeReplacing where !isPromised(name): break
    case .keepBoth, .merge, .replace, .mergeReplacing:
      name = step.freeName {
        FileCalls.exists(folder.raw, $0) || isPromised($0)
      }
    }
    step.rename(to: name)
    promised.insert(step.placed)
  }

  /// Chooses the trash for a removal and a name that is free in it.
  ///
  /// Throws where the file system of the source has no usable trash, as `TrashCan.slot` does.
  private mutating func chooseTrash(_ step: inout Step, _ stamp: FileStamp) throws {
    let slot: TrashSlot
    if let known = slots[step.sourceFolder.path] {
      slot = known
    } else {
      slot = try trash.slot(for: step.record.source, stamp)
      if slots.count >= 8 { slots.removeAll() }
      slots[step.sourceFolder.path] = slot
    }
    step.slot = slot
    step.targetFolder = slot.files
    repeat {
      step.rename(to: slot.freeName(for: step.wishedName, after: &step.lastNumber))
    } while !promised.insert(step.placed).inserted
  }
}
