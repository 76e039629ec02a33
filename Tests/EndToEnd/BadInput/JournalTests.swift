import FoundationEssentials
import Glibc
import RealPrograms
import Testing

@Suite("A journal that can't be used", .realPrograms(by: .test))
struct JournalTests {
  private let file = "/state/keydrag/history.sqlite"

  /// A journal with one entry in it.
  private func stage(isOrdinary: Bool = false) throws -> Stage {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/", isOrdinary: isOrdinary)
    let run = try stage.run("move", "Inbox/a.txt", "--to", "Docs")
    #expect(run.status == 0, "\(run)")
    return stage
  }

  private func expectDeliveryGoesOn(_ stage: Stage, _ reason: Value) throws {
    let run = try stage.run("copy", "Inbox/b.txt", "--to", "Docs")
    #expect(run.status == 0, "\(run)")
    let problem = try #require(run.first("problem"), "\(run)")
    #expect(problem.text.hasPrefix("The history can't be written"))
    #expect(run.records.every("problem").count == 1)
    #expect(run.ids.last == "delivered" || run.ids.contains("delivered"))
    #expect(stage.list("Docs") == ["a.txt", "b.txt"])
    let undo = try stage.run("undo")
    #expect(undo.status == 69, "\(undo)")
    #expect(undo.first("cannot-undo")?.argument("reason") == reason)
    #expect(stage.list("Docs") == ["a.txt", "b.txt"])
  }

  @Test("A damaged journal: said once, the delivery goes on, undo is refused with the reason")
  func damaged() throws {
    let stage = try stage()
    for suffix in ["-wal", "-shm"] { try? stage.remove(stage.base + file + suffix) }
    try stage.make(stage.base + file, String(repeating: "not a database ", count: 1000))
    try expectDeliveryGoesOn(stage, "journal-unavailable")
  }

  @Test(
    "H08: where HOME can't be written it is asked about before a drop that it can't be undone, once",
    .enabled(if: OrdinaryUser.isPossible))
  func foreignHome() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/", isOrdinary: true)
    stage.variables = ["HOME": "/usr", "XDG_STATE_HOME": ""]
    let session = try stage.files(
      "Inbox", "Docs", keys: "space enter down enter @delivered space enter")
    let said = try #require(session.ids.firstIndex(of: "problem"), "\(session)")
    #expect(said < session.ids.firstIndex(of: "ready") ?? 0, "\(session)")
    #expect(session.records.every("problem").count == 1)
    #expect(session.said[said].contains("What is done now can't be undone later."))
    #expect(session.records.every("confirm").count == 1, "\(session)")
    #expect(stage.list("Docs") == ["a.txt", "b.txt"])
    let command = try stage.run("copy", "Docs/a.txt", "--to", "Inbox")
    let words = command.ids
    #expect(words.firstIndex(of: "problem") ?? 9 < words.firstIndex(of: "delivered") ?? 0)
    let undo = try stage.run("undo")
    #expect(undo.status == 69 && !undo.ids.contains("nothing-to-undo"), "\(undo)")
    let history = try stage.run("history", transcript: false)
    #expect(history.status == 69 && !history.output.contains("Nothing"), "\(history)")
  }

  @Test(
    "K19: root makes nothing in somebody else's folders, and what root has left is mended by one command",
    .enabled(if: getuid() == 0 && OrdinaryUser.isPossible))
  func root() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    for folder in ["state", "data"] { OrdinaryUser.own(stage.base + "/" + folder) }
    #expect(try stage.run("copy", "Inbox/a.txt", "--to", "Docs").status == 0)
    #expect(try stage.run("move", "Docs/a.txt", "--to", ".").status == 0)
    #expect(stage.list(stage.base + "/state") + stage.list(stage.base + "/data") == [])
    #expect(try stage.run("undo").ids.contains("undone"))
    // Left behind by a program that did not look.
    let left = stage.base + "/home/left"
    try stage.make(left + "/keydrag/")
    OrdinaryUser.own(stage.base + "/home")
    for folder in [left, left + "/keydrag"] { chown(folder, 0, 0) }
    for folder in [stage.base, stage.base + "/config", stage.work] { chmod(folder, 0o755) }
    stage.variables["XDG_STATE_HOME"] = left
    stage.runner = OrdinaryUser.command
    let doctor = try stage.run("doctor", transcript: false)
    #expect(
      doctor.output.contains("As administrator: chown -R 65534 \(left)"), "\(doctor)")
  }

  @Test("A journal of a newer version is not written, and undo says to use the newer program")
  func newer() throws {
    let stage = try stage()
    try stage.setJournalVersion(99)
    let undo = try stage.run("undo")
    #expect(undo.status == 69, "\(undo)")
    #expect(undo.first("cannot-undo")?.argument("reason") == "journal-newer")
    #expect(undo.said.last?.contains("Use the newer keydrag.") == true)
    let history = try stage.run("history", transcript: false)
    #expect(history.output.contains("moved a.txt to Docs"), "\(history)")
    let copy = try stage.run("copy", "Inbox/b.txt", "--to", "Docs")
    #expect(copy.status == 0, "\(copy)")
    #expect(copy.ids.contains("problem"))
    #expect(stage.list("Docs") == ["a.txt", "b.txt"])
  }

  @Test(
    "A journal in a folder that may not be written: said, and the delivery goes on",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"))
  func readOnly() throws {
    let stage = try stage(isOrdinary: true)
    chmod(stage.base + file, 0o400)
    stage.permit(0o500, stage.base + "/state/keydrag")
    defer { stage.permit(0o700, stage.base + "/state/keydrag") }
    let run = try stage.run("copy", "Inbox/b.txt", "--to", "Docs")
    #expect(run.status == 0, "\(run)")
    #expect(stage.list("Docs") == ["a.txt", "b.txt"])
  }

  @Test("A second run at the same time shares the journal: both are undone, newest first")
  func twoRuns() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let first = try stage.live("Inbox", "Docs")
    let second = try stage.live("Inbox", "Docs")
    first.type("f5 enter")
    second.type("end f5 enter")
    try first.wait(for: "delivered")
    try second.wait(for: "delivered")
    second.type("ctrl+z ctrl+z")
    try second.wait(for: "undone")
    try second.wait(for: "undone")
    #expect(try first.finish().status == 0)
    #expect(try second.finish().status == 0)
    #expect(stage.list("Docs").isEmpty)
    #expect(stage.list("Inbox") == ["a.txt", "b.txt"])
  }
}

extension Stage {
  /// Sets the version in the header of a database (SQLite file format, offset 60), when all of it is
  /// in the file.
  func setJournalVersion(_ version: UInt8) throws {
    let path = base + "/state/keydrag/history.sqlite"
    let wal = FileManager.default.contents(atPath: path + "-wal") ?? Data()
    guard wal.isEmpty else { throw Unusable(reason: "the journal is still open") }
    guard var bytes = FileManager.default.contents(atPath: path), bytes.count > 100 else {
      throw Unusable(reason: "there is no journal")
    }
    bytes[63] = version
    try bytes.write(to: URL(filePath: path))
  }

  /// Makes a socket with a name.
  func socket(_ path: String) throws {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(self.path(path).utf8)
    guard bytes.count < 100 else { throw Unusable(reason: "the path is too long for a socket") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let made = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard made == 0 else { throw Unusable(reason: "errno \(errno)") }
  }
}
