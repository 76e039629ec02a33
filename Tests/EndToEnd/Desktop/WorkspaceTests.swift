import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "Windows on other workspaces, and of one name", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct WorkspaceTests {
  @Test("T09 A window on another workspace says so, and one that is here does not")
  func workspace() throws {
    let desktop = try DesktopStage("report.txt")
    let windows = try ["Alpha", "Beta"].map {
      try desktop.window(taking: "text/uri-list", $0)
    }
    try desktop.hand("search", "--sync", "--name", "^Beta", "set_desktop_for_window", "1")
    func told() throws -> [String: String] {
      let points = try desktop.points().filter { $0["role"] == "canvas" }
      return Dictionary(
        uniqueKeysWithValues: points.map {
          ("\($0["window"] ?? "")", $0["workspace"] == "another" ? "another" : "")
        })
    }
    let names = try told()
    #expect(names.count == 2, "\(names)")
    #expect(names.filter { $0.value == "another" }.count == 1, "\(names)")
    let run = try desktop.run("points", transcript: false)
    let lines = run.output.split(separator: "\n").filter { $0.contains("on another workspace") }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("Beta") }, "\(run)")
    try desktop.hand("set_desktop", "1")
    while try desktop.hand("get_desktop") != ["1"] {}
    let after = try desktop.run("points", transcript: false)
    let others = after.output.split(separator: "\n")
      .filter { $0.contains("on another workspace") }
    #expect(!others.isEmpty && others.allSatisfy { $0.contains("Alpha") }, "\(others)")
    _ = windows
  }
}
