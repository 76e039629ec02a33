import FoundationEssentials
import HostilePrograms
import PrivateDesktop
import Testing

/// A window that writes down all that it can get at whenever it is told something, as any program could. It
/// knows nothing of any toolkit, and takes part in drags by the words of the protocol alone.
final class Listener {
  private let process: KeptProcess
  private let log: String
  private var taken = 0

  /// - Parameters:
  ///   - program: another one; its words are its title and the file to write down in.
  ///   - polls: whether it looks for drags that nobody tells it of.
  init(
    _ title: String, running program: String = RawWindow.program, polls: Bool = false,
    on desktop: DesktopStage
  ) throws {
    log = desktop.stage.base + "/heard by " + title
    process = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", program, title, log] + (polls ? ["polls"] : []),
      adding: ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"])
    #expect(try process.line() == "shown")
  }

  /// Waits until something has been dropped on its rows.
  func waitForDrop() throws { #expect(try process.line() == "dropped") }

  /// What it has got since the last time.
  func heard() -> String {
    let all = FileManager.default.contents(atPath: log) ?? Data()
    defer { taken = all.count }
    return String(decoding: all.dropFirst(taken), as: UTF8.self)
  }

  /// A list that takes none but its own rows, dragged by the pointer, and writes down all that it is given.
  static let rows = """
    import sys
    from PyQt5.QtCore import QMimeData
    from PyQt5.QtWidgets import QApplication, QListWidget, QVBoxLayout, QWidget
    title, path = sys.argv[1:]
    log = open(path, "wb", 0)
    class Rows(QListWidget):
        def mimeData(self, items):
            data = QMimeData()
            data.setText(items[0].text())
            return data
        def hear(self, moment, event):
            data, isOwn = event.mimeData(), event.source() is self
            got = {form: bytes(data.data(form)).decode("latin-1") for form in data.formats()}
            log.write((moment + (" of its own " if isOwn else " ") + repr(got) + "\\n").encode())
            event.acceptProposedAction() if isOwn else event.ignore()
        def dragEnterEvent(self, event):
            self.hear("asked", event)
        def dragMoveEvent(self, event):
            self.hear("asked", event)
        def dropEvent(self, event):
            self.hear("dropped", event)
            print("dropped")
    application = QApplication(["rows"])
    application.clipboard().dataChanged.connect(lambda: log.write(b"owner of CLIPBOARD\\n"))
    window = QWidget()
    window.setWindowTitle(title)
    rows = Rows()
    rows.setDragDropMode(QListWidget.DragDrop)
    rows.addItems(["other words", "more words", "some words to carry"])
    QVBoxLayout(window).addWidget(rows)
    window.resize(300, 300)
    window.show()
    print("shown")
    application.exec()
    """
}
