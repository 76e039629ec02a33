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
    try stage.desktop.chooseThunarView()
    thunar = try stage.desktop.start(["/usr/bin/thunar", home + "/open"])
    let eyes = try stage.desktop.eyes(Self.cell, ["Inner"])
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

  func drag() throws -> AskedDrag {
    try stage.drag([
      DragForm("text/uri-list", bytes: Array("file://\(home)/from/new.bin\r\n".utf8))
    ])
  }

  /// Says where the cell of a name is, once the program shows it.
  private static let cell = """
    def seen(frame):
        def fits(node):
            if node.getRoleName() != "table cell" or node.name != words[0]:
                return False
            place = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
            return place.width > 0 and place.y > 0
        cell = find(frame, fits, 200)
        if cell:
            place = cell.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
            return f"{place.x} {place.y} {place.width} {place.height}"
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
    #expect(await drag.drop() == .accepts(operation))
    let landed = folder.home + (isRow ? "/open/Inner" : "/open") + "/new.bin"
    #expect(folder.wait(for: landed) { $0 == bytes })
    let source = folder.home + "/from/new.bin"
    #expect(folder.wait(for: source) { operation == .copy ? $0 == bytes : $0 == nil })
    drag.end()
  }

  @Test("Data that takes its time to load is waited for before a no is believed")
  func slowData() async throws {
    let folder = try await OpenFolder()
    _ = try folder.makeFile()
    let address = Array("file://\(folder.home)/from/new.bin\r\n".utf8)
    // Longer than the quiet after two refusals, as a slow disk takes.
    let drag = try folder.stage.drag([
      DragForm("text/uri-list") {
        try? await Task.sleep(for: .milliseconds(700))
        return address
      }
    ])
    #expect(
      await drag.ask(folder.window.id, at: folder.empty, operation: .copy) == .accepts(.copy))
    drag.end()
  }

  @Test("A folder is not dropped into itself")
  func itself() async throws {
    let folder = try await OpenFolder()
    let drag = try folder.stage.drag([
      DragForm("text/uri-list", bytes: Array("file://\(folder.home)/open/Inner\r\n".utf8))
    ])
    #expect(
      await drag.ask(folder.window.id, at: folder.row, operation: .move) == .refuses(.notTaken))
    #expect(await drag.drop() == .refuses(.notTaken))
  }
}
