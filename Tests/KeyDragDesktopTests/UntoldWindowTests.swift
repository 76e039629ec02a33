import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

@testable import KeyDragDesktop

@Suite(
  "Windows that tell nothing of what is in them, or not at once",
  .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct UntoldWindowTests {
  /// The listing of a window, which may be one place alone.
  private func list(_ title: String, on stage: DesktopStage, isTold: Bool) async throws -> Listing {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      guard let window = try await stage.world.look().first(where: { $0.name == title }),
        case .success(let listing) = await stage.world.places(of: window.id),
        !isTold || (listing.dropPoints ?? []).contains(where: { $0.name.hasPrefix("Notes") })
      else { continue }
      return listing
    }
    throw DesktopStage.Missing(description: "no such window: \(title)\n\(stage.desktop.complaints)")
  }

  private func start(_ arguments: [String], on stage: DesktopStage, isTold: Bool) throws
    -> KeptProcess
  {
    let program = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.panes] + arguments,
      adding: isTold ? ["GDK_BACKEND": "x11"] : ["GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"])
    #expect(try program.line() == "shown")
    return program
  }

  @Test(
    "T02, H13 What a window takes beside its middle it takes, and there; nothing else is dropped on",
    arguments: Thorough.cases(
      ordinarily: 2,
      of: [
        ("left", false), ("below", true), ("right", false), ("below", false), ("inside", false),
      ]))
  func panes(part: String, isTold: Bool) async throws {
    let stage = try DesktopStage()
    let program = try start([part], on: stage, isTold: isTold)
    let listing = try await list("Panes", on: stage, isTold: isTold)
    let window = try #require(listing.dropPoints?.first { $0.name == "Panes window" }, "\(listing)")
    #expect(await stage.verdict(at: window).acceptance == .all)
    _ = try await stage.deliver(to: window)
    #expect(try program.line() == part)
  }

  @Test("H13 Where none of it takes anything, it is said to be refused here")
  func nowhere() async throws {
    let stage = try DesktopStage()
    let program = try start(["none"], on: stage, isTold: false)
    let listing = try await list("Panes", on: stage, isTold: false)
    let window = try #require(listing.dropPoints?.first)
    #expect(await stage.verdict(at: window) == .refused(.notTaken))
    _ = program
  }

  @Test("T09 A program that was stopped while its window was read is read when it goes on")
  func stopped() async throws {
    let stage = try DesktopStage()
    let program = try start(["below"], on: stage, isTold: true)
    _ = try await list("Panes", on: stage, isTold: true)
    kill(program.id, SIGSTOP)
    // It goes on a while after it has been asked and has not answered.
    let wake = try stage.desktop.start(["/bin/sh", "-c", "sleep 1; kill -CONT \(program.id)"])
    let windows = try await stage.world.look()
    let panes = try #require(windows.first { $0.name == "Panes" })
    let listing = try await stage.world.places(of: panes.id).get()
    #expect(listing.dropPoints?.contains { $0.name.hasPrefix("Notes") } == true, "\(listing)")
    _ = wake
  }

  /// Areas beside each other, one of which takes files and says its name when it gets them; a field
  /// above them.
  private static let panes = """
    import sys, gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, GLib, Gtk
    part = sys.argv[1]
    window = Gtk.Window(title="Panes")
    window.set_default_size(500, 400)
    box = Gtk.VBox()
    notes = Gtk.Entry()
    notes.get_accessible().set_name("Notes")
    notes.drag_dest_unset()
    box.pack_start(notes, False, False, 0)
    middle = Gtk.HBox(spacing=30)
    box.pack_start(middle, True, True, 0)
    areas = {}
    def area(name, box, *packing):
        areas[name] = Gtk.EventBox()
        box.pack_start(areas[name], *packing)
    area("left", middle, True, True, 0)
    inside = Gtk.VBox()
    middle.pack_start(inside, True, True, 0)
    area("right", middle, True, True, 0)
    area("below", box, False, False, 0)
    areas["below"].set_size_request(-1, 30)
    for name, tall in [("over", True), ("inside", True), ("under", True)]: area(name, inside, True, True, 0)
    def moved(widget, context, x, y, time):
        Gdk.drag_status(context, Gdk.DragAction.COPY, time)
        return True
    def dropped(widget, context, x, y, time):
        widget.drag_get_data(context, Gdk.Atom.intern("text/uri-list", False), time)
        return True
    def received(widget, context, x, y, data, info, time):
        Gtk.drag_finish(context, True, False, time)
        print(part)
    if part in areas:
        areas[part].drag_dest_set(0, [Gtk.TargetEntry.new("text/uri-list", 0, 0)], Gdk.DragAction.COPY)
        areas[part].connect("drag-motion", moved)
        areas[part].connect("drag-drop", dropped)
        areas[part].connect("drag-data-received", received)
    window.add(box)
    window.connect("map-event", lambda *_: GLib.timeout_add(300, print, "shown") and False)
    window.show_all()
    Gtk.main()
    """
}
