import KeyDragCore
import KeyDragTypes
import Testing
import ToldDesktop

@testable import KeyDragDesktop

@Suite("What is waited for, and for how long", .timeLimit(.minutes(1)))
struct WaitTests {
  private static let frame = ElementID(program: ":1.7", path: "/frame")
  private static let body = ElementFacts(
    id: ElementID(program: ":1.7", path: "/body"), role: "text", name: "Body",
    rectangle: ScreenRectangle(x: 0, y: 0, width: 400, height: 200),
    states: [.showing, .editable])
  private static let window = facts(1, "Notes")
  private static let program = ProgramFacts(
    bus: ":1.7", name: "notes", toolkit: "gtk", toolkitVersion: "3.24", processID: 7,
    frames: [
      FrameFacts(
        element: frame, title: "Notes", role: "frame", rectangle: window.rectangle,
        isActive: true)
    ])

  private static func facts(_ id: UInt32, _ title: String) -> WindowFacts {
    WindowFacts(
      id: WindowID(id), title: title, className: "notes", processID: 7,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 400, height: 200), isMapped: true,
      isActive: id == 1)
  }

  private let clock = ToldClock()
  private let told = ToldDesktop(
    programs: [program], windows: [window], elements: [frame: [body]])

  private func world(_ drag: ToldDrag? = nil) -> DesktopWorld {
    told.write("", in: Self.body.id)
    let world = DesktopWorld(
      DesktopAdapters(
        sources: DesktopStage.EmptyWorld(), goods: LinkGoods(), programs: told, windows: told,
        drags: drag, profiles: [], types: SystemContentTypes(), phrases: Phrasebook(),
        ownProcess: 1, clock: clock))
    world.observe { _ in }
    return world
  }

  /// Drops a file on the text of the window, and gives all that is told of it.
  private func drop(in world: DesktopWorld) async throws -> AsyncStream<DeliveryEvent> {
    let window = try #require(try await world.look().first)
    let points = try await world.places(of: window.id).get().dropPoints ?? []
    let point = try #require(points.first { $0.name == "Body text field" }, "\(points)")
    let (events, tell) = AsyncStream.makeStream(of: DeliveryEvent.self)
    let order = DeliveryOrder(
      items: [DesktopStage.item], stop: DropStop(point.id), operation: .copy)
    world.handle(.deliver(DeliveryID(1), order), id: RequestID(1)) { report in
      if case .delivery(_, let event) = report { tell.yield(event) }
    }
    return events
  }

  /// The next end of a drop.
  private func end(
    of events: inout AsyncStream<DeliveryEvent>.Iterator
  ) async -> DeliveryResult? {
    while let event = await events.next() {
      if case .finished(let result) = event { return result }
    }
    return nil
  }

  @Test("A drop of which its program never says anything is looked for two seconds, and no longer")
  func silentDrop() async throws {
    let world = world(ToldDrag())
    var events = try await drop(in: world).makeAsyncIterator()
    async let _: Void = clock.skip()
    let end = await end(of: &events)
    #expect(end?.outcome == .unconfirmed)
    #expect(end?.failures.map(\.reason) == [.notResponding])
    #expect(clock.now.passed >= .seconds(2))
    #expect(clock.now.passed < .seconds(10))
    world.close()
  }

  @Test("A window that is opened at a drop is followed for ten minutes: what comes of it is told")
  func followedWindow() async throws {
    let told = told
    let world = world(
      ToldDrag(end: .delivered(.copy)) { told.show([Self.window, Self.facts(2, "Import")]) })
    var events = try await drop(in: world).makeAsyncIterator()
    let first = Task { [clock] in await clock.skip() }
    #expect(await end(of: &events)?.question == .window("Import"))
    first.cancel()
    await first.value
    let asked = clock.now.passed
    for _ in 0..<590 { await clock.skipOnce() }
    #expect(clock.now.passed - asked < .seconds(600))
    // It is closed with a yes.
    told.write("file:///tmp/a.txt", in: Self.body.id)
    told.show([Self.window])
    async let _: Void = clock.skip()
    #expect(await end(of: &events)?.outcome == .delivered)
    world.close()
  }

  @Test("A drop that its program takes long over holds up nobody else after a second")
  func longDrop() async {
    let drag = ToldDrag(end: nil)
    let course = DropCourse(of: drag, on: clock) { _, _ in }
    drag.takePart()
    drag.takePart()
    await clock.sleeper()
    async let handedOver: Duration = {
      await course.isHandedOver()
      return clock.now.passed
    }()
    clock.advance(by: .milliseconds(999))
    await Task.yield()
    clock.advance(by: .milliseconds(1))
    #expect(await handedOver == .seconds(1))
  }

  @Test("A focus is waited for half a second at a pick-up: then nothing is there")
  func noFocus() async {
    let world = world()
    async let _: Void = clock.skip()
    let report: WorldReport = await answer { world.handle(.focus, id: RequestID(1), reply: $0) }
    guard case .unreadable(_, name: "notes", .nothingThere) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(clock.now.passed >= .milliseconds(500))
    #expect(clock.now.passed < .seconds(3))
    world.close()
  }

  @Test("A focus that a program gives back once the keys are up is found")
  func lateFocus() async {
    let world = world()
    async let report: WorldReport = answer { world.handle(.focus, id: RequestID(1), reply: $0) }
    await clock.sleeper()
    clock.advance(by: .milliseconds(450))
    told.focus(
      on: FocusFacts(
        program: Self.program, frame: Self.program.frames.first, element: Self.body,
        isPassword: true))
    async let _: Void = clock.skip()
    guard case .unreadable(_, _, .password) = await report else {
      Issue.record("\(await report)")
      return
    }
    world.close()
  }
}
