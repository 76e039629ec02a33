import Dispatch
import KeyDragCore
import Synchronization
import Testing
import ToldDesktop

@testable import KeyDragDesktop

@Suite("A disk that does not answer", .timeLimit(.minutes(5)))
struct HungDiskTests {
  /// A disk that hangs until it is let go of, from any thread.
  private final class Disk: DragPayload, FileFinding {
    private let gate = Mutex<[@Sendable () -> Void]?>([])

    /// Runs it once the disk answers.
    private func wait(_ answer: @escaping @Sendable () -> Void) {
      let isOpen = gate.withLock { waiting in
        waiting?.append(answer)
        return waiting == nil
      }
      if isOpen { answer() }
    }

    func open() {
      let waiting = gate.withLock { waiting in
        defer { waiting = nil }
        return waiting ?? []
      }
      for answer in waiting { answer() }
    }

    func forms(of items: [DragItem]) -> [DragForm] {
      let answer = DispatchSemaphore(value: 0)
      wait { answer.signal() }
      answer.wait()
      return [DragForm("text/plain", bytes: [1])]
    }

    private func wait() async {
      await withCheckedContinuation { answer in wait { answer.resume() } }
    }

    func expect(
      _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
      alive: @escaping @Sendable () -> Void
    ) async -> (any DropVerifier)? {
      await wait()
      return nil
    }

    func files(
      named names: [String], in folder: DisplayedFolder, shownIn container: ContainerID
    ) async -> [DragSourceDescriptor] {
      await wait()
      return []
    }

    func plainFiles(among names: [String], in folder: DisplayedFolder) async -> Set<String> {
      await wait()
      return []
    }

    func files(
      at addresses: [String], shownIn container: ContainerID
    ) async -> [DragSourceDescriptor] {
      await wait()
      return []
    }
  }

  private let clock = ToldClock()
  private let disk = Disk()
  private let folder = DisplayedFolder(title: "docs", rows: ["a"])

  private var goods: PayloadCoordinator {
    PayloadCoordinator(clippings: TextPayloads(), files: disk, clock: clock)
  }

  @Test("is not waited for at a pick-up")
  func pickUp() async {
    defer { disk.open() }
    async let _: Void = clock.skip()
    await #expect(throws: Reason.notResponding) {
      try await clock.wait(Desktop.dropPatience) { [disk, folder] in
        await disk.files(named: ["a"], in: folder, shownIn: ContainerID(1))
      }
    }
  }

  @Test("is not waited for when what is carried is offered, and answers the next time")
  func forms() async throws {
    let skipping = Task { [clock] in await clock.skip() }
    await #expect(throws: Reason.notResponding) {
      try await goods.forms(of: [DesktopStage.item])
    }
    #expect(clock.now.passed == .seconds(3))
    skipping.cancel()
    await skipping.value
    disk.open()
    #expect(try await goods.forms(of: [DesktopStage.item]).count == 1)
  }

  @Test("is not waited for before a drop")
  func drop() async {
    defer { disk.open() }
    async let _: Void = clock.skip()
    await #expect(throws: Reason.notResponding) {
      _ = try await goods.expect([DesktopStage.item], .copy, in: folder)
    }
  }

  /// What was sent, on a disk that hangs before anything of it is seen.
  private final class Landing: DropVerifier {
    private let waiting = Mutex<[@Sendable (DeliveryResult) -> Void]>([])

    func check(
      isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
    ) async -> DeliveryResult {
      await withCheckedContinuation { answer in
        waiting.withLock { $0.append { answer.resume(returning: $0) } }
        alive()
      }
    }

    func wake() {
      for answer in waiting.withLock({ $0 }) { answer(DeliveryResult(delivered: 1)) }
    }
  }

  @Test("says nothing of what was sent, and an answer that comes too late is not taken")
  func landing() async {
    async let _: Void = clock.skip()
    let landing = Landing()
    #expect(await landing.check(on: clock) == nil)
    #expect(clock.now.passed == .seconds(10))
    landing.wake()
  }

  @Test("is told from one that takes its time and gets on")
  func busy() async throws {
    let limit = Duration.seconds(1)
    let told = Mutex<(@Sendable () -> Void)?>(nil)
    let (answers, tell) = AsyncStream.makeStream(of: String.self)
    async let answer: String = clock.wait(silence: limit, else: "late") { alive in
      told.withLock { $0 = alive }
      return await answers.first { _ in true } ?? "none"
    }
    await clock.sleeper()
    let alive = try #require(told.withLock { $0 })
    for _ in 0..<3 {
      clock.advance(by: limit - .milliseconds(1))
      alive()
      await clock.sleeper()
    }
    tell.yield("done")
    #expect(await answer == "done")
  }

  /// Answers every two seconds, of which it takes three.
  private final class SlowDisk: DragPayload {
    let clock: ToldClock
    init(_ clock: ToldClock) { self.clock = clock }

    func forms(of items: [DragItem]) -> [DragForm] { [] }

    func expect(
      _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
      alive: @escaping @Sendable () -> Void
    ) async -> (any DropVerifier)? { nil }

    func outlook(
      for items: [DragItem], in folder: DisplayedFolder, alive: @escaping @Sendable () -> Void
    ) async -> FolderDropPrecheck {
      for _ in 0..<3 {
        await clock.sleeper()
        clock.advance(by: .seconds(2))
        alive()
      }
      return FolderDropPrecheck(isFound: true)
    }
  }

  @Test("is waited for as long as it answers, before a folder's refusal is told")
  func slow() async {
    let goods = PayloadCoordinator(
      clippings: TextPayloads(), files: SlowDisk(clock), clock: clock)
    #expect(await goods.outlook(for: [DesktopStage.item], in: folder)?.isFound == true)
    #expect(clock.now.passed == .seconds(6))
  }

  @Test("is given up when it has got on and then says nothing")
  func stuck() async {
    let (never, end) = AsyncStream.makeStream(of: String.self)
    defer { end.finish() }
    let answer: String = await clock.wait(silence: .seconds(1), else: "late") { [clock] alive in
      clock.advance(by: .milliseconds(900))
      alive()
      clock.advance(by: .seconds(1))
      return await never.first { _ in true } ?? "none"
    }
    #expect(answer == "late" && clock.now.passed == .milliseconds(1_900))
  }
}
