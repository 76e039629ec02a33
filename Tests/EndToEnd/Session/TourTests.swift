import FoundationEssentials
import Glibc
import RealPrograms
import Testing

@Suite("keydrag tour", .realPrograms(by: .test))
struct TourTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.make("../temporary/")
    stage.variables["TMPDIR"] = stage.base + "/temporary"
    return stage
  }

  private func left(_ stage: Stage) -> [String] { stage.list(stage.base + "/temporary") }

  private func steps(_ run: KeydragRun) -> [Value?] {
    run.records.all.filter { $0.kind == "announcement" && $0.id == "lesson" }
      .map { $0.argument("index") }
  }

  @Test("Each of five steps is told, the next one when it has been done; nothing is left behind")
  func whole() throws {
    let stage = try stage()
    let run = try stage.run(
      "tour", "--speech", "off", "--keys",
      "space tab f2 enter @delivered ctrl+z @undone ctrl+q")
    #expect(run.status == 0, "\(run)")
    #expect(steps(run) == [1, 2, 3, 4, 5, nil], "\(run)")
    let said = run.said.filter { $0.contains("Step ") || $0.contains("tour") }
    #expect(
      said == [
        "A tour in a folder of its own, which is removed at the end. Escape leaves it. "
          + "Step 1 of 5. Space: pick up.",
        "Step 2 of 5. Tab: next place.", "Step 3 of 5. F2: where am I.",
        "Step 4 of 5. Enter: drop.", "Step 5 of 5. Ctrl+Z: undo.",
        "That was the tour. Escape leaves it, and keydrag files opens your own folder.",
      ])
    #expect(left(stage) == [])
    let history = try stage.run("history", "--speech", "off")
    #expect(!history.said.contains { $0.contains("notes.txt") }, "\(history)")
  }

  @Test("A step that is not done is waited for, and a drag that ends begins anew")
  func otherwise() throws {
    let stage = try stage()
    let run = try stage.run(
      "tour", "--speech", "off", "--keys",
      "ctrl+z down space escape space enter @delivered ctrl+z @undone ctrl+q")
    #expect(steps(run) == [1, 2, 1, 2, 5, nil], "\(run)")
    #expect(left(stage) == [])
  }

  @Test(
    "It is left by Escape while nothing is held, and by Ctrl+Q", arguments: ["escape", "ctrl+q"])
  func skipped(key: String) throws {
    let stage = try stage()
    let run = try stage.run("tour", "--speech", "off", "--keys", key + " space")
    #expect(run.status == 0, "\(run)")
    #expect(steps(run) == [1] && run.ids.last == "goodbye", "\(run)")
    #expect(left(stage) == [])
  }

  @Test("One that is ended from outside leaves nothing behind")
  func terminated() throws {
    let stage = try stage()
    let child = try stage.start(
      ["tour", "--speech", "off", "--keys", "-", "--transcript", "-"], hasInput: true)
    let run = LiveRun(child)
    try run.wait(for: "lesson")
    #expect(left(stage).count == 1)
    run.signal(SIGTERM)
    #expect(try run.ended().status == 130)
    #expect(left(stage) == [])
  }

  @Test("Where it can have no folder, it says so")
  func noFolder() throws {
    let stage = try stage()
    stage.variables["TMPDIR"] = stage.base + "/nowhere"
    let run = try stage.run("tour", "--keys", "escape", transcript: false)
    #expect(run.status == 66, "\(run)")
    #expect(run.errors.contains("/nowhere can't be used."), "\(run)")
  }

  @Test(
    "keydrag mentions the tour once, to a person at a terminal",
    .enabled(if: TerminalRun.isPossible, "tmux is not installed"))
  func mention() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt")
    let mention = "keydrag tour shows drag and drop in five steps."
    let script = try stage.files("Inbox", keys: "ctrl+q")
    #expect(!script.said.contains(mention))
    let terminal = try TerminalRun(stage)
    try terminal.enter("keydrag files Inbox --speech off --transcript one.jsonl")
    try terminal.wait("the tour behind the first words") {
      $0.contains("Space picks up. keydrag tour")
    }
    try terminal.press("C-q")
    try terminal.wait("the shell again") { $0.contains("shell>") && $0.contains("Goodbye.") }
    #expect(stage.read("one.jsonl")?.ranges(of: mention).count == 1)
    try terminal.enter("keydrag files Inbox --speech off --transcript two.jsonl")
    try terminal.waitForCursor(on: "a.txt")
    try terminal.press("Down")
    try terminal.waitForCursor(on: "b.txt")
    #expect(stage.read("two.jsonl")?.contains(mention) == false)
  }
}
