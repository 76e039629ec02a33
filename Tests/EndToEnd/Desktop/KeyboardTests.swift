import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// The keyboard, by the display, by where keys go, and by what is on the disk after them.
@Suite(
  "The keyboard while something is carried, and after it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct KeyboardTests: AgentSteps {
  @Test("K14, K15, K22 After Alt+Tab, Escape gives the keyboard back, and Delete is the source's")
  func cancelled() throws {
    let (thunar, desktop, agent) = try begin()
    try pickUp("b.txt", in: "Src", desktop, agent)
    try desktop.press("alt+Tab")
    let told = try agent.wait(for: "keyboard", "name", "Dst")
    #expect(told.text.hasPrefix("The keyboard is in Dst, Thunar. Holding b.txt."), "\(told)")
    try desktop.press("Escape")
    try expectCancelled(agent)
    try expectFront("Src", desktop)
    try desktop.wait(for: "b.txt", in: "Src", isSelected: true)
    try desktop.press("Delete")
    #expect(try removed(desktop) == "Src")
    #expect(desktop.stage.read("Src/b.txt") == nil)
    #expect(desktop.stage.read("Dst/x.txt") == "Dst/x.txt")
    _ = thunar
  }

  @Test(
    "K14, K15, K22 Each way to give up, with each window in front, ends at what was carried",
    arguments: Thorough.cases(
      ordinarily: 2, of: ["Dst", "closed", "Src", "Notes", "iconified", "elsewhere"]))
  func givenUp(front: String) throws {
    let (thunar, desktop, agent) = try begin()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Src")
    for keys in [["Escape"], ["shift+Tab", "Return"], ["Delete"]] {
      try pickUp("b.txt", in: "Src", desktop, agent)
      try go(to: front, desktop, agent)
      for key in keys {
        try desktop.press(key)
        if key != keys.last { try agent.wait(for: "back-at-source") }
      }
      try expectCancelled(agent, "\(front) \(keys)")
      try expectFront("Src", desktop)
    }
    try desktop.press("Delete")
    #expect(try removed(desktop) == "Src")
    _ = (thunar, notes)
  }

  @Test("K22 A drop into the window that has the keyboard gives it back to the source, and says so")
  func dropped() throws {
    let (thunar, desktop, agent) = try begin()
    try pickUp("b.txt", in: "Src", desktop, agent)
    try desktop.press("alt+Tab")
    try agent.wait(for: "keyboard", "name", "Dst")
    try step("Next", to: "Dst folder view", desktop, agent)
    try drop(at: "Dst", desktop, agent)
    let told = try agent.wait(for: "keyboard")
    try expectFront("Src", desktop)
    #expect(told.text == "The keyboard is in Src, Thunar.")
    #expect(desktop.stage.read("Dst/b.txt") == "Src/b.txt")
    _ = thunar
  }

  @Test("K15, K22 Several windows are gone through, and each that gets the keyboard is told")
  func several() throws {
    let (thunar, desktop, agent) = try begin()
    let notes = try desktop.window(.gtk3, "Notes")
    try desktop.activate("Src")
    try pickUp("b.txt", in: "Src", desktop, agent)
    for title in ["Notes", "Dst", "Src", "Notes"] {
      // As by a click, or by a program itself.
      try desktop.activate(title)
      try agent.wait(for: "keyboard", "name", .text(title))
    }
    // Over the list of what runs, too.
    try openList(desktop, agent)
    try desktop.press("Escape")
    try cancel("b.txt", desktop, agent)
    try expectFront("Src", desktop)
    agent.signal(SIGTERM)
    _ = (thunar, notes, try agent.ended())
  }

  @Test("K06, K14 The window of what is carried is closed: Escape says which one has the keyboard")
  func closed() throws {
    let (thunar, desktop, agent) = try begin()
    try pickUp("b.txt", in: "Src", desktop, agent)
    try desktop.press("alt+Tab")
    try agent.wait(for: "keyboard", "name", "Dst")
    // Not destroyed from outside, which its program may not survive.
    let window = try #require(try desktop.hand("search", "--onlyvisible", "--name", "^Src").first)
    let closing = try desktop.desktop.start(["/usr/bin/python3", "-c", Self.close, window])
    try agent.wait(for: "vanished")
    try desktop.press("Escape")
    let end = try agent.wait(for: "cancelled")
    let told = try agent.wait(for: "keyboard")
    #expect(end.text == "Cancelled." && told.text == "The keyboard is in Dst, Thunar.")
    try expectFront("Dst", desktop)
    _ = (thunar, closing)
  }

  @Test("K06 A source that hangs holds up no end, and is not said to be gone back to")
  func hung() throws {
    let desktop = try DesktopStage()
    let other = try desktop.window(.gtk3, "Other")
    let (notes, agent) = try begin(desktop, withWordsIn: "Notes")
    try pickUpWords(desktop, agent)
    try desktop.activate("Other")
    try agent.wait(for: "keyboard", "name", "Other")
    notes.process.signal(SIGSTOP)
    defer { notes.process.signal(SIGCONT) }
    try desktop.press("Escape")
    let end = try agent.wait(for: "cancelled")
    #expect(end.text == "Cancelled.")
    let told = try agent.wait(for: "keyboard")
    let front = try desktop.activeWindow()
    #expect(told.argument("name") == .text(front.first ?? ""), "\(told)")
    _ = other
  }

  /// Two windows of the file manager: x.txt is chosen in Dst, and b.txt in Src, which is in front.
  private func begin() throws -> (KeptProcess, DesktopStage, LiveRun) {
    let desktop = try DesktopStage("Dst/w.txt", "Dst/x.txt", "Src/a.txt", "Src/b.txt")
    let thunar = try desktop.thunar(("Dst", "x.txt"), ("Src", "b.txt"))
    try desktop.activate("Dst")
    try choose("x.txt", in: "Dst", desktop)
    return (thunar, desktop, try begin(desktop, at: "b.txt", in: "Src"))
  }

  /// Leaves the source for a window.
  private func go(to front: String, _ desktop: DesktopStage, _ agent: LiveRun) throws {
    switch front {
    case "Src": return
    case "closed":
      let other = try desktop.window(.gtk3, "Closed")
      try desktop.activate("Closed")
      try agent.wait(for: "keyboard", "name", "Closed")
      other.process.signal(SIGKILL)
      // Another one has the keyboard after it.
      while try desktop.activeWindow().first == "Closed" {}
    case "iconified":
      try desktop.hand("search", "--onlyvisible", "--name", "^Src", "windowminimize", "--sync")
      while try desktop.activeWindow().first?.hasPrefix("Src") == true {}
    case "elsewhere":
      try desktop.hand("search", "--name", "^Notes", "set_desktop_for_window", "1")
      try desktop.hand("set_desktop", "1")
      try desktop.activate("Notes")
      try agent.wait(for: "keyboard", "name", "Notes")
    default:
      try desktop.activate(front)
      try agent.wait(for: "keyboard", "name", .text(front))
    }
  }

  /// A cancel, said to be back at what was carried; a busy machine takes longer than the word waits for,
  /// and is told of by a word of its own.
  private func expectCancelled(_ agent: LiveRun, _ comment: Comment? = nil) throws {
    let end = try agent.wait(for: "cancelled")
    if end.text == "Cancelled." {
      try agent.wait(for: "keyboard", "name", "Src")
    } else {
      #expect(end.text == "Cancelled. Back at b.txt.", comment)
    }
  }

  private func expectFront(_ title: String, _ desktop: DesktopStage) throws {
    let front = try desktop.activeWindow()
    #expect(front.first?.hasPrefix(title) == true, "\(front)")
  }

  /// The first window from whose list the chosen row goes.
  private func removed(_ desktop: DesktopStage) throws -> String {
    try desktop.desktop.eyes(Self.lacking, ["Dst", "x.txt", "Src", "b.txt"]).line()
  }

  /// Asks a window to close, as a window manager does.
  private static let close = """
    import ctypes, sys
    class Message(ctypes.Structure):
        _fields_ = [
            ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
            ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong),
            ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24)]
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    window = ctypes.c_ulong(int(sys.argv[1]))
    kinds = [x.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")]
    message = Message(type=33, window=window, kind=kinds[0], format=32)
    message.data[0] = kinds[1]
    x.XSendEvent(display, window, 0, 0, ctypes.byref(message))
    x.XSync(display, 0)
    """

  private static let lacking = """
    def seen(frame):
        for title, row in zip(words[0::2], words[1::2]):
            if frame.name.startswith(title) and not find(frame, lambda node: node.name == row):
                return title
    """
}
