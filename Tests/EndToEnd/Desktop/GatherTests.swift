import PrivateDesktop
import RealPrograms
import Testing

/// Several things from several windows, carried together.
@Suite(
  "keydrag desktop, gathering", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct GatherTests: AgentSteps {
  @Test("H23, H02: F9 gives the keys back, and the chord adds what is in focus in another window")
  func gather() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Docs/Inner/", "Docs/b.txt")
    let thunar = try desktop.thunar(("Docs", "b.txt"), ("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try desktop.press("F9")
    try agent.wait(for: "mode", "name", "adding")
    // All keys are the program's own meanwhile.
    try desktop.activate("Docs")
    try choose("b.txt", in: "Docs", desktop)
    try desktop.press(chord)
    let added = try agent.wait(for: "added")
    #expect(added.argument("name") == "b.txt" && added.argument("count") == 2, "\(added)")
    let sorted = try step("Tab", to: "Sorted", desktop, agent)
    #expect(sorted.argument("operation") == "copy", "\(sorted)")
    let delivered = try drop(at: "Sorted", desktop, agent)
    #expect(delivered.argument("count") == 2, "\(delivered)")
    #expect(desktop.stage.read("Inbox/Sorted/a.txt") == "Inbox/a.txt")
    #expect(desktop.stage.read("Inbox/Sorted/b.txt") == "Docs/b.txt")
    _ = thunar
  }

  @Test("H23: what is held already is not added twice, and the walk goes on where it was")
  func held() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try desktop.press("F9")
    try agent.wait(for: "mode", "name", "adding")
    try desktop.press(chord)
    try agent.wait(for: "refused-to-add")
    try step("Tab", to: "Sorted", desktop, agent)
    try cancel("a.txt", desktop, agent)
    _ = thunar
  }

  @Test("F1 says the keys that are taken while something is carried, and no program opens its help")
  func help() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try desktop.press("F1")
    let help = try agent.wait(for: "help")
    let keys = try #require(help.argument("keys"))
    for line in ["Enter: drop", "F4: go to a place by its name", "F9: add more items"] {
      #expect(keys.description.contains(line), "\(help)")
    }
    for key in ["Space", "Ctrl"] { #expect(!keys.description.contains(key), "\(help)") }
    // A line at a time; the Enter that leaves the list drops nothing.
    try agent.wait(for: "choice")
    try desktop.press("Return")
    try agent.wait(for: "drop-point")
    #expect(agent.records.deliveries.isEmpty)
    _ = thunar
  }

  @Test("H26: what is selected in either window stays selected, whatever is carried between them")
  func selection() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/", "Inbox/a.txt", "Docs/Inner/", "Docs/b.txt", "Docs/c.txt")
    let thunar = try desktop.thunar(("Docs", "c.txt"), ("Inbox", "a.txt"))
    try desktop.activate("Docs")
    try desktop.press("Home", "End", "shift+Up")
    try desktop.wait(for: "b.txt", in: "Docs", isSelected: true)
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", in: "Inbox", desktop, agent)
    try desktop.press("Next", "Tab")
    try agent.wait(at: "Inner")
    try drop(at: "Inner", desktop, agent)
    for name in ["b.txt", "c.txt"] {
      try desktop.wait(for: name, in: "Docs", isSelected: true)
    }
    try desktop.wait(for: "a.txt", in: "Inbox", isSelected: true)
    #expect(desktop.stage.read("Docs/Inner/a.txt") == "Inbox/a.txt")
    _ = thunar
  }
}
