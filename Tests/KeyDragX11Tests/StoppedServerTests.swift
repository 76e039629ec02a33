import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Synchronization
import Testing
import ToldDesktop

@testable import KeyDragX11

@Suite(
  "A display that stops after its greeting", .realPrograms(by: .waiting), .serialized,
  .timeLimit(.minutes(2)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct StoppedServerTests {
  private let desktop: PrivateDesktop
  private var display: String? { desktop.environment["DISPLAY"] }
  /// Short, and long enough for a busy machine to greet.
  private let patience = Duration.seconds(1)
  private let bound = Duration.seconds(30)

  init() throws { desktop = try PrivateDesktop() }

  @Test("Each question ends in time, and the connection is given up")
  func questions() throws {
    for ask in Self.questions {
      let server = try XServer(display: display, within: patience)
      #expect(server.monitors().count == 1)
      desktop.stopDisplay()
      let start = ContinuousClock.now
      ask(server)
      #expect(ContinuousClock.now - start < bound)
      #expect(server.isLost && server.loss == .notResponding)
      desktop.continueDisplay()
      #expect(server.focus() == nil, "what was given up is not asked again")
    }
  }

  private static var questions: [(XServer) -> Void] {
    [
      { #expect($0.focus() == nil) },
      { #expect($0.property(XAtom(rawValue: 23), of: $0.root, format: 8, longest: 1) == nil) },
      { #expect($0.shapes(of: [$0.root]).first.flatMap { $0 } == nil) },
      { _ = $0.grab([KeyboardMap.Press(code: 30, modifiers: 4)], locks: [0], isStopping: false) },
      { $0.sync() },
      // What the library asks by itself, before the first use of an extension.
      { #expect($0.pictureName() == nil) },
      // Much more than fits on the way to the server.
      { server in
        let bytes = [UInt8](repeating: 1, count: 100_000)
        for _ in 0..<100 {
          server.setProperty(
            XAtom(rawValue: 39), of: server.root, type: XAtom(rawValue: 31), format: 8, bytes: bytes
          )
        }
        server.flush()
      },
    ]
  }

  @Test("A connection that is waited for goes on when the display does")
  func waitingOn() async throws {
    let server = try XServer(display: display, within: patience)
    server.disableTimeout()
    desktop.stopDisplay()
    let box = ThreadConfined(server)
    let hasBegun = Mutex(false)
    async let monitor = Task.detached {
      hasBegun.withLock { $0 = true }
      return box.value.monitors().count == 1
    }.value
    while !hasBegun.withLock({ $0 }) { await Task.yield() }
    // One that is given up meanwhile says that the time is over.
    let other = try? XServer(display: display, within: patience * 2)
    #expect(other == nil)
    desktop.continueDisplay()
    #expect(await monitor)
    #expect(!server.isLost)
  }

  @Test("The windows of a display that stops are not waited for, and are told again later")
  func windows() async throws {
    let clock = ToldClock()
    let windows = try DisplayWindows(display: display, within: patience, clock: clock)
    #expect(await windows.windows() != nil && !windows.isSilent)
    desktop.stopDisplay()
    for _ in 0..<2 {
      async let answer = windows.windows()
      await clock.sleeper()
      clock.advance(by: patience)
      #expect(await answer == nil && windows.isSilent)
    }
    desktop.continueDisplay()
    // The clock stands still: whatever the display takes, this is its answer.
    #expect(await windows.windows() != nil && !windows.isSilent)
  }

  @Test("The windows of a display that has ended are not there, at once")
  func windowsOfNone() async throws {
    let windows = try DisplayWindows(display: display, within: patience, clock: ToldClock())
    #expect(await windows.windows() != nil)
    desktop.killDisplay()
    for _ in 0..<2 {
      #expect(await windows.windows() == nil)
      #expect(await !windows.activate(WindowID(1)))
    }
  }

  @Test("The pointer works again once the display does")
  func pointer() async throws {
    var timing = PointerPlan.Timing()
    timing.rest = 20
    let hand = PointerDrag(display: display, timing: timing)
    let point = ScreenPoint(x: 5, y: 5)
    @Sendable func drag() async -> Result<DragAnswer, Reason> {
      await Result { () async throws(Reason) in try await hand.drag(from: point, to: point) }
    }
    #expect((try? await drag().get()) != nil, "nothing is connected before the first drag")
    desktop.stopDisplay()
    for _ in 0..<2 {
      let start = ContinuousClock.now
      #expect((try? await drag().get()) == nil)
      #expect(ContinuousClock.now - start < bound)
    }
    desktop.continueDisplay()
    let root = try XServer(display: display).root
    let reaches = await hand.reaches(WindowID(root.rawValue), at: [point])
    #expect(!reaches, "nothing is there")
    #expect((try? (await drag()).get()) != nil)
  }

  @Test("The clipboard can be lent and borrowed again once the display answers")
  func clipboard() async throws {
    let keeper = ClipboardCoordinator(display: display)
    @Sendable func lend() async -> Result<any ClipboardLoan, Reason> {
      await Result { () async throws(Reason) in try await keeper.lend([("UTF8_STRING", [65])]) }
    }
    _ = try await lend().get().giveBack()
    desktop.stopDisplay()
    for _ in 0..<2 {
      let start = ContinuousClock.now
      #expect((try? await lend().get()) == nil)
      #expect(ContinuousClock.now - start < bound)
    }
    desktop.continueDisplay()
    let loan = try await lend().get()
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop) == "1 65")
    _ = await loan.giveBack()
  }

  @Test("A drag on a display that stops is said not to be answered, and another one can be begun")
  func drag() async throws {
    let forms = [DragForm("text/plain", bytes: [97])]
    let drag = try XdndSource(display: display, forms: forms)
    desktop.stopDisplay()
    let verdict = await drag.ask(
      WindowID(1), at: ScreenPoint(x: 1, y: 1), operation: .copy)
    #expect(verdict == .silent)
    #expect(throws: Reason.notResponding) { try XdndSource(display: display, forms: forms) }
    desktop.continueDisplay()
    #expect(!(try XdndSource(display: display, forms: forms)).isLost)
    let end = ContinuousClock.now + bound
    while !drag.isLost, ContinuousClock.now < end { await Task.yield() }
    #expect(drag.isLost)
  }
}
