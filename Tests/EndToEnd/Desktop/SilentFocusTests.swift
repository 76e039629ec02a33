import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// A program in front that does not tell what it has in focus.
@Suite(
  "keydrag desktop, in front of a program that tells nothing", .realPrograms(by: .suite),
  .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct SilentFocusTests {
  @Test("What can't be picked up there is said with the program's name")
  func named() throws {
    let desktop = try DesktopStage()
    let program = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program],
      adding: ["GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"])
    #expect(try program.line() == "ready")
    let agent = try desktop.agent()
    try desktop.activate("Sketch")
    try desktop.press("ctrl+alt+space")
    let answer = try agent.wait(for: "nothing-to-pick-up")
    #expect(answer.argument("reason") == "selection-untold", "\(answer)")
    #expect(answer.text == "Painter: it tells nothing of what is selected.", "\(answer)")
  }

  private static let program = """
    import gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, GLib, Gtk
    Gdk.set_program_class("Painter")
    window = Gtk.Window(title="Sketch")
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
}
