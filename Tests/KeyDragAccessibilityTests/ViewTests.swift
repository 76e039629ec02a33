import Glibc
import KeyDragAccessibility
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Synchronization
import Testing

@Suite(
  "The session as assistive technologies find it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct ViewTests {
  /// Items, places: what pyatspi is to see of it.
  static var carrying: DragScene {
    var scene = DragScene()
    scene.phase = .carrying
    scene.title = "2 places"
    scene.carried = "notes.txt"
    scene.rows = [
      DragScene.Row(name: "Docs", note: "copy", operation: .copy),
      DragScene.Row(name: "Locked", note: "refuses, read-only", isDroppable: false),
    ]
    scene.current = 0
    scene.operation = .copy
    scene.delivery = "Copying big.iso"
    scene.percent = 40
    return scene
  }

  @Test("pyatspi sees a well-formed tree: drag, places, progress, and what can be done")
  func tree() async throws {
    let stage = try await connected()
    stage.reader.show(Self.carrying)
    let seen = try Self.view(stage)
    let slots = (0..<32).flatMap { _ in ["    notification ''", "      label ''"] }
    #expect(
      seen == ["application 'KeyDrag' sensitive showing", "  status bar '' sensitive showing"]
        + slots + [
          "  panel 'notes.txt' dropeffect=copy grabbed=true drag+drop+cancel+next+previous"
            + " sensitive showing",
          "    list '2 places' sensitive showing",
          "      list item 'Docs, copy' dropeffect=copy selected sensitive showing",
          "      list item 'Locked, refuses, read-only' dropeffect=none showing",
          "  progress bar 'Copying big.iso' 40 of 100 sensitive showing",
        ])
  }

  @Test("What changes is seen anew, and not as it was remembered")
  func change() async throws {
    let stage = try await connected()
    stage.reader.show(Self.carrying)
    let viewer = try stage.desktop.start(Programs.python(Programs.viewerTwice))
    _ = try Self.lines(viewer)
    var scene = Self.carrying
    scene.rows[0] = DragScene.Row(name: "Sorted", note: "move", operation: .move)
    scene.rows.removeLast()
    scene.percent = 80
    stage.reader.show(scene)
    viewer.signal(SIGUSR1)
    let seen = try Self.lines(viewer)
    #expect(
      seen.contains("      list item 'Sorted, move' dropeffect=move selected sensitive showing"))
    #expect(seen.contains { $0.contains("80 of 100") })
    #expect(!seen.contains { $0.contains("Locked") })
  }

  @Test("Actions drive the session, as far as they mean something now")
  func actions() async throws {
    let stage = try await connected()
    let (commands, continuation) = AsyncStream.makeStream(of: CommandName.self)
    stage.reader.onCommand { continuation.yield($0) }
    stage.reader.show(Self.carrying)
    let viewer = try stage.desktop.start(
      Programs.python(Programs.viewer, "next", "drop", "drag", "cancel"))
    _ = try Self.lines(viewer)
    let answers = try (0..<4).map { _ in try viewer.line() }
    #expect(answers == ["next True", "drop True", "drag False", "cancel True"])
    continuation.finish()
    var done: [CommandName] = []
    for await command in commands { done.append(command) }
    #expect(done == [.nextDropPoint, .drop, .cancel])
  }

  /// A desktop whose accessibility bus runs, with us on it.
  private func connected() async throws -> ReaderStage {
    let stage = try await ReaderStage(hasOrca: false)
    let listener = try stage.desktop.start(DesktopPrograms.listener)
    #expect(try listener.line() == "ready")
    await stage.reader.reaches(.atspi)
    // Only then, or it would never have been there.
    listener.end()
    return stage
  }

  private static func view(_ stage: ReaderStage) throws -> [String] {
    try lines(try stage.desktop.start(Programs.python(Programs.viewer)))
  }

  private static func lines(_ viewer: KeptProcess) throws -> [String] {
    var result: [String] = []
    while true {
      let line = try viewer.line()
      if line == "end" { return result }
      result.append(line)
    }
  }
}
