import KeyDragTypes
import Testing
import ToldDesktop

@testable import KeyDragCore
@testable import KeyDragDesktop

@Suite(
  "Where the keyboard goes at the end of a drag, and where it was seen", .timeLimit(.minutes(5)))
struct KeyboardReturnTests {
  private static let frame = ElementID(program: ":1.7", path: "/frame")
  private static let milk = row("/0", "Milk")
  private static let bread = row("/1", "Bread")
  private static let program = ProgramFacts(
    bus: ":1.7", name: "lists", toolkit: "gtk", toolkitVersion: "3.24", processID: 7,
    frames: [
      FrameFacts(
        element: frame, title: "List", role: "frame", rectangle: window(1, "List").rectangle,
        isActive: true)
    ])

  private static func row(_ path: String, _ name: String) -> ElementFacts {
    ElementFacts(
      id: ElementID(program: ":1.7", path: path), role: "list item", name: name,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 200, height: 20), states: [.showing],
      attributes: ["draggable": "true"])
  }

  private static func window(_ id: UInt32, _ title: String, isActive: Bool = false) -> WindowFacts {
    WindowFacts(
      id: WindowID(id), title: title, className: title, processID: id == 1 ? 7 : 8,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 400, height: 200), isMapped: true,
      isActive: isActive)
  }

  /// The windows there are, one of which has the keyboard.
  private static func windows(active: UInt32?, without gone: UInt32? = nil) -> [WindowFacts] {
    [(1, "List"), (2, "Other"), (3, "Import")].filter { $0.0 != gone }
      .map { window($0.0, $0.1, isActive: $0.0 == active) }
  }

  private let clock = ToldClock()
  private let told = ToldDesktop(
    programs: [program], windows: windows(active: 1), elements: [frame: [bread, milk]])

  /// Milk is picked up from the list.
  private func pickUp(
    leaving leaves: KeyboardReturn.Leave = .any
  ) async throws -> (DesktopWorld, KeyboardReturn) {
    told.focus(on: focus(Self.milk))
    let world = DesktopWorld(
      DesktopAdapters(
        sources: EmptyWorld(), goods: LinkGoods(), programs: told, displays: [ToldDisplay(told)],
        profiles: [], types: SystemContentTypes(), phrases: Phrasebook(), ownProcess: 1,
        clock: clock))
    let report = try await world.focus()
    let other = try #require(report.windows.first { $0.name == "Other" }?.id)
    var wish = KeyboardReturn(
      window: report.listing.container.id, told: other, leaves: leaves)
    if leaves == .any { (wish.items, wish.names) = (report.marked, ["Milk"]) }
    return (world, wish)
  }

  private func focus(_ element: ElementFacts) -> FocusFacts {
    FocusFacts(
      program: Self.program, frame: Self.program.frames[0], element: element, isPassword: false)
  }

  private func restoreKeyboard(_ world: DesktopWorld, _ wish: KeyboardReturn) async
    -> KeyboardLocation
  {
    async let place = world.restoreKeyboard(wish)
    let skipping = Task { [clock] in await clock.skip() }
    defer { skipping.cancel() }
    return await place
  }

  @Test(
    "K22 A window is left where that is wished: any, the one told of, or none",
    arguments: [
      (.any, 2, true), (.any, 3, true), (.any, 1, false), (.any, nil, true),
      (.told, 2, true), (.told, 3, false), (.told, 1, false), (.told, nil, false),
      (.none, 2, false), (.none, 3, false), (.none, nil, false),
    ] as [(KeyboardReturn.Leave, UInt32?, Bool)])
  func left(leaves: KeyboardReturn.Leave, front: UInt32?, isRaised: Bool) async throws {
    told.obey()
    let (world, wish) = try await pickUp(leaving: leaves)
    told.show(Self.windows(active: front))
    let place = await restoreKeyboard(world, wish)
    #expect(told.asked == (isRaised ? [WindowID(1)] : []))
    let names: [UInt32: String] = [1: "List", 2: "Other", 3: "Import"]
    #expect(place.window?.name == (isRaised ? "List" : front.flatMap { names[$0] }))
    #expect(place.isAtItems == (leaves == .any))
  }

  @Test("K14 A window manager that does not obey is waited for a moment, and what is seen is told")
  func stubborn() async throws {
    let (world, wish) = try await pickUp()
    told.show(Self.windows(active: 2))
    let before = clock.now.passed
    let place = await restoreKeyboard(world, wish)
    #expect(told.asked == [WindowID(1)])
    #expect(place.window?.name == "Other" && !place.isAtItems)
    #expect(clock.now.passed - before < .seconds(1))
  }

  @Test("K06 The window of what was held is gone: the one that has the keyboard now is told")
  func gone() async throws {
    told.obey()
    let (world, wish) = try await pickUp()
    told.show(Self.windows(active: 2, without: 1))
    _ = try await world.look()
    let place = await restoreKeyboard(world, wish)
    #expect(told.asked.isEmpty)
    #expect(place.window?.name == "Other" && !place.isAtItems)
  }

  @Test("K14 Focus that has gone elsewhere in its window goes back, to a row wherever it is by now")
  func elsewhere() async throws {
    told.obey()
    let (world, wish) = try await pickUp()
    // Its list is in another order, where each row has the element that another one had.
    told.tell([[Self.row("/0", "Bread"), Self.row("/1", "Milk")]], in: Self.frame)
    told.focus(on: focus(Self.row("/0", "Bread")))
    #expect(await restoreKeyboard(world, wish).isAtItems)
    #expect(await told.focus()?.element.id == ElementID(program: ":1.7", path: "/1"))
  }

  @Test("K14 What is not in the list any more, or will not take the focus, is not gone back to")
  func unseen() async throws {
    let (world, wish) = try await pickUp()
    told.focus(on: focus(Self.bread))
    #expect(await restoreKeyboard(world, wish) == KeyboardLocation(window: try await source(world)))
    told.obey()
    told.tell([[Self.bread]], in: Self.frame)
    #expect(await restoreKeyboard(world, wish) == KeyboardLocation(window: try await source(world)))
    told.tell([[Self.bread, Self.milk]], in: Self.frame)
    #expect(await restoreKeyboard(world, wish).isAtItems)
  }

  private func source(_ world: DesktopWorld) async throws -> ContainerDescriptor? {
    try await world.look().first { $0.name == "List" }
  }
}
