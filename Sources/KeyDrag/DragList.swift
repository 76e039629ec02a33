import Synchronization

/// An ordered list of an app's own values, as a container of its own.
///
/// Each row can be picked up. A drop at a row inserts there, and a drop on the list itself appends;
/// while it loads, a placeholder holds its place. Rows are moved by a drag inside the list and by
/// the reorder commands. The host retains the list, for as long as the app runs.
public final class DragList<Row: Sendable>: Sendable {
  /// A row, or the placeholder of one that is loading.
  private struct Entry: Sendable {
    var id: Int
    var row: Row?
    var source: DragHost.Registration
    var point: DragHost.Registration?
  }

  private struct Listing: Sendable {
    var entries: [Entry] = [] { didSet { indices = nil } }
    var lastID = 0
    /// The indices of rows and sources, made on demand: a pick-up asks at every row.
    private var indices: (rows: [Int: Int], sources: [DragSourceID: Int])?

    mutating func index(ofRow id: Int) -> Int? { known.rows[id] }
    mutating func index(of source: DragSourceID) -> Int? { known.sources[source] }

    private var known: (rows: [Int: Int], sources: [DragSourceID: Int]) {
      mutating get {
        if let indices { return indices }
        var new: (rows: [Int: Int], sources: [DragSourceID: Int]) = ([:], [:])
        for (index, entry) in entries.enumerated() {
          new.rows[entry.id] = index
          if let source = entry.source.source { new.sources[source] = index }
        }
        indices = new
        return new
      }
    }
  }

  /// The container of the rows; more drop points may be added to it.
  public let container: ContainerID
  private let name: String
  private let host: DragHost
  private let source: @Sendable (Row) -> DragHost.Source
  private let accept: @Sendable (DragHost.DropInfo) -> DropProposal
  private let load: @Sendable (DragHost.DropSession) async throws -> [Row]
  private let limit: Int
  private let state = Mutex(Listing())
  /// Held while rows and descriptors change together; the state alone is read without it.
  private let changing = Mutex(())

  /// Creates a list without rows, as a new container of a host.
  ///
  /// - Parameters:
  ///   - name: the spoken name of the list, and of the empty area behind its rows.
  ///   - host: gets the container, and retains the list.
  ///   - isEditing: set if rows are moved in an edit mode only: whether it is on at first.
  ///   - type: the type that dropped items are loaded as.
  ///   - limit: more items than these are refused with ``Reason/tooMany``.
  ///   - refusing: the reason to refuse an item though its type is accepted; asked before the drop,
  ///     when nothing can be loaded yet: see ``ItemProvider/peek(_:)``.
  ///   - source: describes a row, and supplies its item.
  ///   - rows: makes rows of one dropped value; throws a ``Reason``.
  public init<Value: DropReadable>(
    _ name: String, in host: DragHost, isEditing: Bool? = nil, accepting type: Value.Type,
    atMost limit: Int = .max,
    refusing: @escaping @Sendable (ItemProvider) -> Reason? = { _ in nil },
    source: @escaping @Sendable (Row) -> DragHost.Source,
    rows: @escaping @Sendable (Value) throws -> [Row]
  ) {
    self.name = name
    self.host = host
    self.source = source
    self.limit = limit
    accept = {
      $0.proposal(accepting: Value.self, atMost: limit, offers: .copy)
        .refusing($0.items, of: $0, refusing)
    }
    load = { drop in
      var all: [Row] = []
      var failures: [Reason] = []
      for (index, (item, _)) in drop.items.enumerated() {
        do {
          let value = try await drop.load(Value.self, from: item)
          all += try rows(value)
          for part in value.leftOut { drop.leaveOut(part, of: index) }
        } catch let reason as Reason {
          drop.fail(index, reason)
          failures.append(reason)
        }
      }
      if let first = failures.first, failures.count == drop.items.count { throw first }
      // A drop that ended meanwhile must change nothing.
      try drop.check()
      return all
    }
    let container = host.addContainer(name, isEditing: isEditing) { _, _ in .gone }
    self.container = container
    host.state.withLock { $0.reorder[container] = { self.reorder($0, $1) } }
    host.declareEmpty(container)
    host.register(end, in: container)
  }

  /// The empty area behind the rows, where a drop or a paste appends.
  public var end: DragHost.DropPoint {
    var end = point(name, .on, at: nil)
    end.isContainer = true
    return end
  }

  /// The present rows, in order, without placeholders.
  public var rows: [Row] { state.withLock { $0.entries.compactMap(\.row) } }

  /// Inserts rows at an index, or at the end.
  public func insert(_ rows: [Row], at index: Int? = nil) {
    changing.withLock { _ in
      let end = state.withLock { $0.entries.count }
      _ = add(rows, at: min(max(index ?? end, 0), end))
    }
  }

