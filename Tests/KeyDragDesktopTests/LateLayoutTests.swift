import KeyDragCore
import KeyDragTypes
import Synchronization
import Testing
import ToldDesktop

@testable import KeyDragDesktop

@Suite("A program that is late with what is in its window", .timeLimit(.minutes(5)))
struct LateLayoutTests {
  private static let frame = ElementID(program: ":1.7", path: "/frame")

  private static func window(height: Int) -> WindowFacts {
    WindowFacts(
      id: WindowID(1), title: "Notes", className: "notes", processID: 7,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 400, height: height), isMapped: true,
      isActive: true)
  }

  private static func body(height: Int) -> [ElementFacts] {
    [
      ElementFacts(
        id: ElementID(program: ":1.7", path: "/body"), role: "text", name: "Body",
        rectangle: ScreenRectangle(x: 0, y: 0, width: 400, height: height),
        states: [.showing, .editable])
    ]
  }

  @Test("A window that was resized is listed once more, when its program has filled it")
  func resized() async throws {
    let program = ProgramFacts(
      bus: ":1.7", name: "notes", toolkit: "gtk", toolkitVersion: "3.24", processID: 7,
      frames: [
        FrameFacts(
          element: Self.frame, title: "Notes", role: "frame",
          rectangle: Self.window(height: 200).rectangle, isActive: true)
      ])
    let told = ToldDesktop(programs: [program], windows: [Self.window(height: 200)])
    let clock = ToldClock()
    let desktop = Desktop(
      DesktopAdapters(
        sources: EmptyWorld(), goods: LinkGoods(), programs: told, displays: [ToldDisplay(told)],
        profiles: [], types: SystemContentTypes(), phrases: Phrasebook(), ownProcess: 1,
        clock: clock))
    let (changes, tell) = AsyncStream.makeStream(of: [RegistryChange].self)
    await desktop.setObserver { if case .changed(let changes) = $0 { tell.yield(changes) } }
    let window = try #require(try await desktop.look().first)
    func names() async throws -> [String] {
      try await desktop.list(window.id).get().dropPoints?.map(\.name) ?? []
    }
    told.tell([Self.body(height: 200)], in: Self.frame)
    #expect(try await names() == ["Body text field"])
    // Two readings see it as it was: one of them is enough to look once more, and no more than that.
    told.show([Self.window(height: 600)])
    _ = try await desktop.look()
    told.tell(
      [Self.body(height: 200), Self.body(height: 200), Self.body(height: 600)], in: Self.frame)
    #expect(try await names() == ["Body text field", "Notes window"])
    #expect(try await names() == ["Body text field", "Notes window"])
    await clock.sleeper()
    clock.advance(by: .milliseconds(300))
    var last: [String]?
    for await change in changes {
      guard case .replaced(let listing)? = change.first else { continue }
      last = listing.dropPoints?.map(\.name)
      break
    }
    #expect(last == ["Body text field"])
  }
}
