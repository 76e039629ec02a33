import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Programs that no profile knows, and whose lists show what lies in a folder.
@Suite(
  "Lists of unknown programs that show a folder", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct StrangeFolderTests {
  private struct Unlisted: Error {}

  private func stage(
    watching: Bool, icons: Bool = false, tree: Bool = false,
    folders: [String] = [], title: String = "Docs", address: String = "",
    adding environment: [String: String] = [:]
  ) throws -> (DesktopStage, KeptProcess) {
    let desktop = try DesktopStage("Docs/Archive/", "Docs/report.txt", "new.txt")
    for path in folders { try desktop.stage.make(path) }
    let folder = desktop.stage.path("Docs")
    let program = try desktop.desktop.start(
      [
        "/usr/bin/python3", "-u", "-c", Self.program, folder, watching ? "watch" : "ignore",
        icons ? "icons" : tree ? "tree" : "rows", title == "PATH" ? folder : title,
        address == "PATH" ? folder : address,
      ], adding: environment)
    #expect(try program.line() == "shown")
    return (desktop, program)
  }

  @Test("T07, T08 A folder that its program watches is one: drops are seen there and taken back")
  func watched() throws {
    let (desktop, program) = try stage(watching: true)
    let places = try desktop.points()
    #expect(places.first?["role"] == "folder-view", "\(places)")
    // Files are no places.
    #expect(
      places.compactMap { $0["name"] } == ["Docs folder view", "Archive"], "\(places)")
    try dropAndUndo(on: desktop)
    _ = program
  }

  @Test("T07, T08 Icons that tell their names as texts alone are of the folder that they show")
  func icons() throws {
    let (desktop, program) = try stage(watching: true, icons: true)
    let places = try desktop.points()
    #expect(places.compactMap { $0["name"] } == ["Docs folder view", "Archive icon"], "\(places)")
    _ = program
  }

  @Test("T07, T08 A folder whose path stands in a field is one, watched or not")
  func address() throws {
    let (desktop, program) = try stage(watching: false, title: "Viewer", address: "PATH")
    let places = try desktop.points()
    #expect(places.contains { $0["name"] == "Docs folder view" }, "\(places)")
    try dropAndUndo(on: desktop)
    _ = program
  }

  @Test("T07, T08 A window that tells nothing but a path shows that folder where it watches it")
  func mute() throws {
    for title in ["PATH", "~/Docs"] {
      let (desktop, program) = try stage(
        watching: true, title: title, adding: ["NO_AT_BRIDGE": "1"])
      desktop.stage.variables["HOME"] = desktop.stage.path("Docs/..")
      try dropAndUndo(on: desktop)
      _ = program
    }
  }

  /// A drop on the folder is proved by the disk, one of a name that is there refuses, and undo takes
  /// the first one back.
  private func dropAndUndo(on desktop: DesktopStage) throws {
    let before = desktop.stage.tree
    let clash = try desktop.run("drop", "Docs/report.txt", "--onto", "Docs folder view")
    #expect(clash.last("refused")?.argument("reason") == "same-place", "\(clash)")
    let run = try desktop.run("drop", "new.txt", "--onto", "Docs folder view")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["verified"] == true, "\(run)")
    #expect(desktop.stage.tree == before.merging(["Docs/new.txt": "new.txt"]) { $1 })
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
  }

  @Test("T02, T07 A list of such names that nobody watches is a list, without a promise", .thorough)
  func unwatched() throws {
    let (desktop, program) = try stage(watching: false)
    let places = try desktop.points()
    #expect(!places.contains { $0["role"] == "folder-view" }, "\(places)")
    guard case .text(let list)? = places.first?["name"] else { throw Unlisted() }
    let run = try desktop.run("drop", "new.txt", "--onto", list)
    #expect(run.status == 1, "\(run)")
    #expect(run.records.finished.first?["outcome"] == "unconfirmed", "\(run)")
    #expect(run.said.contains { $0.hasSuffix("Can't be undone.") }, "\(run)")
    _ = program
  }

  @Test("T02, T07 A row of a tree is the one folder of that name in one that its program watches")
  func tree() throws {
    let (desktop, program) = try stage(watching: true, tree: true, title: "Viewer")
    // It is looked for from the person's home on.
    desktop.stage.variables["HOME"] = desktop.stage.path("Docs/..")
    let before = desktop.stage.tree
    let run = try desktop.run("drop", "new.txt", "--onto", "Archive")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["verified"] == true, "\(run)")
    // What the program did, and not what it was asked to do.
    #expect(
      run.last("delivered")?.text.hasPrefix("Moved new.txt to Archive, in ") == true, "\(run)")
    #expect(desktop.stage.exists("Docs/Archive/new.txt") && !desktop.stage.exists("new.txt"))
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = program
  }

  @Test(
    "T02, T07 A row that is called by a folder's path is that folder, watched or not", .thorough)
  func path() throws {
    let desktop = try DesktopStage("Docs/Archive/", "new.txt")
    let folder = desktop.stage.path("Docs/Archive")
    let program = try desktop.desktop.start(
      [
        "/usr/bin/python3", "-u", "-c", Self.program, desktop.stage.path("Docs"), "ignore", "tree",
        "Viewer", "",
      ], adding: ["ROW": folder])
    #expect(try program.line() == "shown")
    let places = try desktop.points().compactMap { $0["name"]?.description }
    let row = try #require(places.first { $0.contains("Archive") }, "\(places)")
    let run = try desktop.run("drop", "new.txt", "--onto", row)
    #expect(run.records.finished.first?["verified"] == true, "\(run)")
    #expect(run.last("delivered")?.text.hasPrefix("Moved new.txt to ") == true, "\(run)")
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.exists("new.txt"))
    _ = program
  }

  @Test("T02, T07 Whatever a program makes of a drop, it is told that the file has left its place")
  func left() throws {
    let (desktop, program) = try stage(watching: false, tree: true, title: "Viewer")
    let run = try desktop.run("drop", "new.txt", "--onto", "Archive")
    #expect(run.status == 1, "\(run)")
    #expect(run.records.finished.first?["outcome"] == "unconfirmed", "\(run)")
    #expect(run.last("unconfirmed")?.argument("goneNames") != nil, "\(run)")
    #expect(
      run.said.contains { $0.contains("No longer in its old place: new.txt.") }, "\(run)")
    #expect(desktop.stage.exists("Docs/Archive/new.txt") && !desktop.stage.exists("new.txt"))
    _ = program
  }

  @Test(
    "T03 A row called trash beside none of the person's folders is what its program says", .thorough
  )
  func otherTrash() throws {
    for (name, isTrash) in [("Photos", false), ("Desktop", true)] {
      let (desktop, program) = try stage(
        watching: false, tree: true, folders: ["Docs/Trash/", "Docs/\(name)/"], title: "Viewer")
      try desktop.stage.make("Desktop/")
      desktop.stage.variables["HOME"] = desktop.stage.path("Docs/..")
      let points = try desktop.points("--carrying", "new.txt")
      let trash = try #require(points.first { $0["name"] == "Trash" }, "\(points)")
      // The program takes copies alone, and a trash is not asked about those.
      #expect((trash["operation"] == "copy") != isTrash, "\(trash)")
      _ = program
    }
  }

  /// A window of GTK 3 with the names in a folder, into which it copies what is dropped on it; or
  /// with a tree of them, moving that into "Archive".
  private static let program = """
    import os, shutil, sys
    import gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, Gio, GLib, Gtk
    folder = sys.argv[1]
    store = Gtk.TreeStore(str)
    if sys.argv[5]: store.append(None, [".."])
    root = store.append(None, ["Places"]) if sys.argv[3] == "tree" else None
    shown = os.environ.get("ROW")
    for name in [shown] if shown else sorted(os.listdir(folder)): store.append(root, [name])
    if sys.argv[2] == "watch":
        monitor = Gio.File.new_for_path(folder).monitor_directory(Gio.FileMonitorFlags.NONE, None)
    if sys.argv[3] == "icons":
        view = Gtk.IconView(model=store, text_column=0)
    else:
        view = Gtk.TreeView(model=store)
        view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
        view.expand_all()
    view.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
    view.drag_dest_add_uri_targets()
    def received(view, context, x, y, data, info, time):
        for address in data.get_uris():
            path = Gio.File.new_for_uri(address).get_path()
            if sys.argv[3] == "tree":
                shutil.move(path, os.path.join(folder, "Archive"))
            else:
                shutil.copy2(path, os.path.join(folder, os.path.basename(path)))
    view.connect("drag-data-received", received)
    window = Gtk.Window(title=sys.argv[4])
    window.set_default_size(400, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    if sys.argv[5]: box.add(Gtk.Entry(text=sys.argv[5]))
    box.pack_start(view, True, True, 0)
    window.add(box)
    window.connect("map-event", lambda *_: GLib.idle_add(print, "shown"))
    window.show_all()
    Gtk.main()
    """
}
