import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing
import ToldDesktop

@testable import KeyDragDesktop

@Suite(
  "Two displays beside each other", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)), .enabled(if: DesktopStage.obstacle == nil))
struct SeveralDisplaysTests {
  private let other: PrivateDesktop
  private let stage: DesktopStage

  init() throws {
    other = try PrivateDesktop()
    stage = try DesktopStage(beside: other)
  }

  private static func program(_ title: String) -> String {
    ChaptersProgram.source(
      title, taking: #"view.connect("drag-data-received", lambda *_: print("taken"))"#)
  }

  @Test("A walk leads to the windows of both, and a drop to the one that is meant")
  func drops() async throws {
    let near = try await stage.start(Self.program("Near"), title: "Near")
    let far = try await stage.start(Self.program("Far"), title: "Far", on: other)
    #expect(try await stage.world.look().map(\.name).sorted() == ["Far", "Near"])
    let walk = await stage.world.windows()
    #expect(Set(walk.map(\.id)) == [near.container.id, far.container.id])
    // One after the other and back: each display has a drag of its own.
    for index in [0, 1, 0] {
      let chapters = try stage.point("Chapters", in: [near, far][index])
      #expect(await stage.verdict(at: chapters).acceptance == .all)
      #expect(try await stage.deliver(to: chapters).route == .xdnd)
      #expect(try stage.programs[index].line() == "taken")
    }
  }

  @Test("What is copied in a window of one is pasted into a window of the other")
  func clipboards() async throws {
    let program = ShelfPrograms.shelf.replacing(
      "wait_for_uris() or []", with: "wait_for_text().splitlines()")
    let window = try await stage.start(program, title: "Shelf")
    let drawing = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", CopyingWindowTests.drawing, "copy"],
      adding: ["GDK_BACKEND": "x11", "DISPLAY": other.environment["DISPLAY"] ?? ""])
    #expect(try drawing.line() == "shown")
    let item = try await stage.pickUp("Drawing", on: other)
    #expect(item.name == "drawn words")
    let stop = DropStop(try stage.point("Books", in: window).id)
    #expect(await stage.verdict(at: stop, of: item, wish: .copy).isPasted)
    let result = try await stage.deliver(item, to: stop, .copy)
    #expect(result.outcome == .delivered && result.route == .menu)
    #expect(try stage.said() == "pasted drawn words")
    // Each clipboard is as it was.
    try stage.program.signal(SIGUSR1)
    #expect(try stage.said() == "clipboard before")
    try stage.type("key", "F6", on: other)
    #expect(try drawing.line() == "kept")
  }
}

@Suite("What several displays tell together")
struct DisplaysTogetherTests {
  private static func display(_ name: String, active: UInt32?) -> ToldDisplay {
    let windows = [1, 2].map { number in
      WindowFacts(
        id: WindowID(number, on: name), title: "\(name)\(number)", className: "", processID: nil,
        rectangle: ScreenRectangle(x: 0, y: 0, width: 9, height: 9), isMapped: true,
        isActive: number == active)
    }
    return ToldDisplay(ToldDesktop(programs: nil, windows: windows), name: name)
  }

  private let gone = ToldDisplay(ToldDesktop(programs: nil, windows: nil), name: "c")

  @Test("The active window comes first, and a display that is gone takes nothing with it")
  func order() async {
    let displays: [any Display] = [
      Self.display("a", active: nil), gone, Self.display("b", active: 2),
    ]
    #expect(await displays.windows()?.map(\.title) == ["b2", "a1", "a2", "b1"])
    #expect(await [gone as any Display].windows() == nil)
  }

  @Test("Windows of the same number are told apart, and one of no display that is known has none")
  func identities() throws {
    let displays: [any Display] = [Self.display("a", active: 1), Self.display("b", active: 1)]
    for name in ["a", "b"] { #expect(try displays[of: WindowID(1, on: name)].name == name) }
    #expect(throws: Reason.noDisplay) { try displays[of: WindowID(1, on: "c")] }
  }
}
