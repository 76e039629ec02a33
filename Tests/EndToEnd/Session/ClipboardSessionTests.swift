import PrivateDesktop
import RealPrograms
import Testing

/// The clipboard in `keydrag files`, on an X server of the test's own.
@Suite("The clipboard beside folders", .realPrograms(by: .test))
struct ClipboardSessionTests {
  @Test(
    "H20, H24: text that another program copied is dropped as a file, and a file put into the clipboard is what that program pastes",
    .enabled(if: PrivateDesktop.obstacle == nil))
  func bothWays() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let log = stage.base + "/log"
    try stage.make(log, "")
    var environment = ["HOME": stage.base + "/home", "PATH": "/usr/bin:/bin"]
    let server = try KeptProcess(
      ["/usr/bin/Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset"],
      environment: environment, log: log)
    defer { server.end() }
    let display = ":" + (try server.line())
    environment.merge(["DISPLAY": display, "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"]) { $1 }
    let other = try KeptProcess(
      ["/usr/bin/python3", "-u", "-c", Self.other], environment: environment, log: log)
    #expect(try other.line() == "ready")
    stage.variables["DISPLAY"] = display
    let run = try stage.files(
      "Inbox", "Docs", keys: #"ctrl+v "docs" enter "a.txt" space "clipboard" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.read("Docs/Dear Ada.txt") == "Dear Ada", "\(run)")
    #expect(run.said.contains("Copied a.txt to Clipboard."), "\(run)")
    #expect(try other.line() == "file://" + stage.path("Inbox/a.txt"))
  }

  /// Copies a text, and tells which files are in the clipboard once another program has put them there.
  private static let other = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    def changed(clipboard, event):
        uris = clipboard.wait_for_uris()
        if uris:
            print(" ".join(uris))
    clipboard.connect("owner-change", changed)
    clipboard.set_text("Dear Ada", -1)
    Gdk.Display.get_default().sync()
    print("ready")
    Gtk.main()
    """
}
