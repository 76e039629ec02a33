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
      (DragVerdict.accepts(.copy), false, Proposal(.all, offers: .copy)),
      (.accepts(.move), true, Proposal(.maybe, offers: .copy)),
      (.refuses, false, .refused(.notTaken)), (.silent, false, .refused(.notResponding)),
      (.gone, false, .refused(.gone)), (.over, false, .refused(.interrupted)),
      (.noTarget, false, .refused(.notShown)),
    ])
  func verdict(verdict: DragVerdict, anything: Bool, expected: Proposal) {
    #expect(
      Asking.proposal(verdict, .copy, anything: anything, isShown: false) == expected)
  }
}
