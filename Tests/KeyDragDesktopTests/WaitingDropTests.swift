import KeyDragCore
import RealPrograms
import Testing

@testable import KeyDragDesktop

@Suite(
  "Two drops that wait at once", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(5)),
  .enabled(if: DesktopStage.obstacle == nil))
struct WaitingDropTests {
  @Test("H31 What the first has brought is not taken for the second's")
  func two() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program, title: "Once")
    let chapters = try stage.point("Chapters", in: window)
    let streams = [1, 2].map { stage.events(at: chapters, of: DeliveryID($0)) }
    var results: [DeliveryResult] = []
    for events in streams {
      for await event in events {
        guard case .finished(let result) = event else { continue }
        results.append(result)
        break
      }
    }
    // Whichever has its turn first.
    results.sort { $0.outcome == .delivered && $1.outcome != .delivered }
    #expect(results.map(\.outcome) == [.delivered, .unconfirmed])
    #expect(results.first?.verified == true)
    #expect(try [stage.said(), stage.said()] == ["taken", "ignored"])
  }

  /// A list that takes what is dropped first, and says of all else only that it has it.
  private static let program = ChaptersProgram.source(
    "Once",
    taking: """
      def take(view, context, x, y, data, info, time):
          if len(rows) == 1:
              rows.append(["a.txt"])
              print("taken")
          else:
              print("ignored")
      view.connect("drag-data-received", take)
      """)
}
