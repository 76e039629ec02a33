extension DragHost.DropSession {
  /// Registers the way to undo the effect of this drop, and to redo it after that.
  ///
  /// Without it Undo announces that this drop can't be undone, and undoes nothing older instead.
  /// Both closures are called on any thread, one after the other, and one step at a time.
  ///
  /// - Parameters:
  ///   - undo: undoes all of it. Throws a ``Reason`` if that is impossible, such as
  ///     ``Reason/changed`` if what has arrived has changed since; it must change nothing then.
  ///   - redo: performs it again, under the same rule.
  public func canBeUndone(
    by undo: @escaping @Sendable () async throws -> Void,
    redo: @escaping @Sendable () async throws -> Void
  ) {
    record.note { $0.way = UndoRedoActions(undo: undo, redo: redo) }
  }
}

/// Closures that undo something done in an app, and redo it.
struct UndoRedoActions: Sendable {
  var undo: @Sendable () async throws -> Void
  var redo: @Sendable () async throws -> Void
}

/// The history of an app's session, the newest entry last.
struct SessionHistory: Sendable {
  /// An entry of the history; without `way` if only the app could undo it.
  struct Step: Sendable {
    var entry: HistoryEntry
    var way: UndoRedoActions?
  }

  /// More than anybody undoes one by one.
  private static let most = 1000

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  private var count: Int64 = 0

  mutating func add(
    _ operation: DragOperation, _ names: [String], in place: String, _ way: UndoRedoActions?
  ) {
    count += 1
    // Negative numbers can't be those of a journal beside this app.
    let entry = HistoryEntry(
      number: -count, operation: operation, names: Array(names.prefix(20)), count: names.count,
      place: place, time: 0, isUndone: false)
    done.append(Step(entry: entry, way: way))
    if done.count > Self.most { done.removeFirst() }
    // A redo would begin from another state now.
    undone = []
  }

  typealias Begun = (step: Step, index: Int, count: Int64)

  /// Takes out the step to undo or redo: the newest, or the one with that number. A step that can't
  /// be undone stays.
  ///
  /// - Returns: the step, its index, and the number of steps so far.
  mutating func begin(_ number: Int64?, isRedo: Bool) -> Begun? {
    let steps = isRedo ? undone : done
    let index = steps.lastIndex { number == nil || $0.entry.number == number }
    guard let index else { return nil }
    if steps[index].way != nil {
      if isRedo { undone.remove(at: index) } else { done.remove(at: index) }
    }
    return (steps[index], index, count)
  }

  /// Puts a step back by the result. A redo is offered only from the state in which its undo left
  /// the app.
  mutating func end(_ begun: Begun, isRedo: Bool, hasFailed: Bool) {
    switch (isRedo, hasFailed) {
    // The step redone last is undone first.
    case (true, false): done.append(begun.step)
    case (false, true): done.insert(begun.step, at: min(begun.index, done.count))
    case (true, true), (false, false): if begun.count == count { undone.append(begun.step) }
    }
  }

  /// Newest first; undone steps are newer than all others.
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
  /// Undoes or redoes a step, after all earlier requests.
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
      // Outside the lock, which registering needs.
      try await isRedo ? way.redo() : way.undo()
    } catch {
      host.state.withLock { $0.history.end(begun, isRedo: isRedo, hasFailed: true) }
      return .refused(step.entry, error as? Reason ?? .unknown)
    }
    host.state.withLock { $0.history.end(begun, isRedo: isRedo, hasFailed: false) }
    return .done(step.entry)
  }

  /// Records a drop with an effect, so that it can be undone if the app has registered a way.
  func remember(_ drop: DragHost.DropSession, at stop: DropStop, _ result: DeliveryResult) {
    guard [.delivered, .partly].contains(result.outcome), result.effect != .nothing else { return }
    let results = drop.record.results
    let names = drop.items.enumerated().filter { results.failures[$0.offset] == nil }
      .map(\.element.item.name)
    host.state.withLock { state in
      let (point, home) = state.points[stop.point].map { ($0.point, $0.container) } ?? (nil, nil)
      let container = home.flatMap { state.registry[$0]?.container }
      let isInside = stop.position != .on || point?.isContainer == true
      let place = isInside ? container?.name : point.map { SpokenName.clean($0.name) }
      state.history.add(drop.operation, names, in: place ?? "", results.way)
    }
  }

  /// Records that an item has another place in its order.
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
    let way = UndoRedoActions { [weak host] in
      if let host { try reorder(host, new, old) }
    } redo: { [weak host] in
      if let host { try reorder(host, old, new) }
    }
    host.state.withLock { $0.history.add(.move, [name], in: container.name, way) }
  }
}
