import Glibc
import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "One drop of many files", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct ManyFilesDropTests {
  /// With their long names more than goes in one piece.
  private static let count = 1_500

  @Test("More files than go in one piece arrive in one drop")
  func portions() throws {
    let desktop = try DesktopStage()
    let names = (0..<Self.count).map { "\($0) " + String(repeating: "long", count: 50) }
    for name in names {
      let file = open(desktop.stage.path(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      try #require(file >= 0)
      close(file)
    }
    let window = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program], adding: ["GDK_BACKEND": "x11"])
    try desktop.wait(for: "Body", in: "Many")
    let run = try desktop.stage.run(
      ["drop"] + names + ["--onto", "Body", "--app", "Many", "--speech", "off"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try window.line(within: 20) == "text/uri-list \(Self.count) 0 \(Self.count - 1)")
    let delivery = try #require(run.records.finished.first)
    #expect(delivery["outcome"] == "delivered", "\(delivery)")
    #expect(delivery["delivered"] == .number(Self.count), "\(delivery)")
    #expect(run.mostMemory < 256 << 20, "\(run.mostMemory)")
  }

  /// Says what it was given: the type, how many links, and how the first and the last name begin.
  private static let program = """
    import gi
    from urllib.parse import unquote
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window = Gtk.Window(title="Many")
    window.set_default_size(300, 200)
    body = Gtk.TextView()
    body.get_accessible().set_name("Body")
    body.drag_dest_set_target_list(Gtk.TargetList.new([]))
    body.drag_dest_add_uri_targets()
    window.add(body)
    def took(body, context, x, y, data, info, time):
        body.stop_emission_by_name("drag-data-received")
        names = [unquote(link.rsplit("/", 1)[1]) for link in data.get_uris()]
        words = [name.split()[0] for name in names]
        print(data.get_data_type().name(), len(names), words[0], words[-1])
        body.get_buffer().set_text(names[0])
        Gtk.drag_finish(context, True, False, time)
    body.connect("drag-data-received", took)
    window.show_all()
    Gtk.main()
    """
}
