import CLinux
import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Asks the places for their verdicts.
///
/// Stops in different folders are asked side by side: what does not answer in time is answered for.
///
/// Owned by ``FilesWorld``. Nothing is cached between inquiries, but for what was told of the
/// trash.
final class PlaceInquiry: Sendable {
  /// Why a path can't go to the trash, `noTrash` where there is none; may block.
  typealias TrashCheck = @Sendable (FilePath) -> Reason?

  private let registry: PlaceRegistry
  private let tasks: TaskPlaces
  private let canTrash: TrashCheck
  private let diskType: @Sendable (CInt) -> Int64
  let survey = FolderSurvey()
  /// Called when more is known of what was asked before, from any thread.
  private let foreseen = Mutex<@Sendable () -> Void>({})
  /// For the whole inquiry, without what the number of items adds.
  private let patience: DispatchTimeInterval
  /// The items that the last final question found no trash for; see ``agreedToDelete(_:)``.
  private let withoutTrash = Mutex<Set<DragSourceID>>([])
  /// The folders whose last question has not come back: they are not asked again until it has, so that
  /// a disk that hangs holds one thread for each.
  private let silent = Mutex<Set<DropPointPart>>([])

  init(
    registry: PlaceRegistry, tasks: TaskPlaces, patience: DispatchTimeInterval = .seconds(3),
    diskType: @escaping @Sendable (CInt) -> Int64 = { clinux_file_system_type($0) },
    canTrash: @escaping TrashCheck
  ) {
    self.diskType = diskType
    self.registry = registry
    self.tasks = tasks
    self.patience = patience
    self.canTrash = canTrash
  }

  /// To be called once, before the first question.
  func observe(_ foreseen: @escaping @Sendable () -> Void) {
    self.foreseen.withLock { $0 = foreseen }
  }

  /// An answer for each stop, in order; blocks for as long as any folder goes on answering.
  ///
  /// A stop that does not answer within the patience is refused as not responding; its queue goes on,
  /// and its answer is dropped.
  ///
  /// - Parameter told: from time to time, what has been answered since.
  func answers(to inquiry: Inquiry, told: ([Answer]) -> Void = { _ in }) -> [Answer] {
    ask(inquiry.stops, items: inquiry.items.count, told: told) { [self] in
      Asking(inquiry, registry: registry, PlaceProbe(diskType: diskType)) { [self] in
        survey.parts(of: $0, on: $1, told: foreseen.withLock(\.self))
      }
    } _: { [self] stop, asking in
      proposal(of: stop, &asking)
    }
  }

  /// The same for items without files of their own, each of which would become one.
  ///
  /// Only folders take them.
  func answers(for items: WrittenItems, at stops: [DropStop]) -> [Answer] {
    // All of them are told together.
    func told(_: [Answer]) {}
    return ask(stops, items: 0, told: told) {
      PlaceProbe()
    } _: { [registry] stop, probe in
      guard stop.position == .on else { return .refused(.notOrdered) }
      let path: FilePath?
      switch PointID(stop.point) {
      case .folder(let number): path = registry.path(of: number)
      case .entry(let id): path = registry.entry(id.source)?.path
      case .trash, .print, .clipboard, .program, .newFolder: return .refused(.wrongType)
      }
      guard let path else { return .refused(.gone) }
      switch probe.target(path, source: nil, tree: nil) {
      case .failure(let reason): return .refused(reason)
      case .success(let target):
        var proposal = items.proposal(at: target)
        let clashes = items.names.isEmpty ? [] : PlaceProbe.clashes(items.names, in: path)
        if !clashes.isEmpty { proposal.predictions.insert(.nameClash(clashes), at: 0) }
        return proposal
      }
    }
  }

