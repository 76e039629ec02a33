import CXCB
import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

/// A display with a blue ground, and an overlay over it.
private final class Bench {
  static let ground: UInt32 = 0x20_40C0
  static let yellow: UInt32 = 0xFF_CC00
  static let place = ScreenRectangle(x: 300, y: 200, width: 200, height: 100)

  let desktop: PrivateDesktop
  let hand: TypingHand
  let below: PlainWindow
  let overlay: Overlay
  /// The window that a place is in.
  var owner: PlainWindow?
  var server: XServer { hand.server }

  init() throws {
    desktop = try PrivateDesktop()
    hand = try TypingHand(on: desktop)
    below = PlainWindow(
      hand.server, ScreenRectangle(x: 0, y: 0, width: 1024, height: 768), color: Bench.ground,
      takesDrags: true)
    overlay = try Overlay(display: desktop.environment["DISPLAY"])
  }

  func show(
    _ lines: [String] = ["Documents: copy"], _ verdict: Verdict.Word? = .accept,
    at frame: ScreenRectangle? = Bench.place, help: [String] = []
  ) async {
    let view = OverlayView(frame: frame, lines: lines, verdict: verdict, help: help)
    await withCheckedContinuation { done in overlay.show(view) { done.resume() } }
  }

  func hide() async {
    await withCheckedContinuation { done in overlay.hide { done.resume() } }
  }

  /// What the server tells of the root's children is what there is to wait for.
  func listen() {
    xcb_change_window_attributes(
      server.connection, server.root.rawValue, XCB_CW_EVENT_MASK.rawValue,
      [XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue])
  }

  /// Waits until the overlay's windows are as they should be, looking again whenever one has changed.
  func wait(until areRight: ([ScreenRectangle]) -> Bool) throws {
    while !areRight(windows) {
      // The list may have been read together with what was told after it.
      if server.nextEvent() != nil { continue }
      var wait = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&wait, 1, 60_000) > 0)
    }
  }

  func pixels() throws -> ScreenPixels { try #require(ScreenPixels(server)) }

  /// The overlay's windows that are shown: the sides of the frame, then the label.
  var windows: [ScreenRectangle] {
    let all = server.children(of: server.root)
    return zip(all, server.shapes(of: all)).compactMap { window, shape in
      guard let shape, shape.isMapped, window != below.id, window != owner?.id else { return nil }
      return ScreenRectangle(x: shape.x, y: shape.y, width: shape.width, height: shape.height)
    }
  }

  /// A settings manager, until it is forgotten.
  func settings(_ values: [String: Int]) throws -> XServer {
    try settings(bytes: XSettingsTests.bytes(values.map { ($0.key, .number($0.value)) }))
  }

  func settings(bytes: [UInt8]) throws -> XServer {
    let manager = try XServer(display: desktop.environment["DISPLAY"])
    let atoms = manager.atoms(["_XSETTINGS_S0", "_XSETTINGS_SETTINGS", "TIME"])
    let window = manager.makeHiddenWindow()
    manager.setProperty(atoms[1], of: window, type: atoms[1], format: 8, bytes: bytes)
    let time = try manager.time(by: window, property: atoms[2])
    try #require(manager.own(atoms[0], by: window, time: time))
    manager.sync()
    return manager
  }

  func setResources(_ text: String) {
    server.setProperty(
      XAtom(rawValue: 23), of: server.root, type: XAtom(rawValue: 31), format: 8,
      bytes: Array(text.utf8))
    server.sync()
  }
}

@Suite(
  "The frame and the label over a real display", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil), .timeLimit(.minutes(2)))
struct OverlayTests {
  @Test("The frame has its colour between black lines, and the inside shows what is below")
  func frame() async throws {
    let bench = try Bench()
    await bench.show()
    let pixels = try bench.pixels()
    #expect(pixels[293, 250] == 0 && pixels[299, 250] == 0)
    #expect(pixels[296, 250] == Bench.yellow)
    #expect(pixels[400, 303] == Bench.yellow)
    #expect(pixels[292, 250] == Bench.ground)
    for y in 200..<300 {
      #expect((300..<500).allSatisfy { pixels[$0, y] == Bench.ground })
    }
    let label = try #require(bench.windows.last)
    #expect(pixels[label.x, label.y] == 0xFF_FFFF)
    #expect(label.y > 300 && label.x == 293)
    #expect(bench.windows.count == 5)
  }

  @Test("After hiding, the screen is what it was, byte for byte; after the end as well")
  func noTrace() async throws {
    let bench = try Bench()
    let before = try bench.pixels()
    await bench.show()
    await bench.show(
      ["Trash", "refuses: wrong type"], .refuse, at: OverlayLayoutTests.rectangles[4])
    #expect(try bench.pixels() != before)
    await bench.hide()
    #expect(try bench.pixels() == before)
    #expect(bench.windows == [])
    await bench.show()
    bench.listen()
    bench.overlay.end()
    try bench.wait { $0.isEmpty }
    #expect(try bench.pixels() == before)
    await bench.show()
  }

