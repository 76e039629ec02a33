import KeyDragCore
import Synchronization

/// Looks at the goods carried; each is bounded, since a disk may hang.
extension DragPayload {
  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: ShownFolder,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> (any ExpectedLanding)? {
    let found: Result<(any ExpectedLanding)?, Reason> = await clock.wait(
      silence: Desktop.dropPatience, else: .failure(.notResponding)
    ) { alive in
      .success(await self.expect(items, operation, in: folder, alive: alive))
    }
    return try found.get()
  }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expectTrashed(
    _ items: [DragItem], in place: String, on clock: any Clock<Duration>
  ) async throws(Reason) -> (any ExpectedLanding)? {
    let found: Result<(any ExpectedLanding)?, Reason> = await clock.wait(
      silence: Desktop.dropPatience, else: .failure(.notResponding)
    ) { alive in
      .success(await self.expectTrashed(items, in: place, alive: alive))
    }
    return try found.get()
  }

  /// `nil` for a disk that hangs.
  func outlook(
    for items: [DragItem], in folder: ShownFolder, on clock: any Clock<Duration>
  ) async -> FolderDropPrecheck? {
    await clock.wait(Desktop.dropPatience, else: nil) {
      await self.outlook(for: items, in: folder)
    }
  }
}

extension ExpectedLanding {
  /// `nil` for a disk that hangs: what comes of it is not known.
  ///
  /// - Parameter isAsking: whether the program waits for the person, and nothing need happen yet.
  func check(
    on clock: any Clock<Duration>, isAsking: @escaping @Sendable () -> Bool = { false }
  ) async -> LandingReport? {
    await clock.wait(silence: Desktop.landingPatience, else: nil) { alive in
      await self.check(isAsking: isAsking, alive: alive)
    }
  }
}

extension Desktop {
  /// How long programs that do not answer are waited for where nobody would hear of them later: all
  /// of them together.
  private static let answerPatience = Duration.seconds(2)
  /// From one look to the next.
  private static let answerPause = Duration.milliseconds(100)

  /// Lists something once more as soon as its program answers, where that does not take too long.
  func waitForAnswer(
    _ list: @Sendable () async -> Result<Listing, Reason>
  ) async -> Result<Listing, Reason> {
    while true {
      let found = await list()
      guard found == .failure(.notResponding), waited < Self.answerPatience else { return found }
      try? await clock.sleep(for: Self.answerPause)
      waited += Self.answerPause
      _ = try? await look()
    }
  }
}

/// Looks at files; each is bounded, since a disk may hang.
extension FileFinding {
  /// Those of the names that are files and no folders; none where it takes too long.
  func plainFiles(
    among names: [String], in folder: ShownFolder, on clock: any Clock<Duration>
  ) async -> Set<String> {
    await clock.wait(Desktop.diskPatience, else: []) {
      await self.plainFiles(among: names, in: folder)
    }
  }

  /// The names of the folders in a folder; `nil` where that is not known in time.
  func folders(
    in folder: ShownFolder, _ patience: Duration = Desktop.diskPatience,
    on clock: any Clock<Duration>
  ) async -> [String]? {
    await clock.wait(patience, else: nil) { await self.folders(in: folder) }
  }

  /// The folder that a row stands for; `nil` where that is not known in time.
  func dropPoint(
    of row: ShownFolder, on clock: any Clock<Duration>
  ) async -> DropPointID? {
    await clock.wait(Desktop.dropPatience, else: nil) { await self.dropPoint(of: row) }
  }

  /// The folders that these lie in, by name.
  func surroundings(
    of folders: [ShownFolder], on clock: any Clock<Duration>
  ) async -> [String?] {
    await clock.wait(Desktop.diskPatience, else: folders.map { _ in nil }) {
      await self.surroundings(of: folders)
    }
  }

  /// The files of these names.
  func files(
    named names: [String], in folder: ShownFolder, shownIn container: ContainerID,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(Desktop.dropPatience, on: clock) {
      await self.files(named: names, in: folder, shownIn: container)
    }
  }

  /// The files at these addresses.
  func files(
    at addresses: [String], shownIn container: ContainerID, on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(Desktop.dropPatience, on: clock) {
      await self.files(at: addresses, shownIn: container)
    }
  }

  /// - Throws: why nothing could be taken out; ``Reason/notResponding`` for a disk that hangs.
  func members(
    named names: [String], in archive: ShownFolder, shownIn container: ContainerID,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(Desktop.archivePatience, on: clock) { () async throws(Reason) in
      try await self.members(named: names, in: archive, shownIn: container)
    }
  }

  /// - Parameter limit: that of a drop, where the person waits for it.
  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  private func inTime(
    _ limit: Duration, on clock: any Clock<Duration>,
    _ look: @escaping @Sendable () async throws(Reason) -> [DragSourceDescriptor]
  ) async throws(Reason) -> [DragSourceDescriptor] {
    let found = await clock.wait(limit, else: .failure(.notResponding)) {
      await Result<[DragSourceDescriptor], Reason>(look)
    }
    return try found.get()
  }
}

/// Waiting on the one clock that a desktop is given.
extension Clock<Duration> {
  /// Waits for something that may never end: a folder on a server that is gone.
  ///
  /// - Parameters:
  ///   - limit: how long it is waited for.
  ///   - late: given when the limit is over; what comes afterwards is dropped.
  func wait<Value: Sendable>(
    _ limit: Duration, else late: Value, _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    await wait(silence: limit, else: late) { _ in await work() }
  }

  /// The same where it may take its time, as long as it says that it gets on.
  ///
  /// - Parameter limit: since the last sign of life.
  func wait<Value: Sendable>(
    silence limit: Duration, else late: Value,
    _ work: @escaping @Sendable (_ alive: @escaping @Sendable () -> Void) async -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let once = Once { continuation.resume(returning: $0) }
      let pulse = Pulse(on: self)
      let deadline = Task {
        while !Task.isCancelled {
          let end = pulse.last.advanced(by: limit)
          if end <= now {
            once.give(late)
            return
          }
          try? await sleep(until: end, tolerance: nil)
        }
      }
      // Not a child: nobody waits for what hangs.
      Task.immediate {
        let value = await work(pulse.beat)
        deadline.cancel()
        once.give(value)
      }
    }
  }
}

/// When something was heard of last.
///
/// Beats may come from any thread.
private final class Pulse<Time: Clock>: Sendable {
  private let clock: Time
  private let time: Mutex<Time.Instant>

  init(on clock: Time) {
    self.clock = clock
    time = Mutex(clock.now)
  }

  var last: Time.Instant { time.withLock { $0 } }

  @Sendable func beat() { time.withLock { $0 = clock.now } }
}
