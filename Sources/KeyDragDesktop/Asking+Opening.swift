import KeyDragCore

/// Opening a place by resting on it: many programs open a tab or a folder on which a drag stays.
extension Asking {
  /// A drag that moves less often than this counts as one that has stopped.
  private static let pause = Duration.milliseconds(100)
  /// Programs open after half a second to two seconds.
  private static let patience = Duration.seconds(3)
  /// The same for a busy program, whose time counts from its last answer.
  private static let longest = Duration.seconds(10)
  /// The most looks at a window that was opened, since it may fill bit by bit.
  private static let mostLooks = 10

  /// Rests on a place until the program opens it, and tells what its window shows then.
  ///
  /// A place that is open already is told at once: in GTK 3 the question alone opens a tab half a
  /// second later, whether the drag has left it or not. Fails with ``Reason/operationNotOffered``
  /// when nothing opens, and early when another place is asked meanwhile: the person has gone on.
  func open(_ point: DropPointID) async -> Result<Listing, Reason> {
    do throws(Reason) {
      let listing = try await turn.take { () async throws(Reason) -> Listing in
        try await self.rest(on: point)
      }
      return .success(listing)
    } catch {
      return .failure(error)
    }
  }

  /// In its turn. Changes of the window are told afterwards, as one.
  private func rest(on point: DropPointID) async throws(Reason) -> Listing {
    guard let spot = await desktop.spot(point) else { throw .gone }
    let (last, taken) = current
    guard let subject = last else { throw .notAFolder }
    let drag = try await drag(with: subject.items)
    // Changes in the meantime are the answer, not news.
    await desktop.hold(spot.window)
    let result = await Result { () async throws(Reason) -> Listing in
      try await self.rest(on: point, of: spot.window, drag, subject.operation, since: taken)
    }
    drag.leave()
    guard case .success = result else {
      await desktop.release(spot.window, tells: true)
      return try result.get()
    }
    let listing = await settled(spot.window)
    await desktop.release(spot.window, tells: false)
    return try listing.get()
  }

  /// Rests until something opens, or the patience is over.
  ///
  /// - Parameter taken: how many questions had come by then: one more ends the rest.
  private func rest(
    on point: DropPointID, of container: ContainerID, _ drag: any DragConversing,
    _ operation: DragOperation, since taken: Int
  ) async throws(Reason) -> Listing {
    let before = try await desktop.list(container).get()
    if await desktop.spot(point)?.isOpen == true { return before }
    let title = await desktop.title(of: container)
    var place: ScreenPoint?
    let time = desktop.clock.stopwatch()
    var next = Duration.zero
    var end = Self.patience
    while time() < end, !isOvertaken(since: taken) {
      // The place that is being opened may be gone before the rest has come.
      if let aim = try? await desktop.locate(point) {
        // Lists scroll under a drag: what is rested on must stay the same thing.
        let verdict =
          aim.at == place
          ? await drag.stay() : await drag.ask(aim.window, at: aim.at, operation: operation)
        place = aim.at
        switch verdict {
        case .accepts, .refuses: break
        case .silent: end = min(time() + Self.patience, Self.longest)
        case .noTarget: throw .notShown
        case .gone: throw .gone
        case .over: throw .interrupted
        }
      }
      next = max(next + Self.pause, time())
      try? await desktop.clock.sleep(for: next - time())
      let after = try await desktop.list(container).get()
      let isRenamed = await desktop.title(of: container) != title
      if isRenamed || Self.hasOpened(before.dropPoints ?? [], after.dropPoints ?? []) {
        return after
      }
      // A page on which nothing can be dropped is open too.
      if await desktop.spot(point)?.isOpen == true { return after }
    }
    // It may well be a folder: many programs open none under a drag.
    throw .operationNotOffered
  }

  /// Whether places have come, or have become others: what only went was not opened.
  static func hasOpened(
    _ before: [DropPointDescriptor], _ after: [DropPointDescriptor]
  ) -> Bool {
    !Set(after).isSubset(of: before)
  }

  /// The contents of the window, once they do not change from one look to the next.
  private func settled(_ container: ContainerID) async -> Result<Listing, Reason> {
    // Its title says what is open now.
    _ = try? await desktop.look()
    var last = await desktop.list(container)
    for _ in 0..<Self.mostLooks {
      try? await desktop.clock.sleep(for: Self.pause)
      let now = await desktop.list(container)
      if now == last { break }
      last = now
    }
    return last
  }
}
