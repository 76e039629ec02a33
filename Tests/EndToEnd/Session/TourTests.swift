import Foundation
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
        "A tour. Escape leaves it. Step 1 of 5. Space: pick up.",
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
    #expect(steps(run) == [1, 1, 2, 1, 2, 5, nil], "\(run)")
    #expect(left(stage) == [])
  }

  @Test(
    "K21 a key that leads nowhere, F2, F3 and help have the step told again, and its keys are told once"
  )
  func again() throws {
    let stage = try stage()
    let run = try stage.run(
      "tour", "--speech", "off", "--keys", "x f2 f3 ? escape space f2 @holding f3 escape ctrl+q")
    #expect(steps(run) == [1, 1, 1, 1, 1, 1, 2, 2, 2, 1], "\(run)")
    let lessons = run.ids.indices.filter { run.ids[$0] == "lesson" }
    #expect(lessons.last == run.ids.lastIndex { $0 != "goodbye" }, "\(run)")
    #expect(
      !run.said.contains { $0.contains("Space picks up") || $0.contains("Tab walks") }, "\(run)")
  }

  @Test(
    "Nothing but its folder is reached: neither the trash nor a program, a path or what is pasted")
  func folder() throws {
    let stage = try stage()
    let run = try stage.run(
      "tour", "--speech", "off", "--keys",
      "ctrl+o ctrl+v ctrl+n f4 backspace space " + String(repeating: "tab ", count: 6)
        + "escape ctrl+q")
    #expect(run.status == 0, "\(run)")
    let places = ["Docs", "Pictures", "Trash"].filter { place in
      run.records.states.contains { $0["dropPoint"] == .text(place) }
    }
    #expect(places == ["Docs", "Pictures"], "\(run)")
    #expect(!run.said.contains { $0.contains("Trash") }, "\(run)")
    #expect(run.ids.filter { $0 == "unknown-key" }.count >= 3, "\(run)")
  }

  @Test("Its first words take less than eight seconds")
  func opening() throws {
    let stage = try stage()
    let run = try stage.run("tour", "--speech", "words.wav", "--keys", "ctrl+q")
    #expect(run.status == 0, "\(run)")
    // 16 bits a sample at 22,050 a second, behind a head; "Goodbye." is in it.
    let bytes = try Data(contentsOf: URL(filePath: stage.work + "/words.wav")).count
    #expect((Double(bytes) - 44) / 44_100 < 8.5, "\(bytes)")
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
  func folderMiss() throws {
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
