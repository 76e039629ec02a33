import Foundation
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

/// Thunar with an open folder, seen as a list with details.
private final class OpenFolder {
  let stage: TargetStage
  let home: String
  let thunar: KeptProcess
  let window: WindowFacts

  static var obstacle: String? {
    if let obstacle = ToolkitTarget.obstacle { return obstacle }
    return access("/usr/bin/thunar", X_OK) == 0 ? nil : "needs Thunar: apt-get install thunar"
  }

  init() async throws {
    stage = try TargetStage()
    home = try #require(stage.desktop.environment["HOME"])
    for folder in ["/open/Inner", "/from"] {
      try FileManager.default.createDirectory(
        atPath: home + folder, withIntermediateDirectories: true)
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: home + "/open/zz.txt"))
    let settings = home + "/config/xfce4/xfconf/xfce-perchannel-xml"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try Data(Self.settings.utf8).write(to: URL(fileURLWithPath: settings + "/thunar.xml"))
    thunar = try stage.desktop.start(["/usr/bin/thunar", home + "/open"])
    let eyes = try stage.desktop.start(["/usr/bin/python3", "-u", "-c", Self.eyes, "Inner"])
    place = try eyes.line().split(separator: " ").compactMap { Int($0) }
    window = try stage.window(of: thunar)
  }

  private let place: [Int]

  /// The middle of the folder's row.
  var row: ScreenPoint { ScreenPoint(x: place[0] + place[2] / 2, y: place[1] + place[3] / 2) }

  /// Below the last row, where the open folder itself takes the drop.
  var empty: ScreenPoint { ScreenPoint(x: row.x, y: row.y + place[3] * 5) }

  /// A file that is like no other.
  func makeFile() throws -> Data {
    let bytes = Data((0..<100_000).map { _ in UInt8.random(in: 0...255) })
    try bytes.write(to: URL(fileURLWithPath: home + "/from/new.bin"))
    return bytes
  }

  func drag() throws -> any DragConversing {
    try stage.drag([
      DragForm("text/uri-list", bytes: Array("file://\(home)/from/new.bin\r\n".utf8))
    ])
  }

  /// Its settings: what was used last, the list with details.
  private static let settings = """
    <?xml version="1.0" encoding="UTF-8"?>
    <channel name="thunar" version="1.0">
      <property name="last-view" type="string" value="ThunarDetailsView"/>
      <property name="default-view" type="string" value="ThunarDetailsView"/>
    </channel>
    """

  /// Says where the cell of a name is, once the program shows it.
  private static let eyes = """
    import sys, gi, pyatspi
    from gi.repository import GLib
    def find(node, depth=0):
        if node.getRoleName() == "table cell" and node.name == sys.argv[1]:
            return node
        for index in range(min(node.childCount, 200)) if depth < 20 else []:
            found = find(node.getChildAtIndex(index), depth + 1)
            if found:
                return found
    def look():
        try:
            for program in pyatspi.Registry.getDesktop(0):
                cell = find(program) if program and program.name.lower() == "thunar" else None
                if cell:
                    place = cell.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
                    if place.width > 0 and place.y > 0:
                        print(place.x, place.y, place.width, place.height)
                        return False
        except Exception as trouble:
            print(trouble, file=sys.stderr)
        return True
    GLib.timeout_add(50, look)
    GLib.MainLoop().run()
    """

  /// Waits for a change on the disk, as the disk tells of it.
  func wait(for path: String, _ isDone: (Data?) -> Bool) -> Bool {
    let watch = inotify_init1(Int32(IN_CLOEXEC))
    defer { close(watch) }
    let folder = (path as NSString).deletingLastPathComponent
    let all = UInt32(IN_CREATE | IN_MODIFY | IN_DELETE | IN_MOVE | IN_CLOSE_WRITE)
    inotify_add_watch(watch, folder, all)
    var buffer = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<1_000 {
      if isDone(FileManager.default.contents(atPath: path)) { return true }
      var wait = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 10_000) > 0 else { return false }
      _ = read(watch, &buffer, buffer.count)
    }
    return false
  }
}

@Suite(
  "A drag into the file manager", .realPrograms(by: .suite), .serialized,
  .enabled(if: OpenFolder.obstacle == nil))
struct ThunarTests {
  @Test(
    "A file is copied or moved into the open folder, or into a folder shown in it",
    arguments: [DragOperation.copy, .move], [false, true])
  func wholeDrag(operation: DragOperation, isRow: Bool) async throws {
    let folder = try await OpenFolder()
    let bytes = try folder.makeFile()
    let drag = try folder.drag()
    let point = isRow ? folder.row : folder.empty
    #expect(
      await drag.ask(folder.window.id, at: point, operation: operation) == .accepts(operation))
    #expect(await drag.drop() == .delivered(operation))
    let landed = folder.home + (isRow ? "/open/Inner" : "/open") + "/new.bin"
    #expect(folder.wait(for: landed) { $0 == bytes })
    let source = folder.home + "/from/new.bin"
    #expect(folder.wait(for: source) { operation == .copy ? $0 == bytes : $0 == nil })
    drag.end()
  }

  @Test("A folder is not dropped into itself")
  func itself() async throws {
    let folder = try await OpenFolder()
    let drag = try folder.stage.drag([
      DragForm("text/uri-list", bytes: Array("file://\(folder.home)/open/Inner\r\n".utf8))
    ])
    #expect(
      await drag.ask(folder.window.id, at: folder.row, operation: .move) == .refuses)
    #expect(await drag.drop() == .refused)
  }
}
