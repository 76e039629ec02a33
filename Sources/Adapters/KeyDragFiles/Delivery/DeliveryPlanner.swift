import Glibc
import KeyDragCore
import SystemPackage

/// Turns the items of an order into steps, or says why one can't be taken.
struct DeliveryPlanner {
  let order: FileOrder
  let entry: EntryRecord
  /// `nil` for removal.
  let target: OpenFolder?
  let trash: TrashCan
  private let ancestors: Set<FileIdentity>
  private var folders = OpenFolders()
  private var slots: [FilePath: TrashSlot] = [:]
  /// Names promised to earlier items, so that two of one order never get the same.
  private var promised: Set<FilePath> = []
  /// What ``measure(_:)`` saw of each item, for orders so quick that it still holds.
  private var seen: [FileStamp?] = []
  private static let seenAtMost = 20_000

  init(order: FileOrder, entry: EntryRecord, target: OpenFolder?, trash: TrashCan) throws {
    self.order = order
    self.entry = entry
    self.target = target
    self.trash = trash
    ancestors = try target.map { try TreeInspection.ancestors(of: $0.raw) } ?? []
  }

  /// Bytes that will have to be copied, as far as can be seen; what can't be read counts nothing.
  mutating func measure(_ meter: Meter) throws -> Int64 {
    var total: Int64 = 0
    let isQuick =
      (order.operation == .move || order.operation == .remove)
      && order.sources.count <= Self.seenAtMost
    if isQuick { seen = Array(repeating: nil, count: order.sources.count) }
    for (index, source) in order.sources.enumerated() {
      try meter.check()
      guard let name = source.lastComponent.map(FileName.init),
        let folder = try? folders.folder(at: source.removingLastComponent()),
        let stamp = try? FileCalls.status(folder.raw, name)
      else { continue }
      if isQuick, !needsWalk(stamp) { seen[index] = stamp }
      if stamp.kind == .file { total &+= stamp.size }
      if stamp.kind == .folder, needsWalk(stamp) {
        do {
          total &+= try TreeInspection.bytes(
            of: Place(folder, name), meter: meter)
        } catch let error as CancelledByPerson { throw error } catch { continue }
      }
    }
    return total
  }

  private func needsWalk(_ stamp: FileStamp) -> Bool {
    switch order.operation {
    case .copy: true
    case .move: stamp.identity.device != target?.stamp.identity.device
    case .link, .open, .remove: false
    }
  }

  /// Items whose names exist at the target, or twice in the order.
  mutating func clashes() -> [FilePath] {
    guard let target else { return [] }
    var names: Set<FileName> = []
    return order.sources.filter { source in
      guard let name = order.newName ?? source.lastComponent.map(FileName.init) else {
        return false
      }
      return !names.insert(name).inserted || FileCalls.exists(target.raw, name)
    }
  }

  /// The step for one item; throws why there is none.
  mutating func step(_ index: Int) throws -> Step {
    let source = order.sources[index]
    guard let component = source.lastComponent, component.kind == .regular else {
      throw Reason.notDraggable
    }
    let name = FileName(component)
    if order.makesFolder, let target { return try making(name, in: target, index) }
    let folder = try folders.folder(at: source.removingLastComponent())
    let known = seen.isEmpty ? nil : seen[index]
    let stamp = try known ?? FileCalls.status(folder.raw, name)
    try check(stamp, in: folder)
    var step = Step(
      record: StepRecord(
        index: Int64(index), source: source, target: source, before: stamp.recorded,
        begun: timespec.now.nanoseconds, sourceFolder: folder.stamp.identity),
      operation: order.operation, permanently: order.permanently, clash: order.clash,
      sourceFolder: folder, sourceName: name, targetFolder: target ?? folder, targetName: name,
      wishedName: order.newName ?? name, part: entry.partName(Int64(index)))
    if order.operation == .remove {
      if !order.permanently { try chooseTrash(&step, stamp) }
    } else {
      try chooseName(&step)
    }
    return step
  }

  /// The step that makes a folder: its source is what it makes.
  private func making(_ name: FileName, in target: OpenFolder, _ index: Int) throws -> Step {
    if FileCalls.exists(target.raw, name) { throw Reason.nameExists }
    let path = target.path.appending(name)
    return Step(
      record: StepRecord(
        index: Int64(index), source: path, target: path, before: target.stamp.recorded,
        begun: timespec.now.nanoseconds),
      operation: .copy, clash: .fail, sourceFolder: target, sourceName: name, targetFolder: target,
      targetName: name, wishedName: name, part: entry.partName(Int64(index)))
  }

  private func check(_ stamp: FileStamp, in folder: OpenFolder) throws {
    if stamp.kind == .folder, ancestors.contains(stamp.identity) { throw Reason.ownDescendant }
    switch order.operation {
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

  private mutating func chooseName(_ step: inout Step) throws {
    let folder = step.targetFolder
    step.rename(to: step.wishedName)
    let isPromised = promised.contains(step.record.target)
    switch order.clash {
    case .skip, .fail:
      // Known before anything is copied.
      if isPromised || FileCalls.exists(folder.raw, step.wishedName) { throw Reason.nameExists }
    case .replace where !isPromised: break
    case .keepBoth, .replace:
      let free = FreeName.choose(step.wishedName, after: &step.lastNumber) { candidate in
        FileCalls.exists(folder.raw, candidate)
          || promised.contains(folder.path.appending(candidate))
      }
      step.rename(to: free)
    }
    promised.insert(step.record.target)
  }

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
    } while !promised.insert(step.record.target).inserted
  }
}
