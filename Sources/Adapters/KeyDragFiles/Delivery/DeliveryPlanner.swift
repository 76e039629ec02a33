import Glibc
import KeyDragCore
import SystemPackage

/// Turns an order's items into steps, or reports why it can't.
///
/// Chooses names and reads the disk, but changes nothing: ``StepRunner`` does. Produces one step at
/// a time, so that large folders need no list of all steps. Owned by ``DeliveryRun``, on one
/// thread.
struct DeliveryPlanner {
  enum Planned {
    case step(Step)
    /// An item, or an entry inside a folder merge, that can't be delivered.
    case failed(item: Int, inside: FilePath?, Reason)
    case merged(item: Int, into: FilePath)
  }

  /// With absolute paths (see ``DeliveryRun``).
  let order: FileOrder
  /// Source of the hidden names; its number may still be 0.
  let entry: EntryRecord
  /// `nil` for removal.
  let target: OpenFolder?
  let trash: TrashCan
  /// The target and its ancestors, which can't be delivered into it. Empty for removal.
  private let ancestors: Set<FileIdentity>
  private var folders = OpenFolders()
  /// Trash by source folder; cleared at 8 entries, because each holds open folders.
  private var slots: [FilePath: TrashSlot] = [:]
  /// Names reserved for earlier items of this order.
  private var promised: Set<NameInFolder> = []
  /// Stamps from ``measure(_:)``, for operations quick enough that they are still valid.
  private var seen: [FileStamp?] = []
  /// Items of other programs, open since they were measured, by index; few, to spare descriptors.
  private var given: [Int: OpenFolder] = [:]
  private static let givenAtMost = 64
  private var nextItem = 0
  private var nextIndex: Int64 = 0
  private var merge: FolderMerge?
  /// Items or entries that failed in planning: they have no step but count as planned.
  private var failures: Int64 = 0
  /// Limit on kept stamps: each takes over 100 bytes.
  private static let seenAtMost = 20_000

  /// - Parameter steps: number of steps already in the entry.
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

