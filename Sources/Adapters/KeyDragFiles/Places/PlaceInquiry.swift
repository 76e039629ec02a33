import CLinux
import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// Collects the places' drop proposals.
///
/// Folders are asked concurrently, and those that time out are refused.
///
/// Owned by ``FilesWorld``. Caches nothing between inquiries, except the answer about the trash.
final class PlaceInquiry: Sendable {
  /// Why a path can't be trashed, `noTrash` if there is none; may block.
  typealias TrashCheck = @Sendable (FilePath) -> Reason?

  private let registry: PlaceRegistry
  private let tasks: TaskPlaces
  private let canTrash: TrashCheck
  private let diskType: @Sendable (CInt) -> Int64
  let survey = CarriedSurvey()
  /// Called on any thread when an earlier answer can be refined.
  private let predictionsImproved = Mutex<@Sendable () -> Void>({})
  private let pool: CallPool<DropPointPart>
  /// Items without a trash in the last final inquiry; see ``agreedToDelete(_:)``.
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

  /// Call once, before the first inquiry.
  func observe(_ predictionsImproved: @escaping @Sendable () -> Void) {
    self.predictionsImproved.withLock { $0 = predictionsImproved }
  }

  /// Answers for all stops, in order.
  ///
  /// A folder that times out is refused as not responding, and is not asked again until its call
  /// has returned.
  ///
  /// - Parameter told: receives new answers in batches.
  func answers(to inquiry: ProposalRequest, told: ([Answer]) -> Void = { _ in }) async -> [Answer] {
    await ask(inquiry.stops, items: inquiry.items.count, told: told) { [self] in
      Asking(inquiry, registry: registry, PlaceProbe(diskType: diskType)) { [self] in
        survey.findings(of: $0, within: $1, told: predictionsImproved.withLock(\.self))
      }
    } _: { [self] stop, asking in
      proposal(of: stop, &asking)
    }
  }

