import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// What the person had copied stays in the clipboard, also when the program that used it has ended.
@Suite(
  "The clipboard after a run, on a desktop", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct ClipboardTests {
  /// A folder in the file manager that takes drops by its Paste command only, and a file to be dropped.
  private func stage() throws -> (DesktopStage, KeptProcess) {
    let desktop = try DesktopStage("Docs/Inner/", "new.txt", "other.txt")
    try desktop.pasteIntoThunar()
    return (desktop, try desktop.thunar(("Docs", "Inner")))
  }

  private func drop(_ file: String, _ desktop: DesktopStage) throws {
    let run = try desktop.run("drop", file, "--onto", "Docs")
    #expect(run.status == 0 && run.records.finished.first?["route"] == "menu", "\(run)")
    #expect(desktop.stage.exists("Docs/" + file))
  }

  @Test(
    "After a drop through Paste the clipboard is what it was, byte for byte in each form, with and without a clipboard manager",
    arguments: Thorough.cases(
      ordinarily: 2,
      of: [nil, .keepsAll, .keepsText, .refuses, .hangs] as [ClipboardPrograms.Manager?]))
  func drop(_ kind: ClipboardPrograms.Manager?) throws {
    let (desktop, thunar) = try stage()
    let manager = try kind.map { try ClipboardPrograms.manager($0, on: desktop) }
    if kind == .hangs { manager?.signal(SIGSTOP) }
    let owner = try ClipboardPrograms.copy("before ü", on: desktop)
    let before = try ClipboardPrograms.paste(on: desktop)
    #expect(before.contains("image/png 3012000") && before.contains("application/x-odd 256"))
    try drop("new.txt", desktop)
    owner.end()
    #expect(try ClipboardPrograms.paste(on: desktop) == before)
    if let kind, kind != .hangs { #expect(try manager?.line() == "asked") }
    #expect(try (ClipboardHolderProcess(on: desktop) == nil) == (kind == .keepsAll))
    _ = thunar
  }

  @Test("What holds the clipboard holds nothing else, and ends when another program copies")
  func replaced() throws {
    let (desktop, thunar) = try stage()
    var owner = try ClipboardPrograms.copy("before", on: desktop)
    let before = try ClipboardPrograms.paste(on: desktop)
    try drop("new.txt", desktop)
    owner.end()
    let first = try #require(try ClipboardHolderProcess(on: desktop))
    #expect(try first.streams == ["/dev/null", "/dev/null", "/dev/null"])
    // The next run takes it from there and hands it on.
    try drop("other.txt", desktop)
    try first.waitForEnd()
    #expect(try ClipboardPrograms.paste(on: desktop) == before)
    let second = try #require(try ClipboardHolderProcess(on: desktop))
    owner = try ClipboardPrograms.copy("after", on: desktop)
    try second.waitForEnd()
    _ = (owner, thunar)
  }

  @Test(
    "What holds the clipboard ends with the display, and there is none for an empty clipboard",
    .thorough)
  func displayGoes() throws {
    let (desktop, thunar) = try stage()
    try drop("other.txt", desktop)
    #expect(try ClipboardHolderProcess(on: desktop) == nil)
    let owner = try ClipboardPrograms.copy("before", on: desktop)
    try drop("new.txt", desktop)
    let holder = try #require(try ClipboardHolderProcess(on: desktop))
    desktop.desktop.killDisplay()
    try holder.waitForEnd()
    _ = (owner, thunar)
  }

  @Test("A secret is given to no clipboard manager")
  func secret() throws {
    let (desktop, thunar) = try stage()
    let manager = try ClipboardPrograms.manager(.keepsAll, on: desktop)
    let owner = try ClipboardPrograms.copy("password", isSecret: true, on: desktop)
    let before = try ClipboardPrograms.paste(on: desktop)
    try drop("new.txt", desktop)
    owner.end()
    #expect(try ClipboardPrograms.paste(on: desktop) == before)
    #expect(try ClipboardHolderProcess(on: desktop) != nil)
    // The manager was asked for nothing before this.
    let next = try ClipboardPrograms.copy("no secret", on: desktop)
    try drop("other.txt", desktop)
    #expect(try manager.line() == "asked")
    #expect(try ClipboardHolderProcess(on: desktop) == nil)
    _ = (next, thunar)
  }

  @Test("When the agent has ended the clipboard is what it was before something was picked up")
  func agent() throws {
    let desktop = try DesktopStage("Inbox/a.txt", "Inbox/b.txt", "Docs/Inner/")
    try desktop.desktop.chooseThunarView(.icons)
    let thunar = try desktop.desktop.start(["/usr/bin/thunar", desktop.stage.path("Inbox")])
    try desktop.activate("Inbox")
    let owner = try ClipboardPrograms.copy("before", on: desktop)
    let before = try ClipboardPrograms.paste(on: desktop)
    let agent = try desktop.agent()
    var answer: Record?
    for _ in 0..<5 where answer?.id != "picked-up" {
      try desktop.press("ctrl+a", "ctrl+alt+space")
      answer = try agent.wait("an answer to the chord") {
        $0.id == "picked-up" || $0.id == "nothing-to-pick-up"
      }
    }
    #expect(answer?.argument("names") == ["a.txt", "b.txt"], "\(agent.records)")
    agent.signal(SIGTERM)
    _ = try agent.ended()
    owner.end()
    #expect(try ClipboardPrograms.paste(on: desktop) == before)
    _ = thunar
  }
}
