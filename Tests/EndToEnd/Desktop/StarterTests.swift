import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "A folder that holds starters, in a window", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct StarterTests: AgentSteps {
  private func stage() throws -> DesktopStage {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt", "new.txt")
    try desktop.stage.make(
      "Docs/editor.desktop",
      "[Desktop Entry]\nType=Application\nName=Text Editor\nName[de]=Schreiber\nExec=true\n")
    return desktop
  }

  private func names(_ points: [Record]) -> [Value?] { points.map { $0["name"] } }

  @Test("The file manager's is found: its plain files are passed over, and what lands is seen")
  func thunar() throws {
    let desktop = try stage()
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let points = names(try desktop.points("--app", "thunar"))
    #expect(points.contains("Inner") && points.contains("Docs folder view"), "\(points)")
    #expect(!points.contains("old.txt"), "\(points)")
    // Thunar 4.18 shows starters by their files; others show them by their names.
    #expect(points.contains("editor.desktop") || points.contains("Text Editor"), "\(points)")
    let run = try desktop.run("drop", "new.txt", "--onto", "Docs folder view", "--copy")
    #expect(run.status == 0 && run.records.finished.last?["verified"] == true, "\(run)")
    let undone = try desktop.run("undo", transcript: false)
    #expect(undone.status == 0 && !desktop.stage.exists("Docs/new.txt"), "\(undone)")
    _ = thunar
  }

  @Test(
    "One that is shown by the starters' own names is found as well, in the person's language",
    arguments: [("C.UTF-8", "Text Editor"), ("de_DE.UTF-8", "Schreiber")])
  func named(language: String, name: String) throws {
    let desktop = try stage()
    try desktop.stage.make(
      desktop.stage.base + "/config/keydrag/profiles/shelf.yaml",
      """
      program: shelf
      rules:
        - role: [tree table, table]
          drop: true
          view: true
          drag: files
          name: title
          word: folder-view
        - role: table cell
          drop: true
          drag: files

      """)
    let shelf = try desktop.desktop.start([
      "/usr/bin/python3", "-u", "-c", Self.shelf, desktop.stage.path("Docs"), "Inner", "old.txt",
      name,
    ])
    try desktop.wait(for: name, in: "Docs")
    desktop.stage.variables["LANG"] = language
    let points = names(try desktop.points("--app", "shelf"))
    #expect(points.contains("Inner") && points.contains(.text(name)), "\(points)")
    #expect(!points.contains("old.txt"), "it takes nothing: \(points)")
    _ = shelf
  }

  /// A list of names in a window that is called as a folder, which it watches.
  private static let shelf = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gio, GLib, Gtk
    folder, rows = sys.argv[1], sys.argv[2:]
    GLib.set_prgname("shelf")
    watch = Gio.File.new_for_path(folder).monitor_directory(Gio.FileMonitorFlags.NONE, None)
    model = Gtk.ListStore(str)
    for row in rows:
        model.append([row])
    view = Gtk.TreeView(model=model)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
    window = Gtk.Window(title=folder.rsplit("/", 1)[1])
    window.set_default_size(300, 240)
    window.add(view)
    window.show_all()
    Gtk.main()
    """
}