  // MARK: Rows and their descriptors

  /// Called with ``changing`` held, like everything below.
  ///
  /// - Parameter ids: of rows that were there before.
  private func add(
    _ rows: [Row], at index: Int, as ids: [Int] = []
  ) -> [DragHost.Registration] {
    let ids = rows.indices.map { ids.indices.contains($0) ? ids[$0] : nextID() }
    let described = zip(rows, ids).map { row, id in
      let described = source(row)
      return (described, point(described.name, [.before, .after], at: id))
    }
    var sources: [DragHost.Registration] = []
    // Before observers hear of the rows, and ask about them.
    host.register(rows: described, in: container, at: index, points: pointIndex(index)) { new in
      let entries = rows.indices.map { number in
        Entry(
          id: ids[number], row: rows[number], source: new[number].source, point: new[number].point)
      }
      state.withLock { $0.entries.insert(contentsOf: entries, at: index) }
      sources = new.map(\.source)
    }
    return sources
  }

  private func nextID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// The index of a row's drop point in the list; placeholders have none.
  private func pointIndex(_ index: Int) -> Int {
    state.withLock { state in state.entries.prefix(index).count { $0.point != nil } }
  }

  private func remove(_ id: Int) -> Int? {
    let (index, entry) = state.withLock { state -> (Int?, Entry?) in
      guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
      return (index, state.entries.remove(at: index))
    }
    entry?.source.remove()
    entry?.point?.remove()
    return index
  }

  private func arrange(_ wanted: [Entry]) {
    var current = state.withLock { $0.entries }
    for (index, entry) in wanted.enumerated() where current[index].id != entry.id {
      current.removeAll { $0.id == entry.id }
      current.insert(entry, at: index)
      state.withLock { [current] in $0.entries = current }
      host.move(entry.source, to: index)
      if let point = entry.point { host.move(point, to: pointIndex(index)) }
    }
  }

  private func reorder(_ old: Int, _ new: Int) -> Reason? {
    changing.withLock { _ in
      var wanted = state.withLock { $0.entries }
      guard wanted.indices.contains(old), wanted.indices.contains(new) else { return .gone }
      wanted.insert(wanted.remove(at: old), at: new)
      arrange(wanted)
      return nil
    }
  }

  // MARK: Dropping

  private func point(
    _ name: String, _ positions: DropPositions, at id: Int?
  ) -> DragHost.DropPoint {
    DragHost.DropPoint(name, positions: positions) { info in
      self.proposal(info, at: id)
    } performDrop: { drop in
      try await self.take(drop, at: id)
    }
  }

  private func proposal(_ info: DragHost.DropInfo, at id: Int?) -> DropProposal {
    guard info.isInside else { return accept(info) }
    if info.isEditing == false { return DropProposal(.forbidden(.editModeOff), offers: []) }
    guard info.items.count <= limit else { return .refused(.tooMany) }
    return stays(info.items.map(\.source), at: id, info.position)
      ? .refused(.samePlace) : DropProposal(.all, offers: .move)
  }

  /// Whether a move changes nothing: the items are adjacent and in the order carried, and the place
  /// is among them or beside them.
  private func stays(_ sources: [DragSourceID], at id: Int?, _ position: DropPosition) -> Bool {
    state.withLock { state in
      let carried = sources.compactMap { state.index(of: $0) }
      guard let first = carried.first else { return true }
      guard carried == Array(first..<first + carried.count) else { return false }
      let row = id.flatMap { state.index(ofRow: $0) }
      let place = row.map { $0 + (position == .after ? 1 : 0) } ?? state.entries.count
      return (first...first + carried.count).contains(place)
    }
  }

  /// The order before and after a move, with the items in the order carried.
  private func moved(
    _ sources: [DragSourceID], to id: Int?, _ position: DropPosition
  ) -> (old: [Entry], new: [Entry]) {
    let old = state.withLock { $0.entries }
    let carried = sources.compactMap { source in old.first { $0.source.source == source } }
    let ids = Set(carried.map(\.id))
    let place = index(of: id, position, in: old)
    let new = old[..<place].filter { !ids.contains($0.id) } + carried
    return (old, new + old[place...].filter { !ids.contains($0.id) })
  }

  /// The end for a row that is gone, and for the list itself.
  private func index(of id: Int?, _ position: DropPosition, in entries: [Entry]) -> Int {
    guard let id, let row = entries.firstIndex(where: { $0.id == id }) else {
      return entries.count
    }
    return row + (position == .after ? 1 : 0)
  }

