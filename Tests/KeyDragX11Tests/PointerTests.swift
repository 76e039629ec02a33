import KeyDragCore
import KeyDragThreads
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

/// Drives a plan through its clock, with a pointer that goes where it is put.
private struct PointerDrive {
  var plan = PointerPlan(
    from: RootPoint(x: 100, y: 100), to: RootPoint(x: 200, y: 300), now: 0)
  var now: Milliseconds = 0
  var pointer = RootPoint(x: 7, y: 8)
  var moves = 0

  /// Goes on to the next deadline; what is done, with the time.
  mutating func next(held: XServer.Held = [], sign: DragAnswer = .accepts(nil)) -> [String] {
    guard let deadline = plan.deadline else { return [] }
    now = max(now, deadline)
    var actions = plan.tick(pointer, held: held, now: now)
    var said: [String] = []
    while let action = actions.first {
      actions.removeFirst()
      switch action {
      case .move(let point):
        pointer = point
        moves += 1
        said.append("move \(point.x)")
      case .press: said.append("press \(now)")
      case .release: said.append("release \(pointer.x) \(now)")
      case .look: actions += plan.saw(sign, now: now)
      case .end(let result, let home):
        let end =
          switch result {
          case .success(let sign): "\(sign)"
          case .failure(let reason): reason.rawValue
          }
        said.append("end \(end) \(home.map { "\($0.x)" } ?? "none")")
      }
    }
    return said
  }

  mutating func rest(sign: DragAnswer = .accepts(nil)) -> [String] {
    var said: [String] = []
    while plan.deadline != nil { said += next(sign: sign) }
    return said
  }
}

@Suite("A drag by the pointer, step by step")
struct PointerPlanTests {
  @Test("Press, ten steps, a rest, release; then the pointer goes home")
  func whole() {
    var drive = PointerDrive()
    let said = drive.rest()
    #expect(drive.moves == 11)
    #expect(said.first == "move 100" && said[1] == "press 20")
    #expect(
      said.suffix(3) == ["move 200", "release 200 370", "end accepts(nil) 7"])
  }

  @Test("Where the picture refuses, it is released at the start")
  func refused() {
    var drive = PointerDrive()
    let said = drive.rest(sign: .refuses(.notTaken))
    #expect(said.filter { $0.hasPrefix("release") } == ["release 100 600"])
    #expect(said.last == "end not-taken 7")
  }

  @Test("A hand that moves the pointer ends it at the start; one that goes on, at once")
  func disturbed() {
    for isGoingOn in [false, true] {
      var drive = PointerDrive()
      for _ in 0..<5 { _ = drive.next() }
      drive.pointer = RootPoint(x: 500, y: 500)
      _ = drive.next() + drive.next()
      if isGoingOn { drive.pointer = RootPoint(x: 501, y: 500) }
      let said = drive.rest()
      #expect(said.filter { $0.hasPrefix("release") }.allSatisfy { $0.hasPrefix("release 100 ") })
      #expect(said.last?.hasPrefix("end interrupted") == true)
    }
  }

  @Test("It does not begin while something is held, and not at all after two seconds")
  func held() {
    var drive = PointerDrive()
    #expect(drive.next(held: .modifier) == [])
    #expect(drive.next() == ["move 100"])
    var stuck = PointerDrive()
    var said: [String] = []
    while stuck.plan.deadline != nil { said += stuck.next(held: .modifier) }
    #expect(said == ["end interrupted none"])
    #expect(stuck.now == 2_000)
  }

  @Test(
    "Pictures say by their names what a place would do",
    arguments: [
      ("no-drop", .refuses(.notTaken)), ("not-allowed", .refuses(.notTaken)),
      ("dnd-none", .refuses(.notTaken)),
      ("copy", .accepts(nil)), ("dnd-move", .accepts(nil)), ("alias", .accepts(nil)),
      ("left_ptr", .silent), ("grabbing", .silent), ("", .silent),
    ] as [(String, DragAnswer)])
  func pictures(name: String, sign: DragAnswer) {
    #expect(DragAnswer(picture: name) == sign)
  }
}

@Suite(
  "A drag by the pointer in a real window", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil))
