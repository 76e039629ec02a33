import KeyDragCore
import RealPrograms
import Testing

@testable import KeyDragDesktop

@Suite(
  "A drag that another one on the display has ended", .realPrograms(by: .suite), .serialized,
  .enabled(if: DesktopStage.obstacle == nil))
struct SupersededTests {
  @Test("is begun anew by the next question, also where the same things are picked up again")
  func anew() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program, title: "Report")
    let chapters = try stage.point("Chapters", in: window)
    #expect(await !stage.verdict(at: chapters).isRefusal)
    let other = try stage.display.beginDrag([DragForm("text/plain", bytes: [])])
    // A question that is under way meanwhile may say that it was interrupted, once.
    _ = await stage.verdict(at: chapters)
    #expect(await !stage.verdict(at: chapters).isRefusal)
    #expect(try await stage.deliver(to: chapters).outcome != .refused)
    other.end()
  }

  /// Two places that take files.
  private static let program = ChaptersProgram.source(
    "Report", taking: #"view.connect("drag-data-received", lambda *_: rows.append(["a.txt"]))"#)
}
