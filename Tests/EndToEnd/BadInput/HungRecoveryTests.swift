import PrivateDesktop
import RealPrograms
import Testing

/// A disk that hangs, such as a share in a network that is gone, with a delivery on it that was cut
/// short.
@Suite(
  "A delivery cut short on a disk that hangs", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs /dev/fuse and mounts of its own") { HungDisk.obstacle == nil })
struct HungRecoveryTests {
  /// Longer than it takes by far, and shorter than a hang.
  private let bound = Duration.seconds(60)

  /// What was copied to Docs is whole; what was copied to Share, after it, looks as if the run had
  /// ended in the moment before it was written down as done.
  private func stage() throws -> Stage {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/", "Share/")
    for (file, folder) in [("Inbox/b.txt", "Docs"), ("Inbox/a.txt", "Share")] {
      let run = try stage.run(["copy", file, "--to", folder])
      #expect(run.status == 0, "\(run)")
    }
    let source = """
      import sqlite3, sys
      journal = sqlite3.connect(sys.argv[1])
      newest = "(SELECT max(number) FROM entry)"
      journal.execute("UPDATE entry SET busy = '" + "0" * 32 + "' WHERE number = " + newest)
      journal.execute("UPDATE step SET state = 0 WHERE entry = " + newest)
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
    #expect(run.first("recovered")?.argument("result") == "waiting", "\(run)")
    return run
  }

  @Test("It is told that nobody knows yet, everything else goes on, and it is put right later")
  func waits() throws {
    let stage = try stage()
    #expect(try run(stage, ["history"]).status == 0)
    // What lies on another disk is taken back.
    let undone = try run(stage, ["undo"])
    #expect(undone.status == 0 && undone.ids.contains("undone"), "\(undone)")
    #expect(stage.list("Docs") == [])
    let moved = try run(stage, ["move", "Inbox/b.txt", "--to", "Docs"])
    #expect(moved.status == 0 && stage.list("Docs") == ["b.txt"], "\(moved)")
    // It answers again.
    let mended = try stage.run(["history"])
    #expect(mended.first("recovered")?.argument("result") == "finished", "\(mended)")
    #expect(stage.read("Share/a.txt") == "Inbox/a.txt")
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
