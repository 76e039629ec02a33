import PrivateDesktop
import RealPrograms
import Testing

/// Each folder of a small window is dropped on; the disk says where each file lies.
@Suite(
  "A drop into the right folder of many", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct NeighbourTests: AgentSteps {
  private static let names = (0...30).map { $0 < 10 ? "d0\($0)" : "d\($0)" }

  /// A window that shows eleven of its folders.
  private func stage() throws -> (DesktopStage, KeptProcess) {
    let desktop = try DesktopStage("Inbox/")
    for name in Self.names {
      try desktop.stage.make("Docs/\(name)/")
      try desktop.stage.make("Inbox/e\(name).txt")
    }
    let thunar = try desktop.thunar(("Docs", "d30"), isShown: false, among: 400)
    try desktop.hand(
      "search", "--onlyvisible", "--name", "^Docs", "windowsize", "--sync", "700", "430")
    return (desktop, thunar)
  }

  /// The folders in which a file lies, the window's own among them.
  private func places(of file: String, _ desktop: DesktopStage) -> [String] {
    Self.names.filter { desktop.stage.exists("Docs/\($0)/\(file)") }
      + (desktop.stage.exists("Docs/\(file)") ? ["Docs"] : [])
  }

  @Test(
    "T13 Each of 31 folders in a window for eleven takes what is dropped on it, and no other does"
  )
  func each() throws {
    let (desktop, thunar) = try stage()
    for name in Self.names {
      let run = try desktop.run("drop", "Inbox/e\(name).txt", "--onto", name, "--copy")
      #expect(places(of: "e\(name).txt", desktop) == [name], "\(run)")
      #expect(run.status == 0 && run.last("delivered")?.argument("place") == .text(name), "\(run)")
    }
    _ = thunar
  }
}