  /// Asks each folder's stops on a queue of their own, with a state of their own.
  ///
  /// - Parameters:
  ///   - items: adds as many milliseconds to the patience.
  ///   - told: called on this thread.
  ///   - begin: makes the state that the stops of one folder share.
  private func ask<State>(
    _ stops: [DropStop], items: Int, told: ([Answer]) -> Void,
    _ begin: @escaping @Sendable () -> State,
    _ proposal: @escaping @Sendable (DropStop, inout State) -> DropProposal
  ) -> [Answer] {
    let group = DispatchGroup()
    let parts = Dictionary(grouping: stops.indices) { DropPointPart(stops[$0].point) }
    let collected = Collected(parts: Array(parts.values))
    let silent = silent.withLock { $0 }
    for (number, (folder, part)) in parts.enumerated() {
      if silent.contains(folder) {
        collected.giveUp(number)
        continue
      }
      DispatchQueue(label: "keydrag.inquiry").async(group: group) { [self] in
        var state = begin()
        collected.begin(number)
        for index in part {
          let isWanted = collected.set(index, proposal(stops[index], &state), of: number)
          if !isWanted { break }
        }
        collected.end(number) { self.silent.withLock { _ = $0.remove(folder) } }
      }
    }
    let folders = Array(parts.keys)
    // Each item is looked at, which a busy machine takes its time for.
    let limit = patience.nanoseconds + UInt64(items) * 1_000_000
    // With many stops each round costs the listener more.
    let interval = DispatchTimeInterval.milliseconds(100 + stops.count / 100)
    while group.wait(timeout: .now() + interval) == .timedOut {
      let new = collected.takeNew(silentFor: limit) { number in
        self.silent.withLock { _ = $0.insert(folders[number]) }
      }
      if !new.isEmpty { told(new.map { Answer(stops[$0], $1) }) }
      if collected.isDone { break }
    }
    let proposals = collected.all
    return stops.indices.map { index in
      Answer(stops[index], proposals[index] ?? .refused(.notResponding))
    }
  }

  /// Those of the items of which the person was told, at the last final question, that they have no
  /// trash to go to.
  ///
  /// Empty before such a question, and when the last one found a trash for all.
  func agreedToDelete(_ items: [DragItem]) -> [DragSourceID] {
    withoutTrash.withLock { known in items.map(\.source).filter { known.contains($0) } }
  }

  /// May block.
  private func proposal(of stop: DropStop, _ asking: inout Asking) -> DropProposal {
    guard stop.position == .on else { return .refused(.notOrdered) }
    switch PointID(stop.point) {
    case .folder(let number):
      guard let path = registry.path(of: number) else { return .refused(.gone) }
      return asking.folder(path, source: nil, tree: registry.tree(of: number))
    case .entry(let id):
      guard let entry = registry.entry(id.source) else { return .refused(.gone) }
      return asking.folder(entry.path, source: id.source, tree: ContainerID(entry.tree, of: .files))
    case .newFolder(let number):
      guard let path = registry.path(of: number) else { return .refused(.gone) }
      return asking.newFolder(in: path, tree: registry.tree(of: number))
    case .trash: return trash(asking)
    case .print: return print(asking)
    case .clipboard:
      return Self.proposal(asking.refused, of: asking.inquiry.items.count, offers: [.copy])
    case .program(let number): return open(number, asking)
    }
  }

  /// One check for each device, since a trash belongs to a file system.
  private func trash(_ asking: Asking) -> DropProposal {
    let items = asking.inquiry.items
    var refused = asking.refused
    var missing: Set<DragSourceID> = []
    var byDevice: [UInt64: Reason?] = [:]
    for (index, entry) in asking.entries.enumerated() where refused[index] == nil {
      guard let entry, items[index].allowed.contains(.remove) else {
        refused[index] = .notPermitted
        continue
      }
      // 0 for what can't be reached: those are looked at together.
      let device = asking.facts[index].identity?.device ?? 0
      let reason = byDevice[device] ?? canTrash(entry.path)
      byDevice.updateValue(reason, forKey: device)
      if reason == .noTrash {
        missing.insert(items[index].source)
      } else if let reason {
        refused[index] = reason
      }
    }
    // Only a question that was told to the person may count as told.
    if asking.inquiry.isFinal { withoutTrash.withLock { [missing] in $0 = missing } }
    return Self.proposal(
      refused, of: items.count, offers: [.remove], irreversible: missing.isEmpty ? nil : .noTrash)
  }

  /// By whether `lp` is there; whether a printer is shows when it runs.
  private func print(_ asking: Asking) -> DropProposal {
    guard TaskPlaces.printer() != nil else { return .refused(.noProgram) }
    var refused = asking.refused
    for (index, item) in asking.inquiry.items.enumerated() where refused[index] == nil {
      if !TaskPlaces.isPrintable(item.kind) { refused[index] = .wrongType }
    }
    return Self.proposal(refused, of: asking.inquiry.items.count, offers: [.open])
  }

  /// Takes what the program is the default for.
  private func open(_ number: UInt32, _ asking: Asking) -> DropProposal {
    guard let program = tasks.program(number) else { return .refused(.noProgram) }
    var refused = asking.refused
    var isDefault: [String: Bool] = [:]
    for (index, item) in asking.inquiry.items.enumerated() where refused[index] == nil {
      let type = item.types.first ?? ""
      let opens = isDefault[type] ?? (tasks.programs.defaultProgram(for: type)?.id == program.id)
      isDefault[type] = opens
      if !opens { refused[index] = .wrongType }
    }
    return Self.proposal(refused, of: asking.inquiry.items.count, offers: [.open])
  }

