import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

@Suite("The order in which windows are told")
struct WindowOrderTests {
  private func sorted(_ windows: [UInt32], active: UInt32?, stack: [UInt32]) -> [UInt32] {
    WindowOrder.sorted(
      windows.map(XWindow.init(rawValue:)), active: active.map(XWindow.init(rawValue:)),
      stack: stack.map(XWindow.init(rawValue:))
    ).map(\.rawValue)
  }

  @Test(
    "The active one is first, then from the top down, then the rest; each once",
    arguments: [
      (2, [1, 2, 3], [2, 3, 1]), (nil, [1, 2, 3], [3, 2, 1]), (1, [], [1, 2, 3]),
      (9, [3, 3, 9, 1], [1, 3, 2]),
    ] as [(UInt32?, [UInt32], [UInt32])])
  func order(active: UInt32?, stack: [UInt32], expected: [UInt32]) {
    #expect(sorted([1, 2, 3], active: active, stack: stack) == expected)
  }
}

@Suite(
  "The windows of a display", .realPrograms(by: .suite), .serialized,
  .enabled(if: ToolkitTarget.obstacle == nil))
struct DisplayWindowsTests {
  @Test("A menu that is open is told apart from the windows, as long as it is open")
  func menus() async throws {
    let desktop = try PrivateDesktop()
    let reader = try DisplayWindows(display: desktop.environment["DISPLAY"])
    let program = try desktop.start(["/usr/bin/python3", "-u", "-c", Self.menu])
    #expect(try program.line() == "open")
    let open = try #require(await reader.menus())
    #expect(open.map(\.processID) == [program.id])
    #expect(open.allSatisfy { $0.isMapped && !$0.rectangle.isEmpty })
    #expect(await reader.windows()?.contains { $0.id == open.first?.id } == false)
    program.signal(SIGUSR1)
    #expect(try program.line() == "closed")
    #expect(try #require(await reader.menus()).isEmpty)
  }

  @Test("T06 A menu that says nothing of its kind is one by the window that it belongs to")
  func undeclared() async throws {
    let desktop = try PrivateDesktop()
    let reader = try DisplayWindows(display: desktop.environment["DISPLAY"])
    let program = try desktop.start(["/usr/bin/python3", "-u", "-c", Self.undeclared])
    #expect(try program.line() == "open")
    #expect(try #require(await reader.menus()).map(\.rectangle.width) == [150])
  }

