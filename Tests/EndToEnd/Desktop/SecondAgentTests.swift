import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

@Suite(
  "One agent for each display", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct SecondAgentTests {
  private func refuse(_ desktop: DesktopStage) throws {
    let other = try desktop.run("desktop", transcript: false)
    #expect(other.status == 69, "\(other)")
    #expect(other.errors == "keydrag: keydrag desktop runs already.\n", "\(other)")
  }

  @Test(
    "A second one ends with a reason, with and without a folder for the session, until the first ends",
    arguments: Thorough.cases(ordinarily: 1, of: [true, false]), [SIGTERM, SIGKILL])
  func second(hasFolder: Bool, end: Int32) throws {
    let desktop = try DesktopStage()
    if !hasFolder { desktop.stage.variables["XDG_RUNTIME_DIR"] = "" }
    let agent = try desktop.agent()
    try refuse(desktop)
    let name = desktop.stage.variables["DISPLAY"] ?? ""
    // The same display under another name, and for somebody with another session.
    desktop.stage.variables["DISPLAY"] = name + ".0"
    desktop.stage.variables["XDG_RUNTIME_DIR"] = desktop.stage.base
    try refuse(desktop)
    agent.signal(end)
    if end == SIGTERM { #expect(try agent.ended().status == 130) } else { _ = try? agent.ended() }
    let next = try desktop.agent()
    next.signal(SIGTERM)
    #expect(try next.ended().status == 130)
  }

  @Test(
    "Each display of a person has its own",
    arguments: Thorough.cases(ordinarily: 1, of: [true, false]))
  func displays(hasFolder: Bool) throws {
    let desktop = try DesktopStage()
    let beside = try PrivateDesktop()
    if !hasFolder { desktop.stage.variables["XDG_RUNTIME_DIR"] = "" }
    let first = try desktop.agent()
    let name = desktop.stage.variables["DISPLAY"]
    desktop.stage.variables["DISPLAY"] = beside.environment["DISPLAY"]
    let second = try desktop.agent()
    try refuse(desktop)
    desktop.stage.variables["DISPLAY"] = name
    try refuse(desktop)
    for agent in [first, second] {
      agent.signal(SIGTERM)
      #expect(try agent.ended().status == 130)
    }
  }
}
