import FoundationEssentials
import Glibc
import PrivateDesktop
import Testing

/// A desktop with real programs, and real folders beside it that they show.
final class DesktopStage {
  static var obstacle: String? {
    let tools = ["openbox", "xdotool", "thunar"].filter { access("/usr/bin/" + $0, X_OK) != 0 }
    return PrivateDesktop.obstacle
      ?? (tools.isEmpty ? nil : "needs them: apt-get install \(tools.joined(separator: " "))")
  }

  let desktop: PrivateDesktop
  let stage: Stage
  private let manager: KeptProcess

  /// - Parameter paths: files, or folders with a slash at the end.
  init(_ paths: String...) throws {
    desktop = try PrivateDesktop()
    stage = try Stage()
    for path in paths { try stage.make(path) }
    for name in ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY"] {
      stage.variables[name] = desktop.environment[name]
    }
    try desktop.chooseThunarView()
    // It runs what it is told to once it manages windows.
    manager = try desktop.start(
      ["/usr/bin/openbox", "--startup", "/usr/bin/xdotool set_desktop 0"])
  }

  /// Has KeyDrag find the home folder, the trash and the bookmarks of the programs that are started.
  func shareHome(bookmarking folder: String, as name: String) throws {
    for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
      stage.variables[variable] = desktop.environment[variable]
    }
    let configuration = try #require(desktop.environment["XDG_CONFIG_HOME"])
    let bookmarks = URL(fileURLWithPath: configuration + "/gtk-3.0/bookmarks")
    try FileManager.default.createDirectory(
      at: bookmarks.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("file://\(stage.path(folder)) \(name)\n".utf8).write(to: bookmarks)
  }

  // MARK: Programs

  /// Opens folders in windows of the file manager, one after the other; returns the program when each
  /// shows this row.
  func thunar(_ folders: (path: String, row: String)...) throws -> KeptProcess {
    var programs: [KeptProcess] = []
    for folder in folders {
      // All but the first hand the folder over to it and end.
      programs.append(try desktop.start(["/usr/bin/thunar", stage.path(folder.path)]))
      try wait(for: folder.row, in: folder.path)
    }
    return programs[0]
  }

  /// Starts a window that takes text and says what it gets.
  func window(
    _ kind: TextWindow.Kind, _ title: String, atDrop fate: TextWindow.Fate = .takesIt
  ) throws -> TextWindow {
    let window = try TextWindow(kind, title, atDrop: fate, on: desktop)
    try wait(for: "Body", in: title)
    return window
  }

  /// Starts a window that takes one content type anywhere.
  func window(taking type: String, _ title: String, stops: Bool = false) throws -> DropWindow {
    let window = try DropWindow(title, taking: type, stops: stops, on: desktop)
    try wait(for: "Area", in: title)
    return window
  }

  /// Waits until something of this name is shown in a window, and is selected, or has the frame that
  /// keys move, where that is asked.
  ///
  /// - Parameter most: how many children of an element are looked at.
  func wait(
    for name: String, in window: String, isSelected: Bool = false, isFramed: Bool = false,
    among most: Int = 100, within seconds: Int32 = 60
  ) throws {
    let eyes = try desktop.start([
      "/usr/bin/python3", "-u", "-c", Self.eyes, name,
      String(window.split(separator: "/").last ?? ""),
      isSelected ? "selected" : isFramed ? "focused" : "", String(most),
    ])
    #expect(try eyes.line(within: seconds) == "there")
  }

  private static let eyes = """
    import sys, pyatspi
    from gi.repository import GLib
    name, title, state, most = sys.argv[1:]
    def find(node, depth=0):
        if node.name == name and node.queryComponent().getExtents(0).y >= 0:
            wanted = {"selected": pyatspi.STATE_SELECTED, "focused": pyatspi.STATE_FOCUSED}
            if not state or node.getState().contains(wanted[state]):
                return True
        count = min(node.childCount, int(most)) if depth < 20 else 0
        return any(find(node.getChildAtIndex(index), depth + 1) for index in range(count))
    looks = 0
    def look():
        global looks
        looks += 1
        try:
            for program in pyatspi.Registry.getDesktop(0):
                # What was read of a program that had only begun is kept, and not always renewed.
                if program and looks % 20 == 0:
                    program.clear_cache()
                for frame in program or []:
                    if frame.name.startswith(title) and find(frame):
                        print("there")
                        return False
        except Exception as trouble:
            print(trouble, file=sys.stderr)
        return True
    GLib.timeout_add(50, look)
    GLib.MainLoop().run()
    """

  // MARK: Hands

  /// Has xdotool work the keys and windows, and returns what it wrote when it has.
  @discardableResult
  func hand(_ arguments: String...) throws -> [String] { try hand(arguments) }

  @discardableResult
  func hand(_ arguments: [String]) throws -> [String] {
    let run = try desktop.start(
      ["/bin/sh", "-c", #""$@"; echo done"#, "sh", "/usr/bin/xdotool"] + arguments)
    var lines: [String] = []
    while lines.last != "done" { lines.append(try run.line()) }
    return lines.dropLast()
  }

  func press(_ keys: String...) throws {
    for key in keys { try hand("key", "--clearmodifiers", key) }
  }

  /// Makes the window of this title the active one.
  func activate(_ title: String) throws {
    try hand("search", "--sync", "--onlyvisible", "--name", "^" + title, "windowactivate", "--sync")
  }

  /// Waits until a window is called this, which is part of its title.
  func waitForTitle(_ title: String) throws {
    try hand("search", "--sync", "--name", title)
  }

  func activeWindow() throws -> [String] { try hand("getactivewindow", "getwindowname") }

  /// Gives the screen another size, such as "800x600"; returns when it has it.
  func resize(_ size: String) throws {
    let hand = try desktop.start(["/usr/bin/python3", "-u", "-c", Self.resizer, size])
    #expect(try hand.line() == size)
  }

  /// By the library that every toolkit brings along.
  private static let resizer = """
    import ctypes, sys
    x, r = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXrandr.so.2")
    P, L = ctypes.c_void_p, ctypes.c_ulong
    x.XOpenDisplay.restype = P
    x.XDefaultRootWindow.restype = L
    class Resources(ctypes.Structure):
        _fields_ = [("time", L), ("configured", L), ("count", ctypes.c_int), ("crtcs", ctypes.POINTER(L))]
    r.XRRGetScreenResources.restype = ctypes.POINTER(Resources)
    display = P(x.XOpenDisplay(None))
    root = L(x.XDefaultRootWindow(display))
    resources = r.XRRGetScreenResources(display, root)
    for index in range(resources.contents.count):
        r.XRRSetCrtcConfig(display, resources, L(resources.contents.crtcs[index]), L(0), 0, 0, L(0), 1, None, 0)
    width, height = map(int, sys.argv[1].split("x"))
    r.XRRSetScreenSize(display, root, width, height, width // 4, height // 4)
    x.XSync(display, 0)
    print(sys.argv[1])
    """

  /// Presses a button in a window that a program has opened.
  func answer(_ button: String) throws {
    let hand = try desktop.start(["/usr/bin/python3", "-u", "-c", Self.presser, button])
    #expect(try hand.line() == "pressed")
  }

  private static let presser = """
    import sys, pyatspi
    from gi.repository import GLib
    def find(node, depth=0):
        if node.getRoleName() == "push button" and node.name == sys.argv[1]:
            return node
        count = min(node.childCount, 100) if depth < 20 else 0
        return next(filter(None, (find(node.getChildAtIndex(i), depth + 1)
                                  for i in range(count))), None)
    def look():
        try:
            for program in pyatspi.Registry.getDesktop(0):
                program.clear_cache()
                for frame in program:
                    button = frame.getRoleName() in ("dialog", "alert") and find(frame)
                    if button and button.queryAction().doAction(0):
                        print("pressed")
                        return False
        except Exception as trouble:
            print(trouble, file=sys.stderr)
        return True
    GLib.timeout_add(50, look)
    GLib.MainLoop().run()
    """

  // MARK: The program

  /// Runs a command to its end.
  func run(_ arguments: String..., transcript: Bool = true) throws -> KeydragRun {
    try stage.run(arguments + (transcript ? ["--speech", "off"] : []), transcript: transcript)
  }

  /// The lines of `keydrag points --json`.
  func points(_ arguments: String...) throws -> [Record] {
    let run = try stage.run(["points", "--json"] + arguments, transcript: false)
    #expect(run.status == 0, "\(run)")
    return try run.output.split(separator: "\n").map { try Record(line: String($0)) }
  }

  /// Starts the agent; returns when it is ready.
  func agent() throws -> LiveRun {
    let run = LiveRun(
      try stage.start(["desktop", "--transcript", "-", "--speech", "off"]))
    try run.wait(for: "agent-ready")
    return run
  }
}

extension LiveRun {
  /// Waits for an announcement with this argument.
  @discardableResult
  func wait(for id: String, _ name: String, _ value: Value) throws -> Record {
    try wait("\(id) with \(name) \(value)") {
      $0.kind == "announcement" && $0.id == id && $0.argument(name) == value
    }
  }

  /// Waits for the answer of a place.
  @discardableResult
  func wait(at place: String, _ verdict: Value = "accept") throws -> Record {
    try wait("\(verdict) at \(place)") {
      $0.id == "drop-point" && $0.argument("name") == .text(place)
        && $0.argument("verdict") == verdict
    }
  }
}