  private func take(_ drop: DragHost.DropSession, at id: Int?) async throws {
    if drop.operation == .move {
      changing.withLock { _ in
        let sources = drop.items.map(\.item.source)
        let (old, wanted) = moved(sources, to: id, drop.position)
        arrange(wanted)
        rememberOrder(drop, old.map(\.id), wanted.map(\.id))
        for entry in wanted where entry.source.source.map(sources.contains) == true {
          drop.landed(entry.source)
        }
      }
      return
    }
    let placeholders = hold(drop, at: id)
    do {
      let rows = try await load(drop)
      replace(placeholders, by: rows).forEach(drop.landed)
      rememberRows(drop)
    } catch {
      replace(placeholders, by: [])
      throw error
    }
  }

  /// Registers the undo of a drop that has added rows.
  private func rememberRows(_ drop: DragHost.DropSession) {
    let new = Set(drop.record.results.landed)
    let entries = state.withLock { $0.entries }
    let brought = entries.indices.filter { entries[$0].source.source.map(new.contains) == true }
    guard let place = brought.first else { return }
    let ids = brought.map { entries[$0].id }
    let rows = brought.compactMap { entries[$0].row }
    drop.canBeUndone { [weak self] in
      guard let self else { return }
      try changing.withLock { _ in
        let there = Set(state.withLock { $0.entries.map(\.id) })
        guard ids.allSatisfy(there.contains) else { throw Reason.changed }
        let gone = Set(ids)
        let entries = state.withLock { state in
          defer { state.entries.removeAll { gone.contains($0.id) } }
          return state.entries.filter { gone.contains($0.id) }
        }
        host.remove(entries.map(\.source) + entries.compactMap(\.point), from: container)
      }
    } redo: { [weak self] in
      guard let self else { return }
      changing.withLock { _ in
        let end = state.withLock { $0.entries.count }
        _ = add(rows, at: min(place, end), as: ids)
      }
    }
  }

  /// Registers the undo of a new order of rows.
  private func rememberOrder(_ drop: DragHost.DropSession, _ old: [Int], _ new: [Int]) {
    drop.canBeUndone { [weak self] in
      try self?.restore(old, from: new)
    } redo: { [weak self] in
      try self?.restore(new, from: old)
    }
  }

  /// Reorders rows if they are in the known order; rows added since stay where they are.
  private func restore(_ wanted: [Int], from known: [Int]) throws {
    try changing.withLock { _ in
      let entries = state.withLock { $0.entries }
      let ids = Set(known)
      let those = entries.filter { ids.contains($0.id) }
      guard those.map(\.id) == known else { throw Reason.changed }
      let byID = Dictionary(those.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      var next = wanted.compactMap { byID[$0] }.makeIterator()
      arrange(entries.map { ids.contains($0.id) ? next.next() ?? $0 : $0 })
    }
  }

  /// Inserts a placeholder with the name of what is loading.
  private func hold(_ drop: DragHost.DropSession, at id: Int?) -> [Int] {
    changing.withLock { _ in
      let place = index(of: id, drop.position, in: state.withLock { $0.entries })
      // One placeholder stands for all items.
      return drop.items.prefix(1).map { item, _ in
        let id = nextID()
        let source = host.register(
          DragHost.Source(item.name, kind: .placeholder, isEnabled: false) { nil },
          in: container, at: place)
        state.withLock { state in
          state.entries.insert(Entry(id: id, row: nil, source: source, point: nil), at: place)
        }
        return id
      }
    }
  }

  @discardableResult
  private func replace(_ placeholders: [Int], by rows: [Row]) -> [DragHost.Registration] {
    changing.withLock { _ in
      let end = state.withLock { $0.entries.count }
      let place = placeholders.compactMap(remove).first ?? end
      return add(rows, at: place)
    }
  }
}

extension DragHost.Registration {
  var source: DragSourceID? {
    if case .source(let id) = subject { id } else { nil }
  }
}

extension DropProposal {
  /// Refuses further items, by their contents.
  fileprivate func refusing(
    _ items: [DragItem], of info: DragHost.DropInfo, _ refusal: (ItemProvider) -> Reason?
  ) -> DropProposal {
    var refused: [Int: Reason]
    switch acceptance {
    case .all: refused = [:]
    case .some(let some): refused = some
    case .none, .forbidden, .cancels, .maybe: return self
    }
    for (index, item) in items.enumerated() where refused[index] == nil {
      refused[index] = info.provider(of: item).flatMap(refusal)
    }
    if !items.isEmpty, refused.count == items.count {
      return .refused(refused.min { $0.key < $1.key }?.value ?? .wrongType)
    }
    var proposal = self
    proposal.acceptance = refused.isEmpty ? .all : .some(refused: refused)
    return proposal
  }
}
