import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

@Suite(
  "A list that follows the pointer, and drags its rows itself", .realPrograms(by: .suite),
  .enabled(if: ToolkitTarget.obstacle == nil))
struct UnheardPointerTests {
  @Test("It takes the drop, and begins no drag of its own by a motion of the pointer")
  func list() async throws {
    let stage = try TargetStage()
    try stage.tool("mousemove 900 700")
    let process = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program], adding: ["NO_AT_BRIDGE": "1"])
    #expect(try process.line() == "ready")
    let window = try stage.window(of: process)
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.refusing) == .accepts(.copy))
    #expect(await drag.drop() == .accepts(.copy))
    #expect(try process.line() == "file:///tmp/a.txt")
    #expect(stage.pointer.pointer()?.point == RootPoint(x: 900, y: 700))
    drag.end()
  }

  private static let program = """
    import sys
    from PyQt5.QtCore import Qt, QTimer
    from PyQt5.QtWidgets import QApplication, QListWidget
    class List(QListWidget):
        def mimeTypes(self):
            return ["text/uri-list"]
        def supportedDropActions(self):
            return Qt.CopyAction
        def dropMimeData(self, index, data, action):
            print(data.urls()[0].toString())
            return True
        def startDrag(self, actions):
            print("its own drag")
    application = QApplication(sys.argv[:1])
    songs = List()
    songs.addItem("a song")
    songs.setDragDropMode(QListWidget.DragDrop)
    songs.setMouseTracking(True)
    songs.viewport().setMouseTracking(True)
    songs.setWindowTitle("Songs")
    songs.resize(300, 200)
    songs.move(50, 60)
    songs.show()
    QTimer.singleShot(0, lambda: print("ready"))
    application.exec()
    """
}
