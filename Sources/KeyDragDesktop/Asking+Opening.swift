import KeyDragCore

/// Spring-loading: many programs open a tab or folder on which a drag hovers.
extension Asking {
  /// Interval between position messages: programs consider a drag that moves less often stopped.
  private static let pause = Duration.milliseconds(100)
  /// Timeout; programs open after 0.5 to 2 seconds.
  private static let patience = Duration.seconds(3)
  /// Upper bound for a busy program, whose silence extends the timeout.
  private static let longest = Duration.seconds(10)
  /// The most polls of an opened window until its contents stop changing.
  private static let maxPolls = 10

  /// Hovers over a place until the program opens it, and returns the contents of its window then.
  ///
  /// Returns at once for a place that is already open: in GTK 3 the question alone opens a tab half
  /// a second later, whether or not the drag has left. Fails with ``Reason/operationNotOffered``
  /// when nothing opens, and early when another place is asked meanwhile.
  func open(_ point: DropPointID) async throws(Reason) -> Listing {
    try await turn.take { () async throws(Reason) -> Listing in try await self.rest(on: point) }
  }

  /// Called with ``turn`` held. Changes of the window are withheld and then reported as one.
  private func rest(on point: DropPointID) async throws(Reason) -> Listing {
    guard let spot = await desktop.spot(point) else { throw .gone }
    let (last, taken) = current
    guard let subject = last else { throw .notAFolder }
    let drag = try await drag(with: subject.items, to: point)
    // Changes in the meantime are the result, not events to report.
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

  /// Hovers until the place opens or the timeout expires; a newer question cancels it.
  ///
  /// - Parameter taken: the number of questions by then.
  private func rest(
    on point: DropPointID, of container: ContainerID, _ drag: any OutgoingDrag,
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
      // The place may vanish before its contents appear.
      if let aim = try? await desktop.locate(point) {
        // Lists scroll under a drag: the hovered element must stay the same.
        let verdict =
          aim.at == place
          ? await drag.stay() : await drag.ask(aim.window, at: aim.at, operation: operation)
        place = aim.at
        switch verdict {
        case .accepts, .refuses(.notTaken): break
        case .silent: end = min(time() + Self.patience, Self.longest)
        case .refuses(let reason), .failed(let reason), .doubtful(let reason): throw reason
        }
      }
      next = max(next + Self.pause, time())
      try? await desktop.clock.sleep(for: next - time())
      let after = try await desktop.list(container).get()
      let isRenamed = await desktop.title(of: container) != title
      if isRenamed || Self.hasOpened(before.dropPoints ?? [], after.dropPoints ?? []) {
        return after
      }
      // A page without drop targets counts as open, too.
      if await desktop.spot(point)?.isOpen == true { return after }
    }
    // It may still be a folder: many programs open none under a drag.
    throw .operationNotOffered
  }

  /// Whether places appeared or changed; vanished ones alone do not count.
  static func hasOpened(
    _ before: [DropPointDescriptor], _ after: [DropPointDescriptor]
  ) -> Bool {
    !Set(after).isSubset(of: before)
  }

  /// Polls the window until its contents are the same twice in a row.
  private func settled(_ container: ContainerID) async -> Result<Listing, Reason> {
    // Refreshes the title, which names what is open now.
    _ = try? await desktop.look()
    var last = await desktop.list(container)
    for _ in 0..<Self.maxPolls {
      try? await desktop.clock.sleep(for: Self.pause)
      let now = await desktop.list(container)
      if now == last { break }
      last = now
    }
    return last
  }
}
