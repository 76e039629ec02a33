import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Programs that tell what is in their windows only where somebody has asked for it.
@Suite(
  "Programs on a desktop without a screen reader", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct TreelessTests {
  enum Kind: String, CaseIterable, Sendable {
    case qt5, qt6, pcmanfmQt, dolphin

    /// What is on the disk where it is installed.
    private var file: String {
      switch self {
      case .qt5: "/usr/lib/python3/dist-packages/PyQt5/QtWidgets.abi3.so"
      case .qt6: "/usr/lib/python3/dist-packages/PyQt6/QtWidgets.abi3.so"
      case .pcmanfmQt: "/usr/bin/pcmanfm-qt"
      case .dolphin: "/usr/bin/dolphin"
      }
    }

    static var installed: [Kind] { allCases.filter { access($0.file, F_OK) == 0 } }
  }

  private static let window = """
    import importlib, sys
    widgets = importlib.import_module(sys.argv[1] + ".QtWidgets")
    program = widgets.QApplication(sys.argv)
    window = widgets.QWidget()
    window.setWindowTitle("Docs")
    layout = widgets.QVBoxLayout(window)
    for name in ("Body", "Inner"):
        line = widgets.QLineEdit()
        line.setAccessibleName(name)
        layout.addWidget(line)
    window.show()
    getattr(program, "exec", getattr(program, "exec_", None))()
    """

  /// Opens a window called Docs with something in it that is called Inner.
  private func open(_ kind: Kind, _ desktop: DesktopStage) throws -> KeptProcess {
    let python = ["/usr/bin/python3", "-u", "-c", Self.window]
    let folder = desktop.stage.path("Docs")
    let command =
      switch kind {
      case .qt5: python + ["PyQt5"]
      case .qt6: python + ["PyQt6"]
      case .pcmanfmQt: ["/usr/bin/pcmanfm-qt", folder]
      case .dolphin: ["/usr/bin/dolphin", folder]
      }
    let program = try desktop.desktop.start(command, adding: ["QT_QPA_PLATFORM": "xcb"])
    try desktop.hand("search", "--sync", "--onlyvisible", "--name", "^Docs")
    return program
  }

  private func names(_ desktop: DesktopStage) throws -> [String] {
    try desktop.points().compactMap { $0["name"]?.description }
  }

  /// Whether somebody has switched it on for the session.
  private func isOn(_ desktop: DesktopStage) throws -> Bool {
    let look = """
      from gi.repository import Gio, GLib
      print(Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
          "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Get",
          GLib.Variant("(ss)", ("org.a11y.Status", "IsEnabled")), None, 0, -1, None).unpack()[0])
      """
    return try desktop.desktop.start(["/usr/bin/python3", "-c", look]).line() == "True"
  }

  @Test(
    "T12 A program that runs already tells its places at the first command that asks",
    arguments: Thorough.cases(ordinarily: 1, of: Kind.installed))
  func running(kind: Kind) throws {
    let desktop = try DesktopStage("Docs/Inner/", "new.txt", startsAccessibility: false)
    let program = try open(kind, desktop)
    let found = try names(desktop)
    #expect(found.contains { $0.hasPrefix("Inner") }, "\(found)")
    #expect(try !isOn(desktop))
    _ = program
  }

  @Test(
    "T12 A program that is started while the agent runs tells its places, to commands too",
    arguments: Thorough.cases(ordinarily: 1, of: Kind.installed))
  func withAgent(kind: Kind) throws {
    let desktop = try DesktopStage("Docs/Inner/", "new.txt")
    #expect(try !isOn(desktop))
    let agent = try desktop.agent()
    #expect(try isOn(desktop))
    let program = try open(kind, desktop)
    try desktop.wait(for: kind == .qt5 || kind == .qt6 ? "Body" : "Inner", in: "Docs")
    let found = try names(desktop)
    #expect(found.contains { $0.hasPrefix("Inner") }, "\(found)")
    // The command has not taken it away from the agent.
    #expect(try isOn(desktop))
    agent.signal(SIGTERM)
    _ = try agent.ended()
    #expect(try !isOn(desktop))
    _ = program
  }

  @Test(
    "T12 The doctor names the program that tells nothing, and how to start it; it changes nothing")
  func doctor() throws {
    let desktop = try DesktopStage("Docs/")
    let silent = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.plain], adding: ["NO_AT_BRIDGE": "1"])
    try desktop.hand("search", "--sync", "--onlyvisible", "--name", "^Mute")
    let run = try desktop.run("doctor", transcript: false)
    let words =
      "Nothing is told of what is in windows of Mute. "
      + "Start Mute again while keydrag desktop runs."
    #expect(run.output.contains(words), "\(run)")
    #expect(try !isOn(desktop))
    _ = silent
  }

  /// A window of a program that is in no accessible tree.
  private static let plain = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk
    GLib.set_prgname("mute")
    window = Gtk.Window(title="Mute")
    window.set_wmclass("mute", "Mute")
    window.show()
    Gtk.main()
    """

  @Test(
    "T02 A window that tells nothing but a path is looked for there, and not believed to be there",
    arguments: [("files", "Copied a.txt to Docs"), ("shell", "took a.txt. ")])
  func titledByPath(program: String, told: String) throws {
    let desktop = try DesktopStage("Docs/", "a.txt")
    let silent = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.titled, program, desktop.stage.path("Docs")],
      adding: ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"])
    try desktop.hand("search", "--sync", "--onlyvisible", "--name", "^\(program)")
    let run = try desktop.run("drop", "a.txt", "--onto", "Docs", "--app", program)
    #expect(run.said.last?.contains(told) == true, "\(run) \(run.records)")
    _ = silent
  }

  /// A window of a program that is in no accessible tree and names no process, titled by a folder;
  /// only one that shows files copies what is dropped into it.
  private static let titled = """
    import shutil, sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    name, folder = sys.argv[1:]
    GLib.set_prgname(name)
    window = Gtk.Window(title=name + " - " + folder)
    window.set_wmclass(name, name)
    window.set_default_size(300, 240)
    area = Gtk.DrawingArea()
    window.add(area)
    area.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
    area.drag_dest_add_uri_targets()
    def take(widget, context, x, y, data, info, time):
        if name == "files":
            shutil.copy(GLib.filename_from_uri(data.get_uris()[0])[0], folder)
    area.connect("drag-data-received", take)
    window.realize()
    Gdk.property_delete(window.get_window(), Gdk.Atom.intern("_NET_WM_PID", False))
    window.show_all()
    Gtk.main()
    """
}
