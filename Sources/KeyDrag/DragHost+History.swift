extension DragHost.DropSession {
  /// Says how what this drop has changed is taken back, and how it is done again after that.
  ///
  /// Without it Undo says that this drop can't be taken back, and takes back nothing older in its place.
  /// Both are called on any thread, one after the other, and one step at a time.
  ///
  /// - Parameters:
  ///   - undo: takes back all of it. Throws a ``Reason`` where that is not possible, such as
  ///     ``Reason/changed`` where what has arrived is not what it was; then it has changed nothing.
  ///   - redo: does it again, under the same rule.
  public func canBeUndone(
    by undo: @escaping @Sendable () async throws -> Void,
    redo: @escaping @Sendable () async throws -> Void
  ) {
    record.remember(WayBackAndForth(undo: undo, redo: redo))
  }
}

/// The pair of closures that takes back something done in an app, and does it again.
struct WayBackAndForth: Sendable {
  var undo: @Sendable () async throws -> Void
  var redo: @Sendable () async throws -> Void
}

/// The things done in an app by its session, the newest last.
struct HostHistory: Sendable {
  /// Something that was done; without a way where only the app could take it back.
  struct Step: Sendable {
    var entry: HistoryEntry
    var way: WayBackAndForth?
  }

  /// More than this nobody takes back one by one.
  private static let most = 1000

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  private var count: Int64 = 0

  mutating func add(
    _ operation: DragOperation, _ names: [String], in place: String, _ way: WayBackAndForth?
  ) {
    count += 1
    // Numbers below zero are no journal's, where one stands beside this app.
    let entry = HistoryEntry(
      number: -count, operation: operation, names: Array(names.prefix(20)), count: names.count,
      place: place, time: 0, isUndone: false)
    done.append(Step(entry: entry, way: way))
    if done.count > Self.most { done.removeFirst() }
    // A redo would begin from another state now.
    undone = []
  }

  typealias Begun = (step: Step, index: Int, count: Int64)

  /// Takes out the step that is undone, or done again: the newest, or the one with that number. One that
  /// the app can't take back stays.
  ///
  /// - Returns: the step, where it was, and how many things had been done by then.
  mutating func begin(_ number: Int64?, isRedo: Bool) -> Begun? {
    let steps = isRedo ? undone : done
    let index = steps.lastIndex { number == nil || $0.entry.number == number }
    guard let index = index ?? steps.indices.last else { return nil }
    if steps[index].way != nil {
      if isRedo { undone.remove(at: index) } else { done.remove(at: index) }
    }
    return (steps[index], index, count)
  }

  /// Puts a step that was begun where it belongs by what came of it. A redo is offered only from the state
  /// in which its undo left the app.
  mutating func end(_ begun: Begun, isRedo: Bool, hasFailed: Bool) {
    switch (isRedo, hasFailed) {
    // The step done again last is undone first.
    case (true, false): done.append(begun.step)
    case (false, true): done.insert(begun.step, at: min(begun.index, done.count))
    case (true, true), (false, false): if begun.count == count { undone.append(begun.step) }
    }
  }

  /// Newest first; what was taken back was done after all that was not.
  func lines(_ limit: Int) -> [HistoryLine] {
    let back = undone.map { step in
      var entry = step.entry
      entry.isUndone = true
      return entry
    }
    return (back + done.reversed().map(\.entry)).prefix(max(limit, 0)).map {
      HistoryLine($0, when: "")
    }
  }
}

extension HostWorld {
  /// Takes a step behind all that were begun before.
  func goBack(_ number: Int64?, isRedo: Bool) async -> HistoryResult {
    let step = lastStep.withLock { last in
      let next = Task { [self, last] in
        _ = await last?.value
        return await takeStep(number, isRedo: isRedo)
      }
      last = next
      return next
    }
    return await step.value
  }

  private func takeStep(_ number: Int64?, isRedo: Bool) async -> HistoryResult {
    guard let begun = host.state.withLock({ $0.history.begin(number, isRedo: isRedo) })
    else { return .nothing }
    let step = begun.step
    guard let way = step.way else { return .refused(step.entry, .operationNotOffered) }
    do {
      // Outside the lock: what was registered comes and goes by it.
      try await isRedo ? way.redo() : way.undo()
    } catch {
      host.state.withLock { $0.history.end(begun, isRedo: isRedo, hasFailed: true) }
      return .refused(step.entry, error as? Reason ?? .unknown)
    }
    host.state.withLock { $0.history.end(begun, isRedo: isRedo, hasFailed: false) }
    return .done(step.entry)
  }

  /// Remembers a drop that has brought anything, so that it can be taken back where the app says how.
  func remember(_ drop: DragHost.DropSession, at stop: DropStop, _ result: DeliveryResult) {
    guard [.delivered, .partly].contains(result.outcome), result.effect != .nothing else { return }
    let failed = Set(drop.record.failures.keys)
    let names = drop.items.enumerated().filter { !failed.contains($0.offset) }
      .map(\.element.item.name)
    host.state.withLock { state in
      let (point, home) = state.points[stop.point].map { ($0.point, $0.container) } ?? (nil, nil)
      let container = home.flatMap { state.registry[$0]?.container }
      let isInside = stop.position != .on || point?.isContainer == true
      let place = isInside ? container?.name : point.map { SpokenName.clean($0.name) }
      state.history.add(drop.operation, names, in: place ?? "", drop.record.way)
    }
  }

  /// Remembers that an item has another place in its order.
  func remember(
    _ name: String, in container: ContainerDescriptor, from old: Int, to new: Int,
    _ move: @escaping @Sendable (Int, Int) -> Reason?
  ) {
    let id = container.id
    let count = host.registry[id]?.sources?.count
    @Sendable func reorder(_ host: DragHost, _ from: Int, _ to: Int) throws {
      let sources = host.registry[id]?.sources ?? []
      guard sources.count == count, sources.indices.contains(from), sources[from].name == name
      else { throw Reason.changed }
      if let reason = move(from, to) { throw reason }
      host.move(.source(sources[from].id), to: to)
    }
    let way = WayBackAndForth { [weak host] in
      if let host { try reorder(host, new, old) }
    } redo: { [weak host] in
      if let host { try reorder(host, old, new) }
    }
    host.state.withLock { $0.history.add(.move, [name], in: container.name, way) }
  }
}
