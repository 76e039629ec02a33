import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "Where in a text something lands", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct TextPlaceTests {
  /// A text of so many lines, with the caret in one of them and scrolled to another. It says which line
  /// was written in.
  private static let program = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    count, caret, shown = map(int, sys.argv[1:4])
    window = Gtk.Window(title="Notes")
    window.set_default_size(300, 240)
    pane = Gtk.ScrolledWindow()
    body = Gtk.TextView()
    body.get_accessible().set_name("Body")
    pane.add(body)
    window.add(pane)
    text = body.get_buffer()
    text.set_text("\\n".join("line %d" % number for number in range(1, count + 1)))
    text.place_cursor(text.get_iter_at_line_offset(caret - 1, 4))
    def inserted(_, place, added, length):
        print("line", place.get_line() + 1, "of", count, "column", place.get_line_offset())
    text.connect("insert-text", inserted)
    window.show_all()
    def scroll():
        body.scroll_to_iter(text.get_iter_at_line(shown - 1), 0, True, 0, 1)
        GLib.timeout_add(300, lambda: print("shown"))
    GLib.idle_add(scroll)
    Gtk.main()
    """

  private func start(
    _ desktop: DesktopStage, _ count: Int, caret: Int, shown: Int
  ) throws -> KeptProcess {
    let program = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program, "\(count)", "\(caret)", "\(shown)"],
      adding: ["GDK_BACKEND": "x11"])
    while try program.line() != "shown" {}
    try desktop.wait(for: "Body", in: "Notes")
    return program
  }

  @Test("H12, T03 What is dropped on a text lands at its caret, and that is said before")
  func caret() throws {
    let desktop = try DesktopStage("report.txt")
    let notes = try start(desktop, 8, caret: 3, shown: 3)
    let points = try desktop.points("--carrying", "report.txt")
    let body = try #require(points.first { $0["name"] == "Body text field" }, "\(points)")
    #expect(body["line"] == 3 && body["lines"] == 8, "\(body)")
    let run = try desktop.run("drop", "report.txt", "--onto", "Body")
    let before = try #require(run.last("drop-point"), "\(run)")
    #expect(before.text.contains("In line 3 of 8."), "\(before)")
    #expect(try notes.line() == "line 3 of 8 column 4")
  }

  @Test("H12, T03 Where the caret can't be seen, it is the end of the last line that can")
  func lastLine() throws {
    let desktop = try DesktopStage("report.txt")
    let notes = try start(desktop, 100, caret: 1, shown: 60)
    let run = try desktop.run("drop", "report.txt", "--onto", "Body")
    let before = try #require(run.last("drop-point"), "\(run)")
    guard case .number(let line)? = before.argument("line") else {
      throw ChildProcess.Hung(description: "no line: \(run)")
    }
    #expect((45...60).contains(line), "\(before)")
    #expect(before.text.contains("At the end of line \(line) of 100."), "\(before)")
    let written = try notes.line()
    #expect(written == "line \(line) of 100 column 7")
  }
}