  /// - Parameters:
  ///   - refused: by index; all refused give the reason of the first.
  ///   - count: of all items.
  private static func proposal(
    _ refused: [Int: Reason], of count: Int, offers: DragOperations, irreversible: Reason? = nil
  ) -> DropProposal {
    guard refused.count < count else { return .refused(refused[0] ?? .nothingThere) }
    return DropProposal(
      refused.isEmpty ? .all : .some(refused: refused), offers: offers,
      irreversible: irreversible)
  }
}

/// Stops that are asked one after the other: those listed in one folder.
private struct DropPointPart: Hashable {
  let folder: UInt32

  init(_ point: DropPointID) { folder = UInt32(truncatingIfNeeded: point.rawValue >> 32) }
}

/// Proposals as they come in from several queues, by the index of their stop.
///
/// One that comes after its folder was given up is dropped.
private final class Collected: Sendable {
  private struct State {
    var proposals: [Int: DropProposal] = [:]
    /// Not taken yet.
    var new: [Int] = []
    /// Of each folder its stops, how many have answered, and when; `nil` once it was given up.
    var parts: [(stops: [Int], hasBegun: Bool, answered: Int, last: UInt64)?]

    mutating func giveUp(_ number: Int) {
      guard let part = parts[number] else { return }
      for index in part.stops.dropFirst(part.answered) {
        proposals[index] = .refused(.notResponding)
        new.append(index)
      }
      parts[number] = nil
    }
  }

  private let state: Mutex<State>

  init(parts: [[Int]]) {
    let now = DispatchTime.now().uptimeNanoseconds
    state = Mutex(State(parts: parts.map { ($0, false, 0, now) }))
  }

  /// Notes that the items have been looked at: from now on the folder itself is asked.
  func begin(_ part: Int) { state.withLock { $0.parts[part]?.hasBegun = true } }

  /// - Returns: whether the answer is still wanted.
  func set(_ index: Int, _ proposal: DropProposal, of part: Int) -> Bool {
    state.withLock { state in
      guard state.parts[part] != nil else { return false }
      state.proposals[index] = proposal
      state.new.append(index)
      state.parts[part]?.answered += 1
      state.parts[part]?.last = DispatchTime.now().uptimeNanoseconds
      return true
    }
  }

  /// Answers for all the stops of a folder.
  func giveUp(_ part: Int) { state.withLock { $0.giveUp(part) } }

  /// All stops of a folder have been asked.
  ///
  /// - Parameter wasGivenUp: called where nobody has waited for it.
  func end(_ part: Int, wasGivenUp: () -> Void) {
    state.withLock { if $0.parts[part] == nil { wasGivenUp() } }
  }

  /// The answers since the last call. A folder that has been silent for too long is given up, and its
  /// stops are answered for.
  func takeNew(
    silentFor limit: UInt64, givesUp: (Int) -> Void
  ) -> [(Int, DropProposal)] {
    let now = DispatchTime.now().uptimeNanoseconds
    return state.withLock { state in
      for (number, part) in state.parts.enumerated() {
        guard let part, part.answered < part.stops.count, now &- part.last > limit, now > part.last
        else { continue }
        state.giveUp(number)
        if part.hasBegun { givesUp(number) }
      }
      defer { state.new = [] }
      return state.new.map { ($0, state.proposals[$0] ?? .refused(.notResponding)) }
    }
  }

  /// Whether no folder is waited for any more.
  var isDone: Bool {
    state.withLock { state in
      state.parts.allSatisfy { part in part.map { $0.answered == $0.stops.count } ?? true }
    }
  }

  var all: [Int: DropProposal] { state.withLock { $0.proposals } }
}

extension DispatchTimeInterval {
  /// 0 for no time at all, and for ever.
  fileprivate var nanoseconds: UInt64 {
    let now = DispatchTime.now()
    return (now + self).uptimeNanoseconds &- now.uptimeNanoseconds
  }
}

/// One inquiry on one queue: the items looked at once, and how many names may still be looked up.
///
/// The stops of one folder are asked with it one after the other, so that no lock is needed.
private struct Asking {
  let inquiry: Inquiry
  /// In the order of the items; `nil` for one that no folder here has listed.
  let entries: [PlaceRegistry.Entry?]
  private let rules: FolderRules
  private var probe: PlaceProbe
  /// The parts of folders that a disk is known not to take.
  private let survey: ([FilePath], DiskLimits) -> [DeliveryFailure]
  /// How many names may still be looked up, over all stops of this queue.
  private var lookUps = Asking.mostLookUps