  @Test("T06 A question before a group's leader has all of its program wait, and no other")
  func waiting() async throws {
    let desktop = try PrivateDesktop()
    let reader = try DisplayWindows(display: desktop.environment["DISPLAY"])
    let (asking, other) = (
      try desktop.start(["/usr/bin/python3", "-u", "-c", Self.asking, "leader"]),
      try desktop.start(["/usr/bin/python3", "-u", "-c", Self.asking, ""])
    )
    for program in [asking, other] { #expect(try program.line() == "shown") }
    let windows = try #require(await reader.windows())
    let blocked = windows.filter(\.isBlocked)
    #expect(blocked.map(\.title) == ["Main"])
    #expect(blocked.map(\.processID) == [asking.id])
  }

  @Test(
    "T14 A window is seen as far as no other lies over it, and looks the same until it is drawn anew"
  )
  func picture() async throws {
    let desktop = try PrivateDesktop()
    let reader = try DisplayWindows(display: desktop.environment["DISPLAY"])
    let program = try desktop.start(["/usr/bin/python3", "-u", "-c", Self.pictured])
    func next() async throws -> WindowPicture? {
      #expect(try program.line() == "painted")
      let windows = try #require(await reader.windows())
      return await reader.picture(of: try #require(windows.first { $0.title == "Seen" }).id)
    }
    let first = try #require(try await next())
    program.signal(SIGUSR1)
    let same = try #require(try await next())
    #expect(same.isSame(as: first))
    program.signal(SIGUSR1)
    let black = try #require(try await next())
    #expect(!black.isSame(as: first))
    program.signal(SIGUSR1)
    #expect(try await next() == nil)
    #expect(await reader.picture(of: WindowID(1, on: "")) == nil)
  }

  /// A window that is drawn anew at each signal: as before, in black, and below another one.
  private static let pictured = """
    import gi, signal
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    window = Gtk.Window(title="Seen")
    window.set_default_size(200, 100)
    area = Gtk.DrawingArea()
    window.add(area)
    shades = [1, 1, 0]
    def draw(area, context):
        shade = shades[0]
        context.set_source_rgb(shade, shade, shade)
        context.paint()
        GLib.idle_add(painted, priority=GLib.PRIORITY_LOW)
    def painted():
        Gdk.flush()
        print("painted")
    def again():
        shades.pop(0)
        if shades:
            area.queue_draw()
        else:
            cover = Gtk.Window(type=Gtk.WindowType.POPUP)
            cover.set_size_request(20, 20)
            cover.show_all()
            painted()
        return True
    area.connect("draw", draw)
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, again)
    window.show_all()
    Gtk.main()
    """

  /// A window, and a modal one that belongs to a window that is never shown, or to none.
  private static let asking = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    Gtk.Window(title="Main").show()
    leader = Gtk.Window()
    leader.realize()
    question = Gtk.Window(title="Question", modal=True)
    question.realize()
    if sys.argv[1]:
        question.get_window().set_transient_for(leader.get_window())
    question.show()
    Gdk.flush()
    print("shown")
    Gtk.main()
    """

  /// A window with a popup that belongs to it, and with one that does not; both of no kind.
  private static let undeclared = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    window = Gtk.Window(title="Menus")
    window.show_all()
    for width, owner in (150, window), (80, None):
        popup = Gtk.Window(type=Gtk.WindowType.POPUP)
        popup.set_size_request(width, 100)
        popup.realize()
        Gdk.property_delete(popup.get_window(), Gdk.Atom.intern("_NET_WM_WINDOW_TYPE", False))
        if owner:
            popup.get_window().set_transient_for(owner.get_window())
        popup.show_all()
    Gdk.flush()
    print("open")
    Gtk.main()
    """

  /// A window with a menu that a signal closes, and with a tool tip, which is shown like one.
  private static let menu = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    window = Gtk.Window(title="Menus")
    window.show_all()
    tip = Gtk.Window(type=Gtk.WindowType.POPUP, type_hint=Gdk.WindowTypeHint.TOOLTIP)
    tip.add(Gtk.Label(label="Tip"))
    tip.show_all()
    menu = Gtk.Menu()
    menu.append(Gtk.MenuItem(label="Copy here"))
    menu.show_all()
    menu.connect("map-event", lambda *_: print("open"))
    def close():
        menu.popdown()
        Gdk.flush()
        print("closed")
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, 10, close)
    begun = []
    def begin(*_):
        # The window's event may come after it was found mapped: the menu opens once.
        if not begun:
            begun.append(True)
            menu.popup_at_widget(window, Gdk.Gravity.CENTER, Gdk.Gravity.CENTER, None)
        return False
    window.connect("map-event", begin)
    if window.get_mapped():
        GLib.idle_add(begin)
    Gtk.main()
    """

  @Test(
    "Title, class, process and place of each are told, the one in use first",
    .timeLimit(.minutes(5)))
  func facts() async throws {
    let desktop = try PrivateDesktop()
    let manager = try desktop.start(["/usr/bin/openbox"])
    let first = try ToolkitTarget(.gtk3, title: "One", on: desktop)
    let second = try ToolkitTarget(.qt5, title: "Two\u{1B}[31m", on: desktop)
    let third = try ToolkitTarget(.gtk4, title: "Three", on: desktop)
    let reader = try DisplayWindows(display: desktop.environment["DISPLAY"])
    var found: [WindowFacts] = []
    // The manager takes its time with the last one.
    for _ in 0..<2_000 where found.count < 3 || !found[0].isActive {
      found = try #require(await reader.windows())
    }
    #expect(Set(found.map(\.processID)) == Set([first, second, third].map(\.process.id)))
    #expect(found.contains { $0.title == "Two\u{FFFD}[31m" })
    #expect(found.map(\.isActive) == [true, false, false])
    #expect(
      found.allSatisfy { $0.isMapped && $0.rectangle.width >= 300 && !$0.className.isEmpty },
      "\(found)")
    let other = try #require(found.last)
    let command = "xdotool windowactivate --sync \(other.id.rawValue) && echo done"
    // A program that has just started may still ask for the keyboard after this.
    while await reader.windows()?.first?.id != other.id {
      let tool = try desktop.start(["/bin/sh", "-c", command])
      #expect(try tool.line() == "done")
    }
    _ = manager
  }

  @Test(
    "It is told whenever a window is opened or closed, and whenever another has the keyboard",
    .timeLimit(.minutes(5)))
  func changes() async throws {
    let desktop = try PrivateDesktop()
    let manager = try desktop.start(["/usr/bin/openbox"])
    let first = try ToolkitTarget(.gtk3, title: "One", on: desktop)
    let reader = try DisplayWindows(display: desktop.environment["DISPLAY"])
    let (told, teller) = AsyncStream.makeStream(of: Void.self)
    reader.onChange { teller.yield() }
    var changes = told.makeAsyncIterator()
    let second = try ToolkitTarget(.gtk3, title: "Two", on: desktop)
    while await reader.windows()?.contains(where: { $0.title == "Two" }) != true {
      _ = await changes.next()
    }
    for title in ["One", "Two", "One"] {
      let tool = try desktop.start([
        "/usr/bin/xdotool", "search", "--name", "^\(title)$", "windowactivate",
      ])
      while await reader.windows()?.first(where: \.isActive)?.title != title {
        _ = await changes.next()
      }
      _ = tool
    }
    second.process.signal(SIGKILL)
    while await reader.windows()?.contains(where: { $0.title == "Two" }) == true {
      _ = await changes.next()
    }
    _ = (manager, first)
  }

  @Test("Without a window manager they are found too, from the top of the stack down")
  func noManager() async throws {
    let desktop = try PrivateDesktop()
    let below = try ToolkitTarget(.gtk3, title: "Below", on: desktop)
    let above = try ToolkitTarget(.gtk3, title: "Above", on: desktop)
    let reader = try DisplayWindows(display: desktop.environment["DISPLAY"])
    #expect(await reader.windows()?.map(\.title) == ["Above", "Below"])
    _ = (below, above)
  }

  @Test("A display that is gone has no windows, and says so as often as it is asked")
  func gone() async throws {
    var desktop: PrivateDesktop? = try PrivateDesktop()
    let reader = try DisplayWindows(display: desktop?.environment["DISPLAY"])
    #expect(await reader.windows() == [])
    desktop = nil
    #expect(await reader.windows() == nil)
    #expect(await reader.windows() == nil)
  }
}