  @Test("A click on the label or on the frame reaches the window below, and the focus stays")
  func clickThrough() async throws {
    let bench = try Bench()
    bench.hand.focus(bench.below.id.rawValue)
    await bench.show()
    let centers = bench.windows.map(\.center)
    #expect(centers.count == 5)
    for center in centers { bench.hand.click(x: center.x, y: center.y) }
    #expect(bench.below.clicks() == centers)
    let reply = xcb_get_input_focus_reply(
      bench.server.connection, xcb_get_input_focus(bench.server.connection), nil)
    defer { free(reply) }
    #expect(reply?.pointee.focus == bench.below.id.rawValue)
  }

  @Test("A drag looks through it, and no list of windows has it")
  func unseen() async throws {
    let bench = try Bench()
    await bench.show()
    let atoms = try #require(XdndAtoms(bench.server.atoms(XdndAtoms.names)))
    let search = TargetSearch(server: bench.server, atoms: atoms)
    for window in bench.windows {
      let point = RootPoint(x: window.center.x, y: window.center.y)
      #expect(search.target(at: point)?.window == bench.below.id)
    }
    let listed = try DesktopWindows(server: XServer(display: bench.desktop.environment["DISPLAY"]))
      .all()
    #expect(listed.isEmpty)
  }

  @Test("The frame goes where its window goes, and away while the window is")
  func following() async throws {
    let bench = try Bench()
    let start = ScreenRectangle(x: 250, y: 150, width: 400, height: 300)
    let owner = PlainWindow(bench.server, start, color: 0x80_8080)
    bench.owner = owner
    let (news, tell) = AsyncStream.makeStream(of: Void.self)
    bench.overlay.onOutdated { tell.yield() }
    let anchor = OverlayAnchor(window: WindowID(owner.id.rawValue), rectangle: start)
    await withCheckedContinuation { done in
      bench.overlay.show(
        OverlayView(frame: Bench.place, lines: ["Documents: copy"], verdict: .accept), in: anchor
      ) { done.resume() }
    }
    let before = bench.windows
    #expect(before.count == 5)
    bench.listen()
    owner.move(to: ScreenRectangle(x: 350, y: 250, width: 400, height: 300))
    try bench.wait { now in
      now.count == 5
        && zip(now, before).allSatisfy { ($0.x, $0.y) == ($1.x + 100, $1.y + 100) }
    }
    // Half of it is beside the screen, and the place with that half.
    owner.move(to: ScreenRectangle(x: 900, y: 700, width: 400, height: 300))
    let screen = ScreenRectangle(x: 0, y: 0, width: 1024, height: 768)
    try bench.wait { now in
      now.count == 5 && now.allSatisfy { $0.intersection(screen) == $0 }
        && now[1].y + now[1].height == screen.height
    }
    owner.move(to: start)
    try bench.wait { $0 == before }
    owner.show(false)
    try bench.wait { $0.count == 1 }
    owner.show(true)
    try bench.wait { $0 == before }
    // Where its places are by now has to be asked: it has been away, and then it has another size.
    var heard = news.makeAsyncIterator()
    #expect(await heard.next() != nil)
    owner.move(to: ScreenRectangle(x: 250, y: 150, width: 500, height: 300))
    #expect(await heard.next() != nil)
    // Found when the window was elsewhere, it is shown where the window is.
    let late = OverlayAnchor(
      window: anchor.window, rectangle: ScreenRectangle(x: 150, y: 150, width: 500, height: 300))
    await withCheckedContinuation { done in
      bench.overlay.show(
        OverlayView(frame: Bench.place, lines: ["Documents: copy"], verdict: .accept), in: late
      ) { done.resume() }
    }
    #expect(bench.windows.first?.x == before[0].x + 100)
  }

  @Test("Asked a hundred times at once, it shows the last")
  func newest() async throws {
    let bench = try Bench()
    for number in 0..<100 {
      bench.overlay.show(
        OverlayView(
          frame: ScreenRectangle(x: number, y: 0, width: 50, height: 50), lines: ["\(number)"],
          verdict: .asking))
    }
    await bench.show()
    #expect(bench.windows.count == 5)
    #expect(try bench.pixels()[296, 250] == Bench.yellow)
  }

  @Test("Every verdict can be told from the others without colour")
  func withoutColor() async throws {
    let bench = try Bench()
    var seen: [[Bool]] = []
    for verdict in Verdict.Word.allCases.map(Optional.some) + [nil] {
      await bench.show(["same"], verdict)
      let shapes = try bench.pixels().pixels.map { $0 != 0 && $0 != Bench.ground }
      #expect(!seen.contains(shapes))
      seen.append(shapes)
    }
  }

