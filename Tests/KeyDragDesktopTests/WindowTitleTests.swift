import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What a person calls a window")
struct WindowTitleTests {
  @Test("A program is called by the letters of its window's class where it is the same word")
  func app() {
    let window = WindowFacts(
      id: WindowID(1), title: "Docs", className: "Thunar", processID: nil,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 1, height: 1), isMapped: true, isActive: false)
    #expect(WindowTitle.app(ProgramFacts(bus: ":1.1", name: "thunar"), window) == "Thunar")
    #expect(WindowTitle.app(ProgramFacts(bus: ":1.1", name: "Files"), window) == "Files")
    #expect(WindowTitle.app(nil, window) == "Thunar")
  }

  @Test(
    "What a program says becomes what the session understands",
    arguments: [
      (DragVerdict.accepts(.copy), false, false, Proposal(.all, offers: .copy)),
      (.accepts(.move), true, true, Proposal(.maybe, offers: .copy)),
      (.refuses, false, true, .refused(.notTaken)), (.refuses, false, false, .refused(.notShown)),
      (.silent, false, true, .refused(.notResponding)), (.gone, false, true, .refused(.gone)),
      (.over, false, true, .refused(.interrupted)),
      (.noTarget, false, true, .refused(.notTaken)), (.noTarget, false, false, .refused(.notShown)),
    ] as [(DragVerdict, Bool, Bool, Proposal)])
  func verdict(verdict: DragVerdict, anything: Bool, isShown: Bool, expected: Proposal) {
    #expect(
      Asking.proposal(verdict, .copy, anything: anything, isShown: isShown) == expected)
  }
}
