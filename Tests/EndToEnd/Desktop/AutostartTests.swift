import FoundationEssentials
import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "keydrag desktop --autostart", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(2)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct AutostartTests {
  private static let file = "config/autostart/keydrag-desktop.desktop"

  @Test("What is written starts the agent as a desktop starts it, and is taken away again")
  func starts() throws {
    let desktop = try DesktopStage()
    let path = desktop.stage.base + "/" + Self.file
    // A path with what means something in such a file; GLib finds no program with a percent sign.
    let program = desktop.stage.base + "/a \"b\" $HOME `c` d \\e/keydrag"
    try desktop.stage.make("../a \"b\" $HOME `c` d \\e/")
    // By another process: what a child of ours still holds open can't be run.
    let copy = try ChildProcess(
      ["/bin/cp", try Program.path("keydrag"), program], environment: [:], folder: "/")
    #expect(try copy.finish() == 0)
    let on = try ChildProcess(
      [program, "desktop", "--autostart", "--lang", "en"], environment: desktop.stage.environment,
      folder: desktop.stage.work)
    #expect(try on.finish() == 0)
    #expect(
      String(decoding: on.output, as: UTF8.self) == "keydrag desktop starts whenever you log in.\n")
    // By the library with which desktops do it.
    let variables = desktop.stage.environment
    let starter = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.starter, path], adding: variables)
    #expect(try starter.line() == "started")
    let end = ContinuousClock.now + .seconds(60)
    var told = ""
    while !told.contains("keydrag desktop runs already."), ContinuousClock.now < end {
      told = try desktop.run("doctor", transcript: false).output
    }
    #expect(told.contains("keydrag desktop runs already."), "\(told)")
    let off = try desktop.run("desktop", "--no-autostart")
    #expect(
      off.status == 0 && off.said == ["keydrag desktop does not start when you log in."], "\(off)")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try desktop.run("desktop", "--no-autostart").status == 0)
  }

  @Test("What can't be written or does not go together is said")
  func mistakes() throws {
    let stage = try Stage()
    try stage.make("../config/autostart")
    let run = try stage.run("desktop", "--autostart", transcript: false)
    #expect(run.status == 66, "\(run)")
    #expect(run.errors.contains("keydrag-desktop.desktop can't be used."), "\(run)")
    let both = try stage.run("desktop", "--autostart", "--keys", "escape", transcript: false)
    #expect(both.status == 64, "\(both)")
    #expect(both.errors.contains("--autostart or --no-autostart without --keys"), "\(both)")
  }

  private static let starter = """
    import signal, sys
    from gi.repository import Gio
    program = Gio.DesktopAppInfo.new_from_filename(sys.argv[1])
    if program and program.launch([], None):
        print("started")
    signal.pause()
    """
}
