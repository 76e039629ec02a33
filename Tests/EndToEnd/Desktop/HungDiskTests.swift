import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// A folder in which every look hangs: a file system of FUSE whose program never says a word.
enum HungDisk {
  /// Runs a program with such a folder, which nobody else sees and which ends with the program.
  static func runner(_ folder: String) -> [String] { OwnMounts.runner(source, folder) }

  /// Why it can't be had here; `nil` when it can.
  static let obstacle: String? = {
    do {
      let stage = try Stage("folder/")
      return try OwnMounts.obstacle(to: runner(stage.path("folder")), on: stage)
    } catch {
      return "\(error)"
    }
  }()

  private static let source = """
    try:
        fuse = os.open("/dev/fuse", os.O_RDWR)
    except OSError as trouble:
        sys.exit(str(trouble))
    os.set_inheritable(fuse, True)
    options = f"fd={fuse},rootmode=40000,user_id={user},group_id={group}"
    check(libc.mount(b"hung", place.encode(), b"fuse", 0, options.encode()), "no mount")
    """
}

@Suite(
  "A disk that hangs, on a desktop", .realPrograms(by: .waiting), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs /dev/fuse and mounts of its own") { HungDisk.obstacle == nil })
struct HungDiskTests: AgentSteps {
  /// Longer than it takes by far, and shorter than a hang.
  private let bound = Duration.seconds(60)

  /// The folder Docs in a window of the file manager, and one that hangs where another of that name
  /// would be: nobody can tell which of them it shows.
  private func stage() throws -> (desktop: DesktopStage, thunar: KeptProcess) {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt", "new.txt")
    let hung = desktop.stage.base + "/home/Docs"
    try desktop.stage.make(hung + "/")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    desktop.stage.runner = HungDisk.runner(hung)
    return (desktop, thunar)
  }

  @Test("A drop is refused with the reason, in time, and nothing is sent")
  func drop() throws {
    let (desktop, thunar) = try stage()
    let start = ContinuousClock.now
    let run = try desktop.run("drop", "new.txt", "--onto", "Docs folder view", "--copy")
    #expect(ContinuousClock.now - start < bound)
    #expect(run.status == 1, "\(run)")
    let end = try #require(run.records.deliveries.last, "\(run)")
    #expect(end["outcome"] == "refused", "\(run)")
    #expect(run.records.all.contains { $0.argument("reason") == "not-responding" }, "\(run)")
    #expect(desktop.stage.list("Docs") == ["Inner", "old.txt"])
    #expect(desktop.stage.exists("new.txt"))
    // Where all disks answer, the same drop lands.
    desktop.stage.runner = []
    let again = try desktop.run("drop", "new.txt", "--onto", "Docs folder view", "--copy")
    #expect(again.status == 0, "\(again)")
    #expect(desktop.stage.read("Docs/new.txt") == "new.txt")
    _ = thunar
  }

  @Test(
    "A file or a folder on such a disk is said not to answer, by every command that is given one")
  func file() throws {
    let (desktop, thunar) = try stage()
    let file = desktop.stage.base + "/home/Docs/file"
    let commands = [
      ["drop", file, "--onto", "Docs"], ["points", "--carrying", file],
      ["copy", "new.txt", file, "--to", "Docs"], ["copy", "new.txt", "--to", file],
      ["files", "Docs", file],
    ]
    let start = ContinuousClock.now
    let runs = try desktop.stage.run(atOnce: commands)
    #expect(ContinuousClock.now - start < bound)
    for (command, run) in zip(commands, runs) {
      #expect(run.status == 69, "\(command) \(run)")
      #expect(run.errors.contains("/home/Docs/file can't be used."), "\(command) \(run)")
    }
    #expect(desktop.stage.list("Docs") == ["Inner", "old.txt"])
    _ = thunar
  }

  @Test("A pick-up ends in time with the reason, and the agent ends when it is told to")
  func pickUp() throws {
    let (desktop, thunar) = try stage()
    let agent = try begin(desktop, at: "old.txt", in: "Docs")
    let start = ContinuousClock.now
    let answer = try pickUp(desktop, agent)
    #expect(answer.id == "nothing-to-pick-up", "\(answer)")
    #expect(answer.argument("reason") == "not-responding", "\(answer)")
    agent.signal(SIGTERM)
    let run = try agent.ended()
    #expect(ContinuousClock.now - start < bound)
    #expect(run.status == 130, "\(run)")
    _ = thunar
  }
}