struct PointerDragTests {
  /// For programs that follow, however busy the computer is.
  private let patient: PointerPlan.Timing = {
    var timing = PointerPlan.Timing()
    timing.rest = 1_000
    return timing
  }()

  private func drag(
    _ hand: PointerDrag, _ start: ScreenPoint, _ end: ScreenPoint
  ) async -> Result<DragAnswer, Reason> {
    await Result { () async throws(Reason) in try await hand.drag(from: start, to: end) }
  }

  /// A list whose rows can be put in order by the pointer alone, and where its rows are.
  private func list(
    on stage: TargetStage
  ) throws -> (KeptProcess, row: (Int) -> ScreenPoint, outside: ScreenPoint) {
    let list = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program],
      adding: ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"])
    let numbers = try list.line().split(separator: " ").compactMap { Int($0) }
    let window = try stage.window(of: list).rectangle
    let row = { (index: Int) in
      ScreenPoint(
        x: window.x + numbers[0], y: window.y + numbers[1] + numbers[2] * index + numbers[2] / 2)
    }
    return (list, row, ScreenPoint(x: window.x + 150, y: window.y + 280))
  }

  @Test("A row goes to another place in a list that takes drags from itself alone")
  func reorder() async throws {
    let stage = try TargetStage()
    let (list, row, _) = try list(on: stage)
    let hand = PointerDrag(display: stage.display, timing: patient)
    let before = stage.pointer.pointer()?.point
    var end = row(2)
    // In the lower part of the row: after it.
    end.y += 13
    #expect(await drag(hand, row(0), end) == .success(.accepts(nil)))
    #expect(try list.line() == "b c a d")
    #expect(stage.pointer.pointer()?.point == before)
    #expect(stage.pointer.pointer()?.held == [])
  }

  @Test("Where the picture refuses nothing is dropped, and the pointer is home again")
  func refused() async throws {
    let stage = try TargetStage()
    let (list, row, outside) = try list(on: stage)
    let hand = PointerDrag(display: stage.display, timing: patient)
    let before = stage.pointer.pointer()?.point
    #expect(await drag(hand, row(0), outside) == .failure(.notTaken))
    #expect(stage.pointer.pointer()?.point == before)
    #expect(stage.pointer.pointer()?.held == [])
    // Back at its own place, the list takes the row in again and is as it was. It works on.
    #expect(try list.line() == "a b c d")
    var end = row(3)
    end.y += 13
    #expect(await drag(hand, row(0), end) == .success(.accepts(nil)))
    #expect(try list.line() == "b c d a")
  }

  @Test("A second drag meanwhile, a point beside the screen and a display that is gone are told of")
  func failures() async throws {
    var stage: TargetStage? = try TargetStage()
    let hand = PointerDrag(display: stage?.display)
    let inside = ScreenPoint(x: 5, y: 5)
    #expect(await drag(hand, inside, ScreenPoint(x: 5_000, y: 5)) == .failure(.notShown))
    try stage?.tool("mousemove 900 700 mousedown 3")
    #expect(await drag(hand, inside, inside) == .failure(.interrupted))
    stage = nil
    #expect(await drag(hand, inside, inside) == .failure(.noDisplay))
  }

  /// Says where its rows are and how high, and their order whenever it has changed.
  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title="List")
    window.set_default_size(300, 300)
    window.move(40, 40)
    model = Gtk.ListStore(str)
    for name in "abcd":
        model.append([name])
    view = Gtk.TreeView(model=model, reorderable=True, headers_visible=False)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(ypad=6), text=0))
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    box.pack_start(view, True, True, 0)
    label = Gtk.Label(label="not here")
    label.set_size_request(-1, 60)
    box.pack_start(label, False, False, 0)
    window.add(box)
    def changed(*_):
        names = [row[0] for row in model if row[0]]
        if len(names) == 4:
            print(*names)
    model.connect("row-deleted", changed)
    def told(*_):
        area = view.get_background_area(Gtk.TreePath(0), view.get_column(0))
        x, y = view.convert_bin_window_to_widget_coords(area.x, area.y)
        x, y = view.translate_coordinates(window, x, y)
        print(x + 20, y, area.height)
    paint = GLib.PRIORITY_LOW
    window.connect("map-event", lambda *_: GLib.idle_add(told, priority=paint) and None)
    window.show_all()
    Gtk.main()
    """
}