  /// Total bytes to copy, without unreadable files. Keeps the stamps for moves and removals of at
  /// most 20,000 items: those are renames, and need no second check.
  mutating func measure(_ meter: ProgressMeter) throws -> Int64 {
    var total: Int64 = 0
    let isQuick =
      (order.operation == .move || order.operation == .remove)
      && order.sources.count <= Self.seenAtMost
    if isQuick { seen = Array(repeating: nil, count: order.sources.count) }
    for (index, source) in order.sources.enumerated() {
      try meter.check()
      if let handed = order.handed[index] {
        // Failures are reported when its turn comes.
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

  /// Throws before the start if the disk has no room for files passed by descriptor.
  private func requireRoom(for bytes: Int64) throws {
    if let target, let free = PlaceProbe.freeBytes(in: target.raw), bytes > free {
      throw Reason.noSpace
    }
  }

  /// Whether the contents have to be read: for copies, and for moves to another device.
  private func needsWalk(_ stamp: FileStamp) -> Bool {
    switch order.operation {
    case .copy: true
    case .move: stamp.identity.device != target?.stamp.identity.device
    case .link, .open, .remove: false
    }
  }

  /// Items whose names exist at the target or occur twice in the order. A name that is free now may
  /// be taken at the drop.
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

  /// Whether an existing name is another spelling of the item's own.
  private func isOwn(_ name: FileName, of source: FilePath, in target: OpenFolder) -> Bool {
    guard order.operation == .move, let own = source.name else { return false }
    return FileCalls.areSameEntry(FolderEntry(target, own), FolderEntry(target, name))
      && (try? OpenFolder(source.folder))?.stamp.identity == target.stamp.identity
  }

  var hasMore: Bool { merge != nil || nextItem < order.sources.count }

  /// Total number of steps as far as is known; grows during a folder merge.
  var planned: Int64 {
    nextIndex + failures + Int64(order.sources.count - nextItem) + (merge == nil ? 0 : 1)
  }

  /// `nil` when everything is planned. Failures are values; only cancellation throws.
  mutating func next(_ meter: ProgressMeter) throws(CancelledByPerson) -> Planned? {
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

  /// For a step that can't fail any more.
  private mutating func newIndex() -> Int64 {
    defer { nextIndex += 1 }
    return nextIndex
  }

  /// The step for one item; throws why there is none.
  ///
  /// - Returns: `nil` for a folder merge, whose steps follow.
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
    // A kept stamp may be as old as the measuring took. The rename moves whatever has the name;
    // undo then finds a different stamp and refuses.
    let known = seen.isEmpty ? nil : seen[item]
    let stamp = try known ?? FileCalls.status(folder.raw, name)
    if let held = order.held[source], !held.isSame(as: stamp) { throw Reason.changed }
    if let target, order.clash.mergesFolders, order.newName == nil,
      let there = try twin(of: stamp, name, in: target),
      // A folder can't be merged into its own ancestor: emptying one would empty the other.
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

  /// Chooses names last, and uses up an index only if a step results.
  ///
  /// - Parameter merged: the merge's target folder; `nil` for an item by itself.
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

  // MARK: Merging folders

  /// The existing folder of the same name that a folder can be merged into; `nil` if the name is
  /// free or is something else's.
  private func twin(
    of stamp: FileStamp, _ name: FileName, in target: OpenFolder
  ) throws -> (path: FilePath, stamp: FileStamp)? {
    guard order.operation == .copy || order.operation == .move, stamp.kind == .folder else {
      return nil
    }
    guard let there = try FileCalls.statusIfAny(target.raw, name) else {
      // Created between the two checks: a free name would otherwise be numbered.
      if FileCalls.exists(target.raw, name) { throw Reason.changed }
      return nil
    }
    guard there.kind == .folder, there.identity != stamp.identity else { return nil }
    return (target.path.appending(name), there)
  }

  /// Opens both folders and enters them. Throws before the state changes, so that the merge
  /// continues with the next name.
  private mutating func enter(
    _ merge: FolderMerge, _ source: FilePath, _ stamp: FileStamp,
    _ target: (path: FilePath, stamp: FileStamp)
  ) throws {
    let folder = try folders.folder(at: source)
    let there = try folders.folder(at: target.path)
    // Either may have been replaced since the check.
    guard folder.stamp.identity == stamp.identity,
      there.stamp.identity == target.stamp.identity
    else { throw Reason.changed }
    try merge.enter(folder, there, isMove: order.operation == .move)
  }

  /// The next step of a merge, or the failure of one entry, which does not affect the others.
  private mutating func nextInside(
    _ merge: FolderMerge, _ meter: ProgressMeter
  ) throws(CancelledByPerson) -> Planned {
    while let (name, level) = merge.next() {
      // Folders that exist on both sides are entered without a step.
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
    // Source folders last, innermost first: each is empty only after all its steps have run.
    if order.operation == .move, let level = merge.nextEmptiedFolder() {
      do { return .step(try removal(of: level, merge)) } catch {
        failures += 1
        return .failed(item: merge.item, inside: level.source, Reason(error))
      }
    }
    self.merge = nil
    return .merged(item: merge.item, into: merge.target)
  }

  /// Reopens a level's folders. Throws `Reason.changed` if either path leads to another inode by
  /// now, such as through a link.
  private mutating func open(_ level: FolderMerge.Level) throws -> (OpenFolder, OpenFolder) {
    let folder = try folders.folder(at: level.source)
    let target = try folders.folder(at: level.target)
    guard folder.stamp.identity == level.sourceIdentity,
      target.stamp.identity == level.targetIdentity
    else { throw Reason.changed }
    return (folder, target)
  }

  /// The step that removes a source folder after a merge. Emptiness is not checked: rmdir(2)
  /// refuses a nonempty folder.
  private mutating func removal(
    of level: FolderMerge.Level, _ merge: FolderMerge
  ) throws -> Step {
    guard let name = level.source.name else { throw Reason.notDraggable }
    let around = try folders.folder(around: level.source)
    let stamp = try FileCalls.status(around.raw, name)
    guard stamp.identity == level.sourceIdentity else { throw Reason.changed }
    let index = newIndex()
    return Step(
      // Source and target are the same path, as in permanent removals; the mode is kept for undo.
      record: StepRecord(
        index: index, source: level.source, target: level.source, before: stamp.recorded,
        begun: timespec.now.nanoseconds, sourceFolder: around.stamp.identity,
        targetFolder: around.stamp.identity, merged: merge.target, emptied: UInt32(stamp.mode)),
      item: merge.item, operation: .move, clash: .fail, sourceFolder: around, sourceName: name,
      targetFolder: around, targetName: name, wishedName: name, token: entry.token)
  }

  /// The step that creates a folder, which is its own source.
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

  /// Throws why an item can't be delivered under any name.
  private func check(
    _ stamp: FileStamp, in folder: OpenFolder, _ target: OpenFolder?
  ) throws {
    if stamp.kind == .folder, ancestors.contains(stamp.identity) { throw Reason.ownDescendant }
    switch order.operation {
    // A FIFO, socket or device has no contents to copy, but can be renamed.
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

  /// Chooses the target name by the clash policy and reserves it within the order. Only a
  /// prediction: ``StepRunner``'s rename decides, and replaces nothing.
  private mutating func chooseName(_ step: inout Step) throws {
    let folder = step.targetFolder
    var name = step.wishedName
    func isPromised(_ name: FileName) -> Bool {
      promised.contains(NameInFolder(folder: folder.stamp.identity, name: name))
    }
    switch order.clash {
    case .skip, .mergeSkipping, .fail:
      // Fails before anything is copied.
      if isPromised(name)
        || FileCalls.exists(folder.raw, name) && !isOwn(name, of: step.record.source, in: folder)
      {
        throw Reason.nameExists
      }
    // Replaced when the step runs, unless an item of this order has landed there.
    case .replace where !isPromised(name), .mergeReplacing where !isPromised(name): break
    case .keepBoth, .merge, .replace, .mergeReplacing:
      name = step.freeName {
        FileCalls.exists(folder.raw, $0) || isPromised($0)
      }
    }
    step.rename(to: name)
    promised.insert(step.placed)
  }

  /// Chooses the trash and a free name in it. Throws as `TrashCan.slot` does if there is no usable
  /// trash.
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