  @Test(
    "Whatever the words are, the label is whole on the screen",
    arguments: [
      [String(repeating: "very long name ", count: 700)], [String(repeating: "x", count: 10_000)],
      ["a\u{0}b\u{1B}[31mc\nd\u{7}"], ["مستندات: نسخ", "٣ من ١٢"], ["書類：コピー"],
      Array(repeating: "line", count: 100), ["\u{202E}gnp.exe", "\u{300}\u{300}\u{300}"],
      ["👩‍👩‍👧‍👦 and \u{10FFFF}"],
    ] as [[String]])
  func anyWords(lines: [String]) async throws {
    let bench = try Bench()
    await bench.show(lines)
    let label = try #require(bench.windows.last)
    let screen = ScreenRectangle(x: 0, y: 0, width: 1024, height: 768)
    #expect(bench.windows.count == 5)
    #expect(label.intersection(screen) == label)
    #expect(label.height < 400 && label.intersection(Bench.place) == nil)
  }

  @Test("Without words there is the frame alone; without both there is nothing")
  func nothingToSay() async throws {
    let bench = try Bench()
    await bench.show([], at: Bench.place)
    #expect(bench.windows.count == 4)
    await bench.show(["", "\n"], at: nil)
    #expect(bench.windows == [])
    await bench.show(["words"], at: ScreenRectangle(x: -900, y: -900, width: 10, height: 10))
    #expect(bench.windows.count == 1)
  }

  @Test("A place of any size has a frame on the screen", arguments: OverlayLayoutTests.rectangles)
  func anyPlace(place: ScreenRectangle) async throws {
    let bench = try Bench()
    await bench.show(at: place)
    let screen = ScreenRectangle(x: 0, y: 0, width: 1024, height: 768)
    for window in bench.windows { #expect(window.intersection(screen) == window) }
    #expect([1, 5].contains(bench.windows.count))
  }

  @Test("It grows with the resolution and with the person's text, and always fits")
  func sizes() async throws {
    let bench = try Bench()
    let screen = ScreenRectangle(x: 0, y: 0, width: 1024, height: 768)
    var heights: [Int] = []
    for (dots, scale) in [(48, 1.0), (96, 1), (96, 2), (300, 1), (300, 4)] {
      bench.setResources("Xcursor.size:\t24\nXft.dpi:\t\(dots)\n")
      let manager = scale == 1 ? nil : try bench.settings(["Xft/DPI": Int(scale) * dots * 1024])
      await bench.show(["Documents, in Files: copy", "2 of 7"])
      let label = try #require(bench.windows.last)
      #expect(label.intersection(screen) == label)
      heights.append(label.height)
      _ = manager
    }
    #expect(heights[0] < heights[1] && heights[1] < heights[2] && heights[2] < heights[3])
    #expect(heights[0] >= 30)
  }

  @Test(
    "It follows what the person has set for all programs, from one drag to the next",
    arguments: [["Xft/DPI": 192 * 1024], ["Gdk/WindowScalingFactor": 2]])
  func personSettings(values: [String: Int]) async throws {
    let bench = try Bench()
    func height() async throws -> Int {
      await bench.show(["Documents, in Files: copy", "2 of 7"])
      return try #require(bench.windows.last).height
    }
    let usual = try await height()
    let large = try await {
      let manager = try bench.settings(values)
      defer { _ = manager }
      return try await height()
    }()
    #expect(large > usual * 3 / 2)
    // The manager is gone, and with it what it said.
    #expect(try await height() == usual)
  }

  @Test(
    "The help stands whole on the screen at any size of text, over what is there, until it is not wanted",
    arguments: [72, 96, 144, 192, 400])
  func help(dots: Int) async throws {
    let bench = try Bench()
    bench.setResources("Xft.dpi:\t\(dots)\n")
    await bench.show()
    let (before, label) = (try bench.pixels(), try #require(bench.windows.last))
    for place in [Bench.place, ScreenRectangle(x: 0, y: 0, width: 1024, height: 768), nil] {
      await bench.show(at: place, help: sampleHelp)
      let screen = ScreenRectangle(x: 0, y: 0, width: 1024, height: 768)
      let page = try #require(bench.windows.last)
      #expect(bench.windows.count == (place == nil ? 1 : 5))
      #expect(page.intersection(screen) == page && page.height > label.height)
      // Each line is seen: with another one it looks different.
      let pixels = try bench.pixels()
      for index in [0, 11, 12, 22] {
        var other = sampleHelp
        other[index] = other[index].replacing("place", with: "PLACE")
        await bench.show(at: place, help: other)
        #expect(try bench.pixels() != pixels, "line \(index)")
      }
    }
    await bench.show()
    #expect(try bench.pixels() == before)
  }

  @Test("A settings manager that says nonsense changes nothing")
  func badSettings() async throws {
    let bench = try Bench()
    await bench.show()
    let usual = try #require(bench.windows.last)
    let long = [255, 0].flatMap { [UInt8](repeating: $0, count: 70_000) }
    for bytes in [[], [0], Array(long.prefix(100)), long] {
      let manager = try bench.settings(bytes: bytes)
      await bench.show()
      #expect(bench.windows.last == usual)
      _ = manager
    }
  }

  @Test("A display that is not there is an error that names it")
  func noDisplay() {
    #expect(throws: Reason.noDisplay) { _ = try Overlay(display: ":4711") }
  }
}
