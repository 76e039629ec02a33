import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

extension OutgoingDrag {
  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation = .copy
  ) async -> DragAnswer {
    await ask(window, at: point, operation: operation)
  }
}

extension XdndHandshake.Timing {
  /// For programs that answer, however busy the computer is.
  static let patient: XdndHandshake.Timing = {
    var timing = XdndHandshake.Timing()
    timing.silence = 10_000
    return timing
  }()
}

/// What a test needs of a desktop with windows.
struct TargetStage {
  let desktop: PrivateDesktop
  let windows: DesktopWindows
  let pointer: XServer

  static let link = DragForm("text/uri-list", bytes: Array("file:///tmp/a.txt\r\n".utf8))

  init() throws {
    desktop = try PrivateDesktop()
    windows = try DesktopWindows(server: XServer(display: desktop.environment["DISPLAY"]))
    pointer = try XServer(display: desktop.environment["DISPLAY"])
  }

  var display: String? { desktop.environment["DISPLAY"] }

  /// Begins a drag of one link to a file.
  func drag(
    _ forms: [DragForm] = [TargetStage.link], timing: XdndHandshake.Timing = .patient
  ) throws -> AskedDrag {
    AskedDrag(try XdndSource(display: display, forms: forms, timing: timing))
  }

  func window(of process: KeptProcess) throws -> WindowFacts {
    try #require(windows.all().first { $0.processID == process.id })
  }

  /// Has the display's own tool work the pointer and the keys, and returns when it has.
  func tool(_ arguments: String) throws {
    let tool = try desktop.start(["/bin/sh", "-c", "xdotool \(arguments) && echo done"])
    #expect(try tool.line() == "done")
  }
}

extension WindowFacts {
  /// A quarter down and a quarter up: in the half that takes drops, and in the one that does not.
  var taking: ScreenPoint { point(0.5, 0.25) }
  var refusing: ScreenPoint { point(0.5, 0.75) }

  func point(_ across: Double, _ down: Double) -> ScreenPoint {
    ScreenPoint(
      x: rectangle.x + Int(Double(rectangle.width) * across),
      y: rectangle.y + Int(Double(rectangle.height) * down))
  }
}

@Suite(
  "A drag into windows of several toolkits", .realPrograms(by: .suite), .serialized,
  .enabled(if: ToolkitTarget.obstacle == nil))
