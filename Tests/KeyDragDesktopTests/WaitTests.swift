import KeyDragCore
import KeyDragTypes
import Testing
import ToldDesktop

@testable import KeyDragDesktop

@Suite("What is waited for, and for how long", .timeLimit(.minutes(5)))
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

  private func parts(_ drag: ToldDrag? = nil) -> DesktopAdapters {
    told.write("", in: Self.body.id)
    return DesktopAdapters(
      sources: EmptyWorld(), goods: LinkGoods(), programs: told,
      displays: [ToldDisplay(told, drag: drag)], profiles: [], types: SystemContentTypes(),
      phrases: Phrasebook(),
      ownProcess: 1, clock: clock)
  }

  private func world(_ drag: ToldDrag? = nil) -> DesktopWorld {
    let world = DesktopWorld(parts(drag))
    world.observe { _ in }
    return world
  }

  private func delivering(_ parts: DesktopAdapters) -> DropExecutor {
    let (desktop, origins) = (Desktop(parts), PickUpOrigins())
    let goods = PayloadCoordinator(clippings: TextPayloads(), files: parts.goods, clock: clock)
    let routes = Routes(desktop: desktop, goods: goods, origins: origins)
    let asking = Asking(desktop: desktop, goods: goods, routes: routes, origins: origins)
    return DropExecutor(
      desktop: desktop, asking: asking, goods: goods, routes: routes,
      undo: ProgramUndo(desktop: desktop))
  }

  /// Drops a file on the text of the window, and gives each end that is told of it. The clock is
  /// stopped at each.
  private func drop(in world: DesktopWorld) async throws -> AsyncStream<DeliveryResult> {
    drop(at: try await place(in: world), in: world)
  }

  private func place(in world: DesktopWorld) async throws -> DropPointDescriptor {
    let window = try #require(try await world.look().first)
    let points = try await world.places(of: window.id).get().dropPoints ?? []
    return try #require(points.first { $0.name == "Body text field" }, "\(points)")
  }

  private func drop(at point: DropPointDescriptor, in world: DesktopWorld) -> AsyncStream<
    DeliveryResult
  > {
    let (ends, tell) = AsyncStream.makeStream(of: DeliveryResult.self)
    let order = DeliveryOrder(
      items: [DesktopStage.item], stop: DropStop(point.id), operation: .copy)
    world.deliver(DeliveryID(1), order, from: nil) { [clock] event in
      guard case .finished(let end) = event else { return }
      clock.stop()
      tell.yield(end)
    }
    return ends
  }

  @Test(
    "A drop of which its program never says anything is unconfirmed after 1.5 seconds")
  func silentDrop() async throws {
    let world = world(ToldDrag())
    var ends = try await drop(in: world).makeAsyncIterator()
    await clock.skip()
    let end = await ends.next()
    #expect(end?.outcome == .unconfirmed)
    #expect(end?.failures.map(\.reason) == [.notResponding])
    #expect(clock.now.passed >= .milliseconds(1_500))
    world.close()
  }

  /// A drop on the text of the window, with the state before it.
  private func drop(by delivering: DropExecutor) async throws -> Drop {
    let desktop = delivering.desktop
    let window = try #require(try await desktop.look().first)
    let points = try await desktop.list(window.id).get().dropPoints ?? []
    let point = try #require(points.first { $0.name == "Body text field" }, "\(points)").id
    var before = Drop.Baseline()
    before.spot = await desktop.spot(point)
    before.view = await desktop.view(of: point)
    let order = DeliveryOrder(
      items: [DesktopStage.item], stop: DropStop(point), operation: .copy)
    let drop = Drop(DeliveryID(1), order) { _ in }
    drop.before = before
    return drop
  }

  @Test("What a drop did is looked for 1.5 seconds where it would be seen, and no longer")
  func effect() async throws {
    let delivering = delivering(parts())
    let drop = try await drop(by: delivering)
    async let _: Void = clock.skip(longest: .milliseconds(100))
    let evidence = await delivering.evidence(.silent, of: drop)
    #expect(evidence.kinds == [.sameView])
    #expect(clock.now.passed == .milliseconds(1_500))
  }

  @Test(
    "A program that is silent after a drop is given 5 seconds, and the usual time once it answers",
    arguments: [
      // Seconds until it answers, and the milliseconds for which it is looked at every 100.
      (nil, 5_000), (4, 5_400), (1, 2_400),
    ] as [(Int?, Int)])
  func silentAfterDrop(waking: Int?, time: Int) async throws {
    let delivering = delivering(parts())
    let drop = try await drop(by: delivering)
    told.set(isSilent: true)
    async let evidence = delivering.evidence(.silent, of: drop)
    for _ in 0..<10 * (waking ?? 0) { await clock.skipOnce(longest: .milliseconds(100)) }
    if waking != nil { told.set(isSilent: false) }
    async let _: Void = clock.skip(longest: .milliseconds(100))
    #expect(await evidence.kinds == (waking == nil ? [] : [.sameView]))
    #expect(clock.now.passed == .milliseconds(time))
  }

  @Test("A program that is silent after a long question is waited for as after a drop")
  func silentAfterQuestion() async throws {
    let delivering = delivering(parts())
    let drop = try await drop(by: delivering)
    async let evidence = delivering.evidence(.silent, of: drop)
    func pass(_ seconds: Int) async {
      for _ in 0..<10 * seconds { await clock.skipOnce(longest: .milliseconds(100)) }
    }
    drop.see(WindowID(2))
    await pass(9)
    told.set(isSilent: true)
    drop.see(nil)
    await pass(4)
    told.set(isSilent: false)
    told.write("file:///tmp/a.txt", in: Self.body.id)
    async let _: Void = clock.skip(longest: .milliseconds(100))
    #expect(await evidence.kinds == [.paths])
  }

  @Test("A program that was silent before a drop is looked at again when it has accepted")
  func silentBeforeDrop() async throws {
    let told = told
    let world = world(
      ToldDrag(end: .accepts(.copy)) {
        told.set(isSilent: false)
      } onDrop: {
        told.write("file:///tmp/a.txt", in: Self.body.id)
      })
    let point = try await place(in: world)
    told.set(isSilent: true)
    var ends = drop(at: point, in: world).makeAsyncIterator()
    await clock.skip()
    let end = await ends.next()
    #expect(end?.outcome == .delivered && end?.effect == .pathsWritten, "\(end as Any)")
    world.close()
  }

  @Test("What comes of a window that was opened at a drop is told, however late")
  func followedWindow() async throws {
    let told = told
    let world = world(
      ToldDrag(end: .accepts(.copy)) { told.show([Self.window, Self.facts(2, "Import")]) })
    var ends = try await drop(in: world).makeAsyncIterator()
    await clock.skip()
    #expect(await ends.next()?.question == .window("Import"))
    let asked = clock.now.passed
    for _ in 0..<60 { await clock.skipOnce() }
    #expect(clock.now.passed == asked + .seconds(60))
    // It is closed with a yes.
    told.write("file:///tmp/a.txt", in: Self.body.id)
    told.show([Self.window])
    await clock.skip()
    #expect(await ends.next()?.outcome == .delivered)
    world.close()
  }

  @Test("A drop that is seen later than it was told is told after all")
  func lateDrop() async throws {
    let world = world(ToldDrag(end: .accepts(.copy)))
    var ends = try await drop(in: world).makeAsyncIterator()
    await clock.skip()
    #expect(await ends.next()?.outcome == .unconfirmed)
    let told = clock.now.passed
    while clock.now.passed < told + .seconds(20) { await clock.skipOnce() }
    self.told.write("file:///tmp/a.txt", in: Self.body.id)
    await clock.skip()
    #expect(await ends.next()?.outcome == .delivered)
    world.close()
  }

  @Test("A drop that is never seen is followed for half a minute, and no longer")
  func followedDrop() async throws {
    let delivering = delivering(parts())
    let drop = try await drop(by: delivering)
    async let _: Void = clock.skip()
    await delivering.follow(drop) { end in
      Issue.record("\(end)")
    }
    // The last look has begun by then, and may wait for a program.
    #expect(clock.now.passed >= .seconds(30) && clock.now.passed < .seconds(40))
  }

  @Test("A window that nobody closes is followed for ten minutes")
  func forgottenWindow() async throws {
    let desktop = Desktop(parts())
    let window = try #require(try await desktop.look().first)
    told.show([Self.window, Self.facts(2, "Import")])
    async let _: Void = clock.skip()
    await desktop.closing(of: window.id, since: [Self.window.id])
    #expect(clock.now.passed == .seconds(600))
  }

  @Test("A drop that its program takes long over holds up nobody else after a second")
  func longDrop() async {
    let drag = ToldDrag(end: nil)
    let transfer = DropTransfer(on: clock, { await drag.drop($0) }, { _, _ in })
    drag.takePart()
    drag.takePart()
    await clock.sleeper()
    async let handedOver: Duration = {
      _ = await transfer.isHandedOver()
      return clock.now.passed
    }()
    clock.advance(by: .milliseconds(999))
    await Task.yield()
    clock.advance(by: .milliseconds(1))
    #expect(await handedOver == .seconds(1))
  }

  @Test("A focus is waited for half a second at a pick-up: then it is not known what is there")
  func noFocus() async {
    let world = world()
    async let _: Void = clock.skip()
    await #expect(throws: ListingError(.selectionUntold, name: "notes")) { try await world.focus() }
    #expect(clock.now.passed == .milliseconds(500))
    world.close()
  }

  @Test("A focus that a program gives back once the keys are up is found")
  func lateFocus() async {
    let world = world()
    let focus = Task.immediate { try await world.focus() }
    await clock.sleeper()
    clock.advance(by: .milliseconds(450))
    told.focus(
      on: FocusFacts(
        program: Self.program, frame: Self.program.frames.first, element: Self.body,
        isPassword: true))
    async let _: Void = clock.skip()
    let error = await #expect(throws: ListingError.self) { try await focus.value }
    #expect(error?.reason == .password)
    world.close()
  }

  @Test("A row is picked up though the keys of the chord hide the frame around it for a moment")
  func hiddenFrame() async throws {
    func facts(_ path: String, _ role: String, _ states: ElementStates) -> ElementFacts {
      var facts = ElementFacts(
        id: ElementID(program: ":1.7", path: path), role: role, name: role == "table" ? "" : "Row",
        rectangle: Self.body.rectangle, states: states)
      facts.attributes = role == "table" ? [:] : ["draggable": "true"]
      return facts
    }
    let list = facts("/list", "table", [.showing, .focused])
    told.tell([[list, facts("/row", "table cell", [.showing])]], in: Self.frame)
    told.focus(
      on: FocusFacts(
        program: Self.program, frame: Self.program.frames[0], element: list, isPassword: false))
    async let report = world().focus()
    // Whoever waits has looked, and seen none.
    await clock.sleeper()
    told.tell([[list, facts("/row", "table cell", [.showing, .focused])]], in: Self.frame)
    clock.advance(by: .milliseconds(100))
    #expect(try await report.listing.sources?.map(\.name) == ["Row"])
  }
}
