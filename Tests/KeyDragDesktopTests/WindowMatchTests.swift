import KeyDragCore
import KeyDragDesktop
import Testing

@Suite("The windows of the display and those of the accessibility tree are the same windows")
struct WindowMatchTests {
  private func window(
    _ id: UInt32, _ title: String, process: Int32? = 7, x: Int = 0
  ) -> WindowFacts {
    WindowFacts(
      id: WindowID(id), title: title, className: "Thunar", processID: process,
      rectangle: ScreenRectangle(x: x, y: 0, width: 100, height: 100), isMapped: true,
      isActive: false)
  }

  private func frame(_ path: String, _ title: String, x: Int = 0) -> FrameFacts {
    FrameFacts(
      element: ElementID(program: ":1.1", path: path), title: title, role: "frame",
      rectangle: ScreenRectangle(x: x, y: 0, width: 100, height: 100), isActive: false)
  }

  private func program(process: Int32? = 7, _ frames: [FrameFacts]) -> ProgramFacts {
    ProgramFacts(bus: ":1.1", name: "Thunar", processID: process, frames: frames)
  }

  @Test("two windows of one program are told apart by their titles")
  func byTitle() {
    let found = WindowMatch.frames(
      of: [program([frame("/1", "docs"), frame("/2", "inbox")])],
      for: [window(1, "inbox"), window(2, "docs")])
    #expect(found[WindowID(1)]?.frame.title == "inbox")
    #expect(found[WindowID(2)]?.frame.title == "docs")
  }

  @Test("two windows with one title are told apart by where they are")
  func byPlace() {
    let found = WindowMatch.frames(
      of: [program([frame("/1", "docs", x: 500), frame("/2", "docs", x: 0)])],
      for: [window(1, "docs", x: 0), window(2, "docs", x: 500)])
    #expect(found[WindowID(1)]?.frame.element.path == "/2")
    #expect(found[WindowID(2)]?.frame.element.path == "/1")
  }

  @Test(
    "T04 an alert before its window is told from that, also where both have one title",
    arguments: [[0, 1], [1, 0]])
  func alert(order: [Int]) {
    let alert = ScreenRectangle(x: 20, y: 20, width: 60, height: 30)
    var windows = [window(1, "docs"), window(2, "docs")]
    windows[1].rectangle = alert
    var frames = [frame("/1", "docs"), frame("/2", "docs")]
    frames[1].rectangle = alert
    let found = WindowMatch.frames(of: [program(frames)], for: order.map { windows[$0] })
    #expect(found[WindowID(1)]?.frame.element.path == "/1")
    #expect(found[WindowID(2)]?.frame.element.path == "/2")
  }

  @Test("a window of another process is not taken for one with another title")
  func byProcess() {
    let found = WindowMatch.frames(
      of: [program(process: 8, [frame("/1", "docs")])], for: [window(1, "inbox")])
    #expect(found.isEmpty)
  }

  @Test("a program that does not answer has no frames, and its windows stay without one")
  func hung() {
    var hung = program([frame("/1", "docs")])
    hung.isResponding = false
    #expect(WindowMatch.frames(of: [hung], for: [window(1, "docs")]).isEmpty)
  }
}
