import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

@Suite(
  "Where in a text something lands", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct TextPlaceTests {
  enum Kind: Sendable {
    case gtk3
    /// By the class of the widget.
    case qt5(String)
    case qt6(String)
  }

  /// A text of so many lines, with the caret in one of them and scrolled to another. It says which line
  /// was written in.
  private static let program = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    count, caret, shown = map(int, sys.argv[1:4])
    writes_at_end = sys.argv[4:] == ["end"]
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
    def received(body, context, x, y, data, info, time):
        body.stop_emission_by_name("drag-data-received")
        text.insert(text.get_end_iter(), "\\n" + data.get_text())
        context.finish(True, False, time)
    if writes_at_end:
        body.connect("drag-data-received", received)
    window.show_all()
    def scroll():
        body.scroll_to_iter(text.get_iter_at_line(shown - 1), 0, True, 0, 1)
        GLib.timeout_add(300, lambda: print("shown"))
    GLib.idle_add(scroll)
    Gtk.main()
    """

  /// The same in Qt, in a widget of a class that is named first.
  private static let qtProgram = """
    import sys
    from PYQT.QtCore import QTimer
    from PYQT.QtGui import QTextCursor
    from PYQT.QtWidgets import QApplication, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget
    count, caret, shown = map(int, sys.argv[2:5])
    application = QApplication(sys.argv[:1])
    window = QWidget()
    window.setWindowTitle("Notes")
    window.resize(300, 240)
    body = globals()[sys.argv[1]]()
    QVBoxLayout(window).addWidget(body)
    body.setAccessibleName("Body")
    body.setPlainText("\\n".join("line %d" % number for number in range(1, count + 1)))
    document = body.document()
    def go(line, column):
        cursor = body.textCursor()
        cursor.setPosition(document.findBlockByNumber(line - 1).position() + column)
        body.setTextCursor(cursor)
    def changed(place, removed, added):
        block = document.findBlock(place)
        print("line", block.blockNumber() + 1, "of", count, "column", place - block.position())
    window.show()
    go(shown, 0)
    offset = body.verticalScrollBar().value()
    go(caret, 4)
    body.verticalScrollBar().setValue(offset)
    document.contentsChange.connect(changed)
    QTimer.singleShot(300, lambda: print("shown"))
    getattr(application, "exec_", application.exec)()
    """

  /// Those of which the toolkit is there: the test command installs no Qt 6.
  private static func installed(_ kinds: [Kind]) -> [Kind] {
    let isQt6There = access("/usr/lib/python3/dist-packages/PyQt6", F_OK) == 0
    return kinds.filter { if case .qt6 = $0 { isQt6There } else { true } }
  }

  private func start(
    _ desktop: DesktopStage, _ count: Int, caret: Int, shown: Int, in kind: Kind = .gtk3,
    _ more: String...
  ) throws -> KeptProcess {
    let numbers = ["\(count)", "\(caret)", "\(shown)"] + more
    let command =
      switch kind {
      case .gtk3: [Self.program] + numbers
      case .qt5(let name): [Self.qtProgram.replacing("PYQT", with: "PyQt5"), name] + numbers
      case .qt6(let name): [Self.qtProgram.replacing("PYQT", with: "PyQt6"), name] + numbers
      }
    let program = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c"] + command,
      adding: [
        "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
      ])
    while try program.line() != "shown" {}
    try desktop.wait(for: "Body", in: "Notes")
    return program
  }

  @Test(
    "H12, T03 What is dropped on a text lands at its caret, and that is said before",
    arguments: Thorough.cases(
      ordinarily: 1, of: installed([.gtk3, .qt5("QTextEdit"), .qt6("QTextEdit")])))
  func caret(kind: Kind) throws {
    let desktop = try DesktopStage("report.txt")
    let notes = try start(desktop, 8, caret: 3, shown: 3, in: kind)
    let points = try desktop.points("--carrying", "report.txt")
    let body = try #require(points.first { $0["name"] == "Body text field" }, "\(points)")
    #expect(body["line"] == 3 && body["lines"] == 8, "\(body)")
    let run = try desktop.run("drop", "report.txt", "--onto", "Body")
    let before = try #require(run.last("drop-point"), "\(run)")
    #expect(before.text.contains("Line 3 of 8."), "\(before)")
    #expect(try notes.line() == "line 3 of 8 column 4")
    // As was said: it is not said again.
    let after = try #require(run.last("delivered"), "\(run)")
    #expect(after.argument("line") == nil, "\(after)")
  }

  @Test(
    "H12, T03 Where the caret can't be seen, it is the end of the last line that can",
    arguments: Thorough.cases(
      ordinarily: 1, of: installed([.gtk3, .qt5("QTextEdit"), .qt6("QTextEdit")])))
  func lastLine(kind: Kind) throws {
    let desktop = try DesktopStage("report.txt")
    let notes = try start(desktop, 100, caret: 1, shown: 60, in: kind)
    let run = try desktop.run("drop", "report.txt", "--onto", "Body")
    let before = try #require(run.last("drop-point"), "\(run)")
    guard case .number(let line)? = before.argument("line") else {
      throw ChildProcess.Hung(description: "no line: \(run)")
    }
    #expect((45...60).contains(line), "\(before)")
    #expect(before.text.contains("End of line \(line) of 100."), "\(before)")
    let written = try notes.line()
    #expect(written == "line \(line) of 100 column 7")
  }

  @Test("H12, T01 What a program writes elsewhere than it has shown is told with its line")
  func elsewhere() throws {
    let desktop = try DesktopStage("report.txt")
    let notes = try start(desktop, 8, caret: 3, shown: 3, in: .gtk3, "end")
    let run = try desktop.run("drop", "report.txt", "--onto", "Body")
    let before = try #require(run.last("drop-point"), "\(run)")
    #expect(before.text.contains("Line 3 of 8."), "\(before)")
    #expect(try notes.line() == "line 8 of 8 column 6")
    let after = try #require(run.last("delivered"), "\(run)")
    #expect(after.text.hasSuffix("End of line 8 of 9."), "\(after)")
    #expect(after.argument("line") == 8 && after.argument("lines") == 9, "\(after)")
  }

  @Test(
    "H12, T03 Where a text does not tell where its lines are, that is said, and after the drop the line",
    arguments: installed([.qt5("QPlainTextEdit"), .qt6("QPlainTextEdit")]))
  func unknownLine(kind: Kind) throws {
    let desktop = try DesktopStage("report.txt")
    let notes = try start(desktop, 100, caret: 1, shown: 60, in: kind)
    let run = try desktop.run("drop", "report.txt", "--onto", "Body")
    let before = try #require(run.last("drop-point"), "\(run)")
    #expect(before.text.contains("The line can't be known."), "\(before)")
    #expect(before.argument("line") == nil, "\(before)")
    let written = try notes.line()
    let after = try #require(run.last("delivered"), "\(run)")
    guard case .number(let line)? = after.argument("line") else {
      throw ChildProcess.Hung(description: "no line: \(after)")
    }
    #expect(written.hasPrefix("line \(line) of 100 column "), "\(after)")
  }
}
