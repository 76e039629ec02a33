import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

@Suite(
  "The seat of an agent", .realPrograms(by: .suite), .serialized,
  .enabled(if: ToolkitTarget.obstacle == nil))
struct AgentSelectionLockTests {
  @Test("Of many who want it at once exactly one has it, and the next one when that is gone")
  func race() async throws {
    let desktop = try PrivateDesktop()
    let display = desktop.environment["DISPLAY"]
    for _ in 0..<5 {
      let taken = await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { Self.take(on: display) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(taken.compactMap(\.self).count == 1, "\(taken)")
    }
  }

  /// - Returns: something as long as which the seat is taken.
  private static func take(on display: String?) -> Kept? {
    (try? AgentSelectionLock.take(on: display)).map { Kept($0) }
  }

  private final class Kept: @unchecked Sendable {
    private let seat: AgentSelectionLock
    init(_ seat: AgentSelectionLock) { self.seat = seat }
  }

  @Test("Without a display there is no seat")
  func noDisplay() {
    #expect(throws: Reason.noDisplay) {
      try AgentSelectionLock.take(on: ":4711")
    }
  }
}