  /// As above for items without files, each of which would become one. Only folders accept them.
  func answers(for items: WrittenItems, at stops: [DropStop]) async -> [Answer] {
    // Reported together.
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

  /// Asks each folder's stops in one call with shared state.
  ///
  /// - Parameters:
  ///   - items: extends the timeout by this many milliseconds, since each is checked.
  ///   - begin: makes the state shared by one folder's stops.
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

  /// Items that the user was told, in the last final inquiry, have no trash. Empty before the first
  /// one, and if all had a trash.
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

  /// One check per folder and device: a trash belongs to a file system, the right to remove to a
  /// folder.
  private func trash(_ asking: Asking) -> DropProposal {
    let items = asking.inquiry.items
    var refused = asking.refused
    var missing: Set<DragSourceID> = []
    var checked: [FilePath: [UInt64: Reason?]] = [:]
    lazy var mounts = (try? Mounts.all) ?? []
    for (index, entry) in asking.entries.enumerated() where refused[index] == nil {
      guard let entry, items[index].allowed.contains(.remove) else {
        refused[index] = .notPermitted
        continue
      }
      // 0 if unreachable: those share one check.
      let device = asking.facts[index].identity?.device ?? 0
      if asking.facts[index].kind == .folder, (try? Mounts.areIn(entry.path, of: mounts)) == true {
        refused[index] = .otherDisk
        continue
      }
      let reason = checked[entry.folder]?[device] ?? canTrash(entry.path)
      checked[entry.folder, default: [:]].updateValue(reason, forKey: device)
      if reason == .noTrash {
        missing.insert(items[index].source)
      } else if let reason {
        refused[index] = reason
      }
    }
    // Only a final inquiry is spoken to the user.
    if asking.inquiry.isFinal { withoutTrash.withLock { [missing] in $0 = missing } }
    return Self.proposal(
      refused, of: items.count, offers: [.remove], irreversible: missing.isEmpty ? nil : .noTrash)
  }

  /// Checks for `lp` only; a missing printer shows when it runs.
  private func print(_ asking: Asking) -> DropProposal {
    guard TaskPlaces.printer() != nil else { return .refused(.noProgram) }
    var refused = asking.refused
    for (index, item) in asking.inquiry.items.enumerated() where refused[index] == nil {
      if !TaskPlaces.isPrintable(item.kind) { refused[index] = .wrongType }
    }
    return Self.proposal(refused, of: asking.inquiry.items.count, offers: [.open])
  }

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
  ///   - refused: by index; if all are refused, the first one's reason counts.
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

/// Groups stops by the folder that lists them, to be asked in sequence.
private struct DropPointPart: Hashable {
  let folder: UInt32

  init(_ point: DropPointID) { folder = UInt32(truncatingIfNeeded: point.rawValue >> 32) }
}

/// The inquiry for one folder's stops, with shared checks and a budget of name lookups. Not
/// thread-safe: the stops are asked in sequence.
private struct Asking {
  let inquiry: ProposalRequest
  /// In the order of the items; `nil` for an unlisted one.
  let entries: [PlaceRegistry.Entry?]
  private let rules: FolderRules
  private var probe: PlaceProbe
  private let survey: ([FilePath], DispatchTimeInterval) -> CarriedSurvey.Findings?
  /// Remaining name lookups, for all stops together.
  private var lookUps = Asking.mostLookUps
  /// Remaining items and links to resolve, likewise.
  private var resolutions = Asking.mostLookUps
  private lazy var origins = LinkForecast.origins(of: entries.map { $0?.path })
  /// Findings in all folders and links; `nil` if they are not known yet.
  private lazy var found: CarriedSurvey.Findings? = {
    // Links alone are resolved at once, or else what they lead to hangs.
    let isQuick = rules.trees.allSatisfy { facts[$0].kind == .link }
    return survey(
      rules.trees.compactMap { entries[$0]?.path }, .milliseconds(isQuick ? 150 : 0))
  }()

  init(
    _ inquiry: ProposalRequest, registry: PlaceRegistry, _ probe: PlaceProbe,
    survey: @escaping ([FilePath], DispatchTimeInterval) -> CarriedSurvey.Findings?
  ) {
    self.inquiry = inquiry
    self.survey = survey
    self.probe = probe
    entries = registry.entries(inquiry.items.map(\.source))
    let facts = self.probe.facts(of: inquiry.items, entries: entries)
    rules = FolderRules(items: facts, wish: inquiry.wish)
  }

  var facts: [CarriedFacts] { rules.items }

  var refused: [Int: Reason] { rules.undeliverable }

  /// Checks all names in a final inquiry, otherwise a few: see ``mostPerStop``.
  mutating func folder(_ path: FilePath, source: DragSourceID?, tree: ContainerID?) -> DropProposal
  {
    switch probe.target(path, source: source, tree: tree) {
    case .failure(let reason): return .refused(reason)
    case .success(let target):
      var proposal = rules.proposal(of: target)
      let clashes = clashes(by: proposal, at: target, path)
      if !clashes.isEmpty {
        proposal.predictions = [.nameClash(clashes)]
        if inquiry.isFinal {
          proposal.merger = merger(by: proposal, at: path)
          proposal.canReplace = TrashCan().canReplace(in: path)
        }
      }
      // First, because existing names lead to a question.
      let loss = loss(by: proposal, at: target, path)
      if let loss { proposal.predictions.insert(loss, at: 0) }
      return proposal
    }
  }

  /// A folder to be created; refused if the name is taken.
  mutating func newFolder(in path: FilePath, tree: ContainerID?) -> DropProposal {
    if let name = inquiry.newName, (try? FileCalls.status(path.appending(FileName(name)))) != nil {
      return .refused(.nameExists)
    }
    switch probe.target(path, source: nil, tree: tree) {
    case .failure(let reason): return .refused(reason)
    case .success(var target):
      // Inode 0 never exists, so that no item counts as being in the new folder.
      target.identity.inode = 0
      var proposal = rules.proposal(of: target)
      let made = path.appending(FileName(inquiry.newName ?? " "))
      let loss = loss(by: proposal, at: target, made)
      if let loss { proposal.predictions.append(loss) }
      return proposal
    }
  }

  /// Entries of carried folders that would be skipped, or links that would lead nowhere; `nil` if
  /// there are none or they are not known yet.
  private mutating func loss(
    by proposal: DropProposal, at target: TargetFacts, _ path: FilePath
  ) -> Prediction? {
    if inquiry.wish == .link { return nil }
    let trees = rules.trees(acceptedBy: proposal).filter {
      target.limits == nil || facts[$0].kind == .folder && rules.isWritten($0, at: target)
    }
    guard !trees.isEmpty, let found, !found.links.isEmpty || !found.misfits.isEmpty else {
      return nil
    }
    let accepted = Set(trees.compactMap { entries[$0]?.path })
    if let limits = target.limits {
      let parts = found.misfits.filter {
        accepted.contains($0.item) && limits.refuses(for: $0.part.reason)
      }.map(\.part)
      guard let first = parts.first?.reason else { return nil }
      return .leavesOut(
        names: parts.prefix(3).map(\.name), count: parts.count,
        reason: parts.allSatisfy { $0.reason == first } ? first : nil)
    }
    let links = found.links.filter { accepted.contains($0.item) }
    let cost = links.count + facts.count
    guard !links.isEmpty, inquiry.isFinal || cost <= resolutions,
      let place = path.withoutLinks ?? path.resolvingParentLinks
    else { return nil }
    if !inquiry.isFinal { resolutions -= cost }
    let origins = origins
    let forecast = LinkForecast(
      rules.accepted(by: proposal).compactMap { index in
        origins[index].map { ($0, rules.isMoved(index, to: target)) }
      }, to: place)
    let broken = links.filter(forecast.leadsNowhere)
    return broken.isEmpty ? nil : .leadsNowhere(broken.map(\.name))
  }

  /// A copy within its own folder is numbered and does not clash.
  ///
  /// - Returns: speakable names; empty once the lookup budget is spent, which a final inquiry
  ///   ignores.
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

  /// Names that clash even if folders are merged; `nil` if no folder meets one of its name.
  private func merger(by proposal: DropProposal, at path: FilePath) -> MergeClashes? {
    let sources = rules.accepted(by: proposal).compactMap { index in
      inquiry.items[index].kind == .folder ? entries[index]?.path : nil
    }
    if sources.isEmpty { return nil }
    return MergeProbe.merger(
      of: rules.accepted(by: proposal).compactMap { entries[$0]?.path }, in: path)
  }

  /// Name lookups per stop while the user only browses.
  private static let mostPerStop = 100
  private static let mostLookUps = 20_000
}
