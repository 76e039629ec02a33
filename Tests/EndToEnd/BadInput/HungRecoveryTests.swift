import PrivateDesktop
import RealPrograms
import Testing

/// A disk that hangs, such as a share in a network that is gone, with a delivery on it that was cut
/// short.
@Suite(
  "A delivery cut short on a disk that hangs", .realPrograms(by: .waiting), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs /dev/fuse and mounts of its own") { HungDisk.obstacle == nil })
struct HungRecoveryTests {
  /// Longer than it takes by far, and shorter than a hang.
  private let bound = Duration.seconds(60)

  /// What was copied to Docs is whole; what was copied to Share, and after it to Near, looks as if
  /// each run had ended in the moment before it was written down as done.
  private func stage() throws -> Stage {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/", "Share/", "Near/")
    let copies = [("Inbox/b.txt", "Docs"), ("Inbox/a.txt", "Share"), ("Inbox/a.txt", "Near")]
    for (file, folder) in copies {
      let run = try stage.run(["copy", file, "--to", folder])
      #expect(run.status == 0, "\(run)")
    }
    let source = """
      import sqlite3, sys
      journal = sqlite3.connect(sys.argv[1])
      for number in (2, 3):
          journal.execute("UPDATE entry SET busy = ? WHERE number = ?", (str(number) * 32, number))
          journal.execute("UPDATE step SET state = 0 WHERE entry = ?", (number,))
      journal.commit()
      """
    let journal = stage.base + "/state/keydrag/history.sqlite"
    let child = try ChildProcess(
      ["/usr/bin/python3", "-c", source, journal], environment: stage.environment,
      folder: stage.work)
    #expect(try child.finish() == 0, "\(String(decoding: child.errors, as: UTF8.self))")
    return stage
  }

  /// A run while Share hangs, which ends in time.
  private func run(_ stage: Stage, _ arguments: [String]) throws -> KeydragRun {
    stage.runner = HungDisk.runner(stage.path("Share"))
    defer { stage.runner = [] }
    let start = ContinuousClock.now
    let run = try stage.run(arguments)
    #expect(ContinuousClock.now - start < bound)
    #expect(results(run).contains("waiting"), "\(run)")
    return run
  }

  private func results(_ run: KeydragRun) -> [Value?] {
    run.records.every("recovered").map { $0.argument("result") }
  }

  @Test("It is told that nobody knows yet, everything else goes on, and it is put right later")
  func waits() throws {
    let stage = try stage()
    let first = try run(stage, ["history"])
    #expect(first.status == 0, "\(first)")
    // What lies on a disk that answers does not wait for the other.
    #expect(results(first) == ["finished", "waiting"], "\(first)")
    #expect(try run(stage, ["undo"]).ids.contains("undone"))
    #expect(stage.list("Near") == [])
    // What lies on another disk is taken back.
    let undone = try run(stage, ["undo"])
    #expect(undone.status == 0 && undone.ids.contains("undone"), "\(undone)")
    #expect(stage.list("Docs") == [])
    let moved = try run(stage, ["move", "Inbox/b.txt", "--to", "Docs"])
    #expect(moved.status == 0 && stage.list("Docs") == ["b.txt"], "\(moved)")
    // It answers again.
    let mended = try stage.run(["history"])
    #expect(results(mended) == ["finished"], "\(mended)")
    #expect(stage.read("Share/a.txt") == "Inbox/a.txt")
  }

  @Test("H19: a disk of the history that hangs is told by its name, and nothing waits for it")
  func history() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", isOrdinary: true)
    try stage.giveAway()
    stage.runner = HungDisk.runner(stage.base + "/state")
    for command in [
      ["copy", "Inbox/a.txt", "--to", "Docs"], ["history"], ["undo"],
      ["files", "Inbox", "Docs", "--keys", "space enter", "--speech", "off"],
    ] {
      let run = try stage.run(command, transcript: false)
      #expect(run.status == 69, "\(run)")
      #expect(run.errors.contains("state can't be used. It is not responding."), "\(run)")
    }
    #expect(stage.list("Docs").isEmpty)
  }

  @Test("A whole session works beside it, and ends when it is told to")
  func session() throws {
    let stage = try stage()
    let run = try run(stage, ["files", "Inbox", "Docs", "--keys", "space enter ctrl+z ctrl+q"])
    #expect(run.status == 0, "\(run)")
    #expect(run.ids.contains("delivered") && run.ids.contains("undone"), "\(run)")
    #expect(stage.list("Docs") == ["b.txt"])
  }
}