struct RealTargetTests {
  @Test(
    "Each place says the truth, and the drop arrives with its operation",
    arguments: ToolkitTarget.Toolkit.allCases, [DragOperation.copy, .move])
  func wholeDrag(toolkit: ToolkitTarget.Toolkit, operation: DragOperation) async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(toolkit, on: stage.desktop)
    let window = try stage.window(of: target.process)
    let before = stage.pointer.pointer()?.point
    let drag = try stage.drag()
    #expect(
      await drag.ask(window.id, at: window.refusing, operation: operation) == .refuses(.notTaken))
    #expect(
      await drag.ask(window.id, at: window.taking, operation: operation) == .accepts(operation))
    #expect(await drag.drop() == .accepts(operation))
    #expect(try target.received() == "file:///tmp/a.txt \(operation.rawValue)")
    #expect(stage.pointer.pointer()?.point == before)
    drag.end()
  }

  @Test("A place that takes it no longer, or never did, is not dropped on")
  func refused() async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(.gtk3, on: stage.desktop)
    let window = try stage.window(of: target.process)
    let drag = try stage.drag()
    #expect(await drag.stay() == .refuses(.notShown))
    #expect(await drag.ask(window.id, at: window.refusing) == .refuses(.notTaken))
    #expect(await drag.drop() == .refuses(.notTaken))
    #expect(await drag.ask(window.id, at: window.taking, operation: .link) == .refuses(.notTaken))
    #expect(await drag.ask(WindowID(0x7FFF_FFFF), at: window.taking) == .refuses(.gone))
    target.process.end()
    #expect(await drag.ask(window.id, at: window.taking) == .refuses(.gone))
  }

  @Test("T13 What has moved on under the drag is not dropped on, and can be aimed at anew")
  func movedOn() async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(.gtk3, on: stage.desktop)
    let window = try stage.window(of: target.process)
    let before = stage.pointer.pointer()?.point
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.taking) == .accepts(.copy))
    #expect(await drag.drop { false } == .refuses(.placeMoves))
    #expect(stage.pointer.pointer()?.point == before)
    #expect(await drag.drop() == .accepts(.copy))
    // The first word of the target is of the second drop.
    #expect(try target.received() == "file:///tmp/a.txt copy")
  }

  @Test("A newer question takes the place of the one before, which is told nothing")
  func newerQuestion() async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(.gtk3, on: stage.desktop)
    let window = try stage.window(of: target.process)
    let drag = try stage.drag()
    let (answers, tell) = AsyncStream.makeStream(of: String.self)
    for (name, place) in [("first", window.taking), ("second", window.refusing)] {
      Task.immediate {
        let verdict = await drag.ask(window.id, at: place, operation: .copy)
        tell.yield("\(name) \(verdict)")
      }
    }
    var heard = answers.makeAsyncIterator()
    #expect(await heard.next() == "first silent")
    let second = await heard.next()
    #expect(second?.hasPrefix("second refuses") == true)
  }

  @Test("The drop waits until a held modifier is let go")
  func heldModifier() async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(.qt5, on: stage.desktop)
    let window = try stage.window(of: target.process)
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.taking, operation: .copy) == .accepts(.copy))
    try stage.tool("keydown shift")
    let (outcomes, tell) = AsyncStream.makeStream(of: DragAnswer.self)
    Task.immediate { tell.yield(await drag.drop()) }
    // Shift asks Qt for a move. While it is down nothing is dropped, and questions wait.
    #expect(await drag.ask(window.id, at: window.refusing) == .silent)
    try stage.tool("keyup shift")
    var heard = outcomes.makeAsyncIterator()
    #expect(await heard.next() == .accepts(.copy))
    #expect(try target.received() == "file:///tmp/a.txt copy")
  }

  @Test("A hand that drags with a button held is not disturbed: nothing is dropped")
  func heldButton() async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(.gtk3, on: stage.desktop)
    let window = try stage.window(of: target.process)
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.taking) == .accepts(.copy))
    try stage.tool("mousemove 900 700 mousedown 3")
    #expect(await drag.drop() == .failed(.programFailed))
    #expect(stage.pointer.pointer()?.point == RootPoint(x: 900, y: 700))
  }

  @Test("The pointer rests in the target during the drop, and stays where a hand puts it")
  func pointer() async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(.gtk3, on: stage.desktop)
    let window = try stage.window(of: target.process)
    try stage.tool("mousemove 900 700")
    let pointer = ThreadConfined(stage.pointer)
    let (places, tell) = AsyncStream.makeStream(of: RootPoint?.self)
    let form = DragForm("text/uri-list") {
      tell.yield(pointer.value.pointer()?.point)
      pointer.value.movePointer(to: RootPoint(x: 5, y: 6))
      _ = pointer.value.pointer()
      return Array("file:///tmp/a.txt\r\n".utf8)
    }
    let drag = try stage.drag([form])
    _ = await drag.ask(window.id, at: window.taking)
    #expect(await drag.drop() == .accepts(.copy))
    var heard = places.makeAsyncIterator()
    #expect(await heard.next() == RootPoint(x: window.taking.x, y: window.taking.y))
    #expect(stage.pointer.pointer()?.point == RootPoint(x: 5, y: 6))
  }

  @Test("A drop whose end is not told is unknown, and told when it comes after all")
  func lateEnd() async throws {
    let stage = try TargetStage()
    let target = try ToolkitTarget(.gtk3, on: stage.desktop)
    let window = try stage.window(of: target.process)
    var timing = XdndHandshake.Timing.patient
    timing.patience = 300
    let process = target.process.id
    let form = DragForm("text/uri-list") {
      kill(process, SIGSTOP)
      return Array("file:///tmp/a.txt\r\n".utf8)
    }
    var drag: AskedDrag? = try stage.drag([form], timing: timing)
    let (ends, tell) = AsyncStream.makeStream(of: DragAnswer.self)
    _ = await drag?.ask(window.id, at: window.taking)
    #expect(await drag?.drop(late: { tell.yield($0) }) == .silent)
    #expect(await drag?.ask(window.id, at: window.taking) == .refuses(.interrupted))
    // Nobody has to hold on to it.
    drag?.end()
    drag = nil
    target.process.signal(SIGCONT)
    var heard = ends.makeAsyncIterator()
    #expect(await heard.next() == .accepts(.copy))
    #expect(try target.received() == "file:///tmp/a.txt copy")
  }

  @Test("Another drag on the display ends this one, and so does the end of the display")
  func over() async throws {
    var desktop: PrivateDesktop? = try PrivateDesktop()
    let display = desktop?.environment["DISPLAY"]
    let first = AskedDrag(try XdndSource(display: display, forms: [TargetStage.link]))
    let second = AskedDrag(try XdndSource(display: display, forms: [TargetStage.link]))
    #expect(await first.ask(WindowID(1), at: ScreenPoint(x: 1, y: 1)) == .refuses(.interrupted))
    #expect(await second.ask(WindowID(1), at: ScreenPoint(x: 1, y: 1)) == .refuses(.gone))
    desktop = nil
    #expect(await second.ask(WindowID(1), at: ScreenPoint(x: 1, y: 1)) == .refuses(.interrupted))
    #expect(await second.drop() == .failed(.programFailed))
    #expect(throws: Reason.noDisplay) {
      try XdndSource(display: ":4711", forms: [TargetStage.link])
    }
  }
}
