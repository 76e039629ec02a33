import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "A terminal, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct TerminalProgramTests: AgentSteps {
  @Test("H01, H16 A file is typed as its path, and what stands in a terminal is picked up as text")
  func path() throws {
    let desktop = try DesktopStage("new file.txt")
    try desktop.stage.make("read.sh", Self.reader)
    let terminal = try desktop.desktop.start([
      "/usr/bin/xfce4-terminal", "--disable-server", "--title", "Prompt",
      "--working-directory", desktop.stage.work, "--command", "sh read.sh",
    ])
    try desktop.waitForText("name?", in: "Prompt")
    let places = try desktop.listed("xfce4-terminal")
    #expect(places == ["Prompt terminal, Xfce4-terminal"], "\(places)")
    let run = try desktop.run("drop", "new file.txt", "--onto", "Prompt")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["operation"] == "copy", "\(run)")
    #expect(run.last("drop-point")?.text.contains("Only its path.") == true, "\(run)")
    #expect(run.last("delivered")?.argument("form") == "path", "\(run)")
    try desktop.activate("Prompt")
    try desktop.press("Return")
    try desktop.waitForText("taken", in: "Prompt")
    let typed = desktop.stage.read("typed") ?? ""
    #expect(typed.contains(desktop.stage.path("new file.txt")), "\(typed)")

    let letter = try desktop.window(.gtk3, "Letter")
    let agent = try desktop.agent()
    try desktop.activate("Prompt")
    try desktop.press("ctrl+shift+a")
    try pickUp(desktop, agent)
    try reach("Letter", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Body text field")
    try desktop.waitForText("taken", in: "Letter")
    _ = (terminal, letter)
  }

  private static let reader = """
    printf 'name? '
    read -r name
    printf %s "$name" > typed
    echo taken
    read -r end

    """
}
