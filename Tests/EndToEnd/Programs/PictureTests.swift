import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "GIMP, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs GIMP: apt-get install gimp libgail-common") { InstalledProgram.gimp.isThere })
struct GimpTests: AgentSteps {
  @Test("H01, H24 A picture becomes a layer of the picture, and a layer goes into a folder")
  func layers() throws {
    let desktop = try DesktopStage("Docs/")
    try desktop.stage.makePicture("red.png")
    try desktop.stage.makePicture("blue.png")
    let gimp = try desktop.desktop.start(
      ["/usr/bin/gimp", "--new-instance", "--no-splash", desktop.stage.path("red.png")],
      adding: ["GTK_MODULES": "gail:atk-bridge"])
    try desktop.wait(for: "red.png", in: "[red]", within: 90)
    #expect(
      try desktop.listed("Gimp") == [
        "[red] (imported) canvas, Gimp", "red.png, in [red] (imported), Gimp",
      ])
    let run = try desktop.run("drop", "blue.png", "--onto", "[red]")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["verified"] == true, "\(run)")
    try desktop.wait(for: "blue.png", in: "*[red]")

    let folder = try keydragFiles("Docs", desktop)
    // What is not saved is called the same.
    #expect(
      try desktop.listed("Gimp").first == "[red] (imported) canvas, Gimp")
    let agent = try desktop.agent()
    try desktop.activate("\\*.red")
    try pickUp("[red] (imported)", desktop, agent)
    try reach("keydrag files", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(desktop.stage.list("Docs") == ["[red] (imported).png"])
    _ = (gimp, folder)
  }
}
