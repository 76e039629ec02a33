import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite(
  "A window without a title", .enabled(if: DesktopStage.obstacle == nil),
  .timeLimit(.minutes(2)))
struct UntitledWindowTests {
  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk
    GLib.set_prgname("player")
    alert = Gtk.MessageDialog(message_type=Gtk.MessageType.WARNING,
      buttons=Gtk.ButtonsType.OK, text="Set up?")
    alert.show_all()
    print("ready", flush=True)
    Gtk.main()
    """

  @Test("T09 The place that is an alert is called as the alert is, and not a window alone")
  func alert() async throws {
    let listing = try await listing(of: Self.program) { $0 == "Warning" }
    #expect(listing.dropPoints?.map(\.name) == ["Warning window"])
  }

  /// The places of a program's window, once that has the name.
  private func listing(
    of program: String, when isNamed: (String) -> Bool
  ) async throws -> Listing {
    let stage = try DesktopStage()
    let process = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", program], adding: ["GDK_BACKEND": "x11"])
    _ = try process.line()
    var windows = try await stage.world.look()
    while !(windows.first.map { isNamed($0.name) } ?? false) {
      windows = try await stage.world.look()
    }
    return try await stage.world.places(of: #require(windows.first).id).get()
  }

  private static let named = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window = Gtk.Window(title="Tasks")
    window.get_accessible().set_name("GtdWindow")
    window.add(Gtk.TextView())
    window.show_all()
    print("ready", flush=True)
    Gtk.main()
    """

  @Test("T09 A window that tells its class for its name is called by its title")
  func classForName() async throws {
    let listing = try await listing(of: Self.named) { !$0.isEmpty }
    #expect(listing.container.name == "Tasks")
  }
}
