import KeyDragCore
import Synchronization

/// Queries of the payload, each with a timeout: a disk may hang.
extension DragPayload {
  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> (any DropVerifier)? {
    let found: Result<(any DropVerifier)?, Reason> = await clock.wait(
      silence: Desktop.dropPatience, else: .failure(.notResponding)
    ) { alive in
      .success(await self.expect(items, operation, in: folder, alive: alive))
    }
    return try found.get()
  }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expectTrashed(
    _ items: [DragItem], in place: String, on clock: any Clock<Duration>
  ) async throws(Reason) -> (any DropVerifier)? {
    let found: Result<(any DropVerifier)?, Reason> = await clock.wait(
      silence: Desktop.dropPatience, else: .failure(.notResponding)
    ) { alive in
      .success(await self.expectTrashed(items, in: place, alive: alive))
    }
    return try found.get()
  }

  /// `nil` for a disk that hangs.
  func outlook(
    for items: [DragItem], in folder: DisplayedFolder, on clock: any Clock<Duration>
  ) async -> FolderDropPrecheck? {
    await clock.wait(Desktop.dropPatience, else: nil) {
      await self.outlook(for: items, in: folder)
    }
  }
}

extension DropVerifier {
  /// `nil` for a disk that hangs: the outcome is unknown.
  ///
  /// - Parameter isAsking: whether the program waits for the person, so that nothing need happen
  ///   yet.
  func check(
    on clock: any Clock<Duration>, isAsking: @escaping @Sendable () -> Bool = { false }
  ) async -> LandingReport? {
    await clock.wait(silence: Desktop.landingPatience, else: nil) { alive in
      await self.check(isAsking: isAsking, alive: alive)
    }
  }
}

extension Desktop {
  /// Total wait for programs that do not answer, where no later change would be reported.
  private static let answerPatience = Duration.seconds(2)
  private static let answerPause = Duration.milliseconds(100)

  /// Lists something again until its program answers, within ``answerPatience``.
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

/// Queries of files, each with a timeout: a disk may hang.
extension FileFinding {
  /// The names that are files, not folders; empty on timeout.
  func plainFiles(
    among names: [String], in folder: DisplayedFolder, on clock: any Clock<Duration>
  ) async -> Set<String> {
    await clock.wait(Desktop.diskPatience, else: []) {
      await self.plainFiles(among: names, in: folder)
    }
  }

  /// The names of the subfolders; `nil` if unknown in time.
  func folders(
    in folder: DisplayedFolder, _ patience: Duration = Desktop.diskPatience,
    on clock: any Clock<Duration>
  ) async -> [String]? {
    await clock.wait(patience, else: nil) { await self.folders(in: folder) }
  }

  /// The folder that a row stands for; `nil` if unknown in time.
  func dropPoint(
    of row: DisplayedFolder, on clock: any Clock<Duration>
  ) async -> DropPointID? {
    await clock.wait(Desktop.dropPatience, else: nil) { await self.dropPoint(of: row) }
  }

  /// The names of the folders that these lie in.
  func surroundings(
    of folders: [DisplayedFolder], on clock: any Clock<Duration>
  ) async -> [String?] {
    await clock.wait(Desktop.diskPatience, else: folders.map { _ in nil }) {
      await self.surroundings(of: folders)
    }
  }

  func files(
    named names: [String], in folder: DisplayedFolder, shownIn container: ContainerID,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(Desktop.dropPatience, on: clock) {
      await self.files(named: names, in: folder, shownIn: container)
    }
  }

  func files(
    at addresses: [String], shownIn container: ContainerID, on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(Desktop.dropPatience, on: clock) {
      await self.files(at: addresses, shownIn: container)
    }
  }

  /// - Throws: why nothing could be extracted; ``Reason/notResponding`` for a disk that hangs.
  func members(
    named names: [String], in archive: DisplayedFolder, shownIn container: ContainerID,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(Desktop.archivePatience, on: clock) { () async throws(Reason) in
      try await self.members(named: names, in: archive, shownIn: container)
    }
  }

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

/// Timeouts on the desktop's clock.
extension Clock<Duration> {
  /// Waits for something that may never end, such as a folder on a vanished server.
  ///
  /// - Parameters:
  ///   - limit: the timeout.
  ///   - late: returned on timeout; a later result is dropped.
  func wait<Value: Sendable>(
    _ limit: Duration, else late: Value, _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    await wait(silence: limit, else: late) { _ in await work() }
  }

  /// The same for work that may take long while it reports progress.
  ///
  /// - Parameter limit: the timeout since the last sign of life.
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
      // Not a child task: nothing waits for work that hangs.
      Task.immediate {
        let value = await work(pulse.beat)
        deadline.cancel()
        once.give(value)
      }
    }
  }
}

/// The time of the last sign of life. Safe from any thread.
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
