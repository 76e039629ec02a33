import CLinux
import Glibc
import KeyDragCore
import KeyDragThreads
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
  /// All folders are asked at once.
  private let pool: CallPool<DropPointPart>
  /// The items that the last final question found no trash for; see ``agreedToDelete(_:)``.
  private let withoutTrash = Mutex<Set<DragSourceID>>([])

  init(
    registry: PlaceRegistry, tasks: TaskPlaces, patience: Duration = .seconds(3),
    diskType: @escaping @Sendable (CInt) -> Int64 = { clinux_file_system_type($0) },
    canTrash: @escaping TrashCheck
  ) {
    self.diskType = diskType
    self.registry = registry
    self.tasks = tasks
    pool = CallPool(
      patience: patience, threads: 16, pauses: .milliseconds(100) ... .milliseconds(200))
    self.canTrash = canTrash
  }

  /// To be called once, before the first question.
  func observe(_ foreseen: @escaping @Sendable () -> Void) {
    self.foreseen.withLock { $0 = foreseen }
  }

  /// An answer for each stop, in order.
  ///
  /// A folder that gives no answer within the patience is refused as not responding, and is not asked
  /// again until its call has come back.
  ///
  /// - Parameter told: from time to time, what has been answered since.
  func answers(to inquiry: Inquiry, told: ([Answer]) -> Void = { _ in }) async -> [Answer] {
    await ask(inquiry.stops, items: inquiry.items.count, told: told) { [self] in
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
  func answers(for items: WrittenItems, at stops: [DropStop]) async -> [Answer] {
    // All of them are told together.
    func told(_: [Answer]) {}
    return await ask(stops, items: 0, told: told) {
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

  /// Asks the stops of each folder in one call, with a state of its own.
  ///
  /// - Parameters:
  ///   - items: adds as many milliseconds to the patience: each is looked at.
  ///   - begin: makes the state that the stops of one folder share.
  private func ask<State>(
    _ stops: [DropStop], items: Int, told: ([Answer]) -> Void,
    _ begin: @escaping @Sendable () -> State,
    _ proposal: @escaping @Sendable (DropStop, inout State) -> DropProposal
  ) async -> [Answer] {
    let folders = Array(Dictionary(grouping: stops.indices) { DropPointPart(stops[$0].point) })
    var answers = stops.map { Answer($0, .refused(.notResponding)) }
    var isKnown = [Bool](repeating: false, count: stops.count)
    func take(_ new: [(Int, (index: Int, proposal: DropProposal)?)]) -> [Answer] {
      new.flatMap { number, value in
        if let (index, proposal) = value { answers[index].proposal = proposal }
        let indices = value.map { [$0.index] } ?? folders[number].value.filter { !isKnown[$0] }
        for index in indices { isKnown[index] = true }
        return indices.map { answers[$0] }
      }
    }
    let rest = await pool.run(folders.map(\.key), allowing: .milliseconds(items)) {
      told(take($0))
    } _: { number, give in
      var state = begin()
      for index in folders[number].value {
        guard give((index, proposal(stops[index], &state))) else { break }
      }
    }
    _ = take(rest)
    return answers
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
    lazy var mounts = (try? Mounts.all) ?? []
    for (index, entry) in asking.entries.enumerated() where refused[index] == nil {
      guard let entry, items[index].allowed.contains(.remove) else {
        refused[index] = .notPermitted
        continue
      }
      // 0 for what can't be reached: those are looked at together.
      let device = asking.facts[index].identity?.device ?? 0
      if asking.facts[index].isFolder, (try? Mounts.areIn(entry.path, of: mounts)) == true {
        refused[index] = .otherDisk
        continue
      }
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

/// The question to one folder: the items looked at once, and how many names may still be looked up.
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
  /// How many names may still be looked up, over all its stops.
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
  /// - Returns: names that are safe to speak. Empty, too, once it has looked up as many as
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
