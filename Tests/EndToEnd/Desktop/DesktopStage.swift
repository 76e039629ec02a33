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

  /// - Parameters:
  ///   - paths: files, or folders with a slash at the end.
  ///   - pace: how long a screen reader takes to say a character, in milliseconds.
  ///   - startsAccessibility: whether the accessibility bus is there before anybody asks for it.
  init(_ paths: String..., pace: Int = 0, startsAccessibility: Bool = true) throws {
    desktop = try PrivateDesktop(pace: pace)
    stage = try Stage()
    for path in paths { try stage.make(path) }
    for name in ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY"] {
      stage.variables[name] = desktop.environment[name]
    }
    try desktop.chooseThunarView()
    // It runs what it is told to once it manages windows. One that was there before it is not given
    // the keyboard.
    let startup = "/bin/sh -c '/usr/bin/xdotool set_desktop 0; echo ready'"
    manager = try desktop.start(["/usr/bin/openbox", "--startup", startup])
    if startsAccessibility { try desktop.startAccessibility() }
    // It may have something to say of its menus before.
    while try manager.line() != "ready" {}
  }

  /// Has KeyDrag find the home folder, the trash and the bookmarks of the programs that are started.
  func shareHome(bookmarking folders: String..., as name: String) throws {
    for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
      stage.variables[variable] = desktop.environment[variable]
    }
    let configuration = try #require(desktop.environment["XDG_CONFIG_HOME"])
    let bookmarks = URL(fileURLWithPath: configuration + "/gtk-3.0/bookmarks")
    try FileManager.default.createDirectory(
      at: bookmarks.deletingLastPathComponent(), withIntermediateDirectories: true)
    let lines = folders.map { "file://\(stage.path($0)) \(name)\n" }.joined()
    try Data(lines.utf8).write(to: bookmarks)
  }

  // MARK: Programs

  /// Opens folders in windows of the file manager, one after the other; returns the program when each
  /// shows this row, or has it out of sight where that will do.
  func thunar(
    _ folders: (path: String, row: String)..., isShown: Bool = true, among most: Int = 100
  ) throws -> KeptProcess {
    var programs: [KeptProcess] = []
    for folder in folders {
      // All but the first hand the folder over to it and end.
      programs.append(try desktop.start(["/usr/bin/thunar", stage.path(folder.path)]))
      try wait(for: folder.row, in: folder.path, isShown: isShown, among: most)
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
  /// - Parameters:
  ///   - isShown: whether it must be where it can be seen.
  ///   - most: how many children of an element are looked at.
  func wait(
    for name: String, in window: String, isSelected: Bool = false, isFramed: Bool = false,
    isShown: Bool = true, among most: Int = 100, within seconds: Int32 = 60
  ) throws {
    let eyes = try desktop.eyes(
      Self.named,
      [
        name, String(window.split(separator: "/").last ?? ""),
        isSelected ? "selected" : isFramed ? "focused" : "", String(most),
        isShown ? "shown" : "",
      ])
    #expect(try eyes.line(within: seconds) == "there")
  }

  private static let named = """
    def seen(frame):
        name, title, state, most, shown = words
        wanted = {"selected": pyatspi.STATE_SELECTED, "focused": pyatspi.STATE_FOCUSED}
        def fits(node):
            return (node.name == name
                    and (not shown or node.queryComponent().getExtents(0).y >= 0)
                    and (not state or node.getState().contains(wanted[state])))
        if frame.name.startswith(title) and find(frame, fits, int(most)):
            return "there"
    """

  /// Runs commands beside each other, each of which has to say that a display does not answer.
  ///
  /// - Parameter bound: for all of them together.
  func expectSilence(
    of display: String, in commands: [[String]], within bound: Duration
  ) throws {
    let start = ContinuousClock.now
    let runs = try stage.run(atOnce: commands)
    #expect(ContinuousClock.now - start < bound)
    for (command, run) in zip(commands, runs) {
      #expect(run.status == 69, "\(command) \(run)")
      #expect(run.errors.contains("No answer from \(display)."), "\(command) \(run)")
      #expect(run.errors.contains("There is no desktop that can be reached."), "\(command) \(run)")
    }
  }

  // MARK: Hands

  /// Has xdotool work the keys and windows, and returns what it wrote when it has.
  @discardableResult
  func hand(_ arguments: String...) throws -> [String] { try hand(arguments) }

  @discardableResult
  func hand(_ arguments: [String]) throws -> [String] {
    // It ends when one of the windows that it looks through goes in that moment, such as one of those
    // that stand over the others, and has done nothing then.
    let command = #"for try in 1 2 3 4 5; do "$@" && break; done; echo done"#
    let run = try desktop.start(["/bin/sh", "-c", command, "sh", "/usr/bin/xdotool"] + arguments)
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

  /// Waits until something stands over all windows that is higher than `least`, or until nothing is;
  /// returns where it is.
  @discardableResult
  func waitForOverlay(higherThan least: Int, isThere: Bool = true) throws -> [Int] {
    let eyes = try desktop.start([
      "/usr/bin/python3", "-u", "-c", Self.overseer, String(least), isThere ? "there" : "gone",
    ])
    return try eyes.line().split(separator: " ").compactMap { Int($0) }
  }

  /// Waits until so many windows, beside the dots of window managers, stand over all others, the undermost four of them, which are the
  /// frame, at or right of an edge; returns where the undermost is.
  @discardableResult
  func waitForOverlay(of count: Int, from left: Int = 0) throws -> [Int] {
    let eyes = try desktop.start([
      "/usr/bin/python3", "-u", "-c", Self.overseer, "3", "count", String(count), String(left),
    ])
    return try eyes.line().split(separator: " ").compactMap { Int($0) }
  }

  /// Looks again whenever a window comes or goes.
  private static let overseer = """
    import ctypes, sys
    x = ctypes.CDLL("libX11.so.6")
    P, L, I = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int
    class Attributes(ctypes.Structure):
        _fields_ = [("x", I), ("y", I), ("width", I), ("height", I), ("border", I), ("depth", I),
                    ("visual", P), ("root", L), ("kind", I), ("bits", I), ("gravity", I),
                    ("backing", I), ("planes", L), ("pixel", L), ("under", I), ("map", L),
                    ("installed", I), ("state", I), ("all", ctypes.c_long), ("own", ctypes.c_long),
                    ("stopped", ctypes.c_long), ("redirected", I), ("screen", P)]
    x.XOpenDisplay.restype = P
    x.XDefaultRootWindow.restype = L
    # A window may be gone by the time it is asked about.
    handler = ctypes.CFUNCTYPE(I, P, P)(lambda display, error: 0)
    x.XSetErrorHandler(handler)
    display = P(x.XOpenDisplay(None))
    root = L(x.XDefaultRootWindow(display))
    x.XSelectInput(display, root, ctypes.c_long(1 << 19))
    event = ctypes.create_string_buffer(192)
    least, wanted = int(sys.argv[1]), sys.argv[2] == "there"
    def all():
        children, count, other = ctypes.POINTER(L)(), ctypes.c_uint(), L()
        x.XQueryTree(display, root, ctypes.byref(other), ctypes.byref(other),
                     ctypes.byref(children), ctypes.byref(count))
        for index in range(count.value):
            look = Attributes()
            if x.XGetWindowAttributes(display, L(children[index]), ctypes.byref(look)) == 0:
                continue
            if look.redirected and look.state == 2 and look.height > least:
                yield look
    def text(look):
        return "%d %d %d %d" % (look.x, look.y, look.width, look.height)
    def tall():
        seen = list(map(text, all()))
        # For what a test says that gave up.
        print("waiting for", sys.argv[1:], "with", seen, file=sys.stderr)
        return seen[0] if seen else None
    if sys.argv[2] == "count":
        count, left = map(int, sys.argv[3:])
        seen = list(all())
        while len(seen) != count or min(look.x for look in seen[:4]) < left:
            print("waiting for", sys.argv[1:], "with", list(map(text, seen)), file=sys.stderr)
            x.XNextEvent(display, event)
            seen = list(all())
        print(text(seen[0]))
        sys.exit()
    # Of one look: a moment later it may be gone again.
    seen = tall()
    while bool(seen) != wanted:
        x.XNextEvent(display, event)
        seen = tall()
    print(seen or "gone")
    """

  /// Presses a button in a window that a program has opened.
  func answer(_ button: String) throws {
    let hand = try desktop.eyes(Self.presser, [button], renewal: 1)
    #expect(try hand.line() == "pressed")
  }

  private static let presser = """
    def seen(frame):
        def fits(node):
            return node.getRoleName() == "push button" and node.name == words[0]
        button = find(frame, fits) if frame.getRoleName() in ("dialog", "alert") else None
        if button and button.queryAction().doAction(0):
            return "pressed"
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