  init(
    _ inquiry: Inquiry, registry: PlaceRegistry, _ probe: PlaceProbe,
    survey: @escaping ([FilePath], DiskLimits) -> [DeliveryFailure]
  ) {
    self.inquiry = inquiry
    self.survey = survey
    self.probe = probe
    entries = registry.entries(inquiry.items.map(\.source))
    let facts = self.probe.facts(of: inquiry.items, entries: entries)
    rules = FolderRules(items: facts, wish: inquiry.wish)
  }

  /// By index, as the items.
  var facts: [CarriedFacts] { rules.items }

  /// The items that can't be delivered anywhere, by index, with their reasons.
  var refused: [Int: Reason] { rules.undeliverable }

  /// A final question looks at all names, any other one at few: see ``mostPerStop``.
  mutating func folder(_ path: FilePath, source: DragSourceID?, tree: ContainerID?) -> DropProposal
  {
    switch probe.target(path, source: source, tree: tree) {
    case .failure(let reason): return .refused(reason)
    case .success(let target):
      var proposal = rules.proposal(of: target)
      let clashes = clashes(by: proposal, at: target, path)
      if !clashes.isEmpty {
        proposal.predictions = [.nameClash(clashes)]
        if inquiry.isFinal { proposal.merger = merger(by: proposal, at: path) }
      }
      // Said first: names that exist are asked about.
      if let parts = leftOut(by: proposal, at: target) { proposal.predictions.insert(parts, at: 0) }
      return proposal
    }
  }

  /// A folder that is not there yet.
  ///
  /// Refused where something bears the wished name.
  mutating func newFolder(in path: FilePath, tree: ContainerID?) -> DropProposal {
    if let name = inquiry.newName, (try? FileCalls.status(path.appending(FileName(name)))) != nil {
      return .refused(.nameExists)
    }
    switch probe.target(path, source: nil, tree: tree) {
    case .failure(let reason): return .refused(reason)
    case .success(var target):
      // Nothing comes from it.
      // No inode is 0, so that no item counts as being in it.
      target.identity.inode = 0
      var proposal = rules.proposal(of: target)
      if let parts = leftOut(by: proposal, at: target) { proposal.predictions.append(parts) }
      return proposal
    }
  }

  /// The parts of carried folders that would stay behind; `nil` for nothing, and as long as it is not known.
  private func leftOut(by proposal: DropProposal, at target: TargetFacts) -> Prediction? {
    guard let limits = target.limits else { return nil }
    let folders = rules.accepted(by: proposal).filter {
      facts[$0].isFolder && rules.isWritten($0, at: target)
    }.compactMap { entries[$0]?.path }
    let parts = folders.isEmpty ? [] : survey(folders, limits)
    guard let first = parts.first?.reason else { return nil }
    return .leavesOut(
      names: parts.prefix(3).map(\.name), count: parts.count,
      reason: parts.allSatisfy { $0.reason == first } ? first : nil)
  }

  /// A second one made in the same folder always gets a name of its own and is no clash.
  ///
  /// - Returns: names that are safe to speak. Empty, too, once this queue has looked up as many as
  ///   it may; a final question looks up all.
  private mutating func clashes(
    by proposal: DropProposal, at target: TargetFacts, _ path: FilePath
  ) -> [String] {
    if case .none = proposal.acceptance { return [] }
    if let name = inquiry.newName { return PlaceProbe.clashes([Array(name.utf8)], in: path) }
    let bound = inquiry.isFinal ? Int.max : min(Self.mostPerStop, lookUps)
    var names: [[UInt8]] = []
    for index in rules.accepted(by: proposal) where facts[index].folder != target.identity {
      guard names.count < bound else { break }
      if let entry = entries[index] { names.append(entry.name) }
    }
    if !inquiry.isFinal { lookUps -= names.count }
    return names.isEmpty ? [] : PlaceProbe.clashes(names, in: path)
  }

  /// The names that clash even when folders become one.
  ///
  /// `nil` where no folder is carried, or none meets one of its name.
  private func merger(by proposal: DropProposal, at path: FilePath) -> Merger? {
    let sources = rules.accepted(by: proposal).compactMap { index in
      inquiry.items[index].kind == .folder ? entries[index]?.path : nil
    }
    if sources.isEmpty { return nil }
    return MergeProbe.merger(
      of: rules.accepted(by: proposal).compactMap { entries[$0]?.path }, in: path)
  }

  /// Predictions are worth this much while someone only walks past.
  private static let mostPerStop = 100
  private static let mostLookUps = 20_000
}
