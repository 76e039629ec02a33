import KeyDragCore
import Testing
import ToldDesktop

@testable import keydrag

@Suite("Windows whose programs begin to tell only when accessibility is switched on")
struct OpaqueWindowsTests {
  private static func desktop(isTold: Bool) -> ToldDesktop {
    let rectangle = ScreenRectangle(x: 0, y: 0, width: 400, height: 300)
    let frame = FrameFacts(
      element: ElementID(program: ":1.7", path: "/frame"), title: "docs", role: "frame",
      rectangle: rectangle, isActive: false)
    let program = ProgramFacts(
      bus: ":1.7", name: "Files", toolkit: "gtk", toolkitVersion: "3.24", processID: 7,
      frames: [frame])
    let window = WindowFacts(
      id: WindowID(1), title: "docs", className: "Files", processID: 7, rectangle: rectangle,
      isMapped: true, isActive: false)
    return ToldDesktop(programs: isTold ? [program] : [], windows: [window])
  }

  @Test("Nothing is waited for where every program tells of its windows")
  func told() async {
    let desktop = Self.desktop(isTold: true)
    // It stands still: a wait would not end.
    let clock = ToldClock()
    await OpaqueWindows.wait([ToldDisplay(desktop)], desktop, clock: clock)
    #expect(clock.now.passed == .zero)
  }

  @Test("One that never begins to is waited for one second")
  func silent() async {
    let desktop = Self.desktop(isTold: false)
    let clock = ToldClock()
    async let wait: Void = OpaqueWindows.wait([ToldDisplay(desktop)], desktop, clock: clock)
    await clock.sleeper()
    clock.advance(by: .seconds(1))
    await wait
    #expect(clock.now.passed == .seconds(1))
  }
}
