import FoundationEssentials
import Glibc
import RealPrograms
import Testing

/// A small disk of a test's own.
final class SmallDisk {
  let path: String
  private static let tool = "/usr/bin/mount"

  /// Whether this machine lets a disk be mounted; tried once.
  static let isPossible: Bool = {
    guard getuid() == 0, access(tool, X_OK) == 0, let stage = try? Stage() else { return false }
    return (try? SmallDisk(stage.base + "/disk", kilobytes: 64)) != nil
  }()

  init(_ path: String, kilobytes: Int) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.run(["-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=0755", "keydrag", path])
  }

  deinit {
    let umount = try? ChildProcess(
      ["/usr/bin/umount", "-l", path], environment: ["PATH": "/usr/bin"], folder: "/")
    _ = try? umount?.finish()
  }

  func makeReadOnly() throws { try Self.run(["-o", "remount,ro", path]) }

  private static func run(_ arguments: [String]) throws {
    let mount = try ChildProcess(
      [tool] + arguments, environment: ["PATH": "/usr/bin"], folder: "/")
    guard try mount.finish() == 0 else {
      throw Stage.Unusable(reason: String(decoding: mount.errors, as: UTF8.self))
    }
  }
}

@Suite(
  "Disks that take nothing", .realPrograms(by: .test),
  .enabled(if: SmallDisk.isPossible, "no disk may be mounted here"))
struct DiskTests {
  @Test("H13: a place without room refuses before the drop, with the reason and the remedy")
  func fullBeforeTheDrop() throws {
    let stage = try Stage("Inbox/")
    let disk = try SmallDisk(stage.path("Small"), kilobytes: 64)
    try stage.make("Inbox/large.bin", String(repeating: "x", count: 200_000))
    let run = try stage.files("Inbox", disk.path, keys: #"space "small" enter escape"#)
    #expect(
      run.ids.contains("nothing-accepts") || run.first("refused")?.argument("reason") == "no-space",
      "\(run)")
    let forced = try stage.run("copy", "Inbox/large.bin", "--to", disk.path)
    #expect(forced.status == 74 || forced.status == 1, "\(forced)")
    #expect(forced.last("refused")?.argument("reason") == "no-space", "\(forced)")
    #expect(stage.list(disk.path).isEmpty)
    #expect(stage.list("Inbox") == ["large.bin"])
  }

  @Test("A disk that fills up in the middle: the rest stays at the source, half a file is nowhere")
  func fullInTheMiddle() throws {
    let stage = try Stage("Inbox/Folder/")
    let disk = try SmallDisk(stage.path("Small"), kilobytes: 64)
    for number in 1...5 {
      try stage.make("Inbox/Folder/part\(number)", String(repeating: "x", count: 20_000))
    }
    let run = try stage.run("move", "Inbox/Folder", "--to", disk.path)
    #expect(run.status != 0, "\(run)")
    #expect(run.records.finished.first?["outcome"] == "failed", "\(run)")
    #expect(run.last("failed")?.argument("reason") == "no-space")
    #expect(
      run.said.last?.contains("Not enough space. Free some space or choose another place.") == true)
    #expect(stage.list("Inbox/Folder").count == 5)
    #expect(stage.list(disk.path).isEmpty)
  }

  @Test("H13: a read-only disk refuses with that reason, at the place and at the drop")
  func readOnly() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let disk = try SmallDisk(stage.path("Small"), kilobytes: 64)
    try stage.make("Small/b.txt")
    try disk.makeReadOnly()
    let run = try stage.files("Inbox", "Docs", disk.path, keys: #"space f8 "small" enter escape"#)
    #expect(run.records.every("drop-point").last?.argument("reason") == "read-only", "\(run)")
    #expect(run.first("refused")?.argument("reason") == "read-only")
    let direct = try stage.run("copy", "Inbox/a.txt", "--to", disk.path)
    #expect(direct.status == 77 || direct.status == 1, "\(direct)")
  }

  @Test("K12: from a read-only disk one can copy, and not move")
  func readOnlySource() throws {
    let stage = try Stage("Docs/")
    let disk = try SmallDisk(stage.path("Small"), kilobytes: 64)
    try stage.make("Small/b.txt")
    try disk.makeReadOnly()
    let moved = try stage.files(disk.path, "Docs", keys: "space f6 escape")
    #expect(moved.first("operation-unavailable")?.argument("operation") == "move", "\(moved)")
    // The place could be written to.
    let told = try stage.run("move", "Small/b.txt", "--to", "Docs")
    #expect(
      told.said == ["Failed: b.txt. It can't be removed from its folder. Nothing is lost."],
      "\(told)")
    let copied = try stage.files(disk.path, "Docs", keys: "space enter")
    #expect(copied.status == 0, "\(copied)")
    #expect(stage.list("Docs") == ["b.txt"])
  }

  @Test("H14: what can't be taken out of its folder is left where it was, by its name")
  func readOnlyPart() throws {
    let stage = try Stage("Inbox/tree/fixed/x", "Inbox/tree/y", isOrdinary: true)
    let around = try Stage()
    chmod(around.base, 0o755)
    let disk = try SmallDisk(around.path("Small"), kilobytes: 64)
    chmod(disk.path, 0o777)
    try stage.giveAway()
    stage.permit(0o555, "Inbox/tree/fixed")
    let run = try stage.run("move", "Inbox/tree", "--to", disk.path)
    #expect(
      run.said.first
        == "Moved tree to Small. Left where it was: fixed. Not permitted. Its owner can change that.",
      "\(run)")
    #expect(run.status == 1 && stage.list("Inbox/tree") == ["fixed"])
    #expect(stage.list(disk.path + "/tree") == ["y"])
    #expect(try stage.run("undo").status == 0)
    #expect(stage.list("Inbox/tree") == ["fixed", "y"] && stage.list(disk.path).isEmpty)
    // Another's file in a sticky folder can't give way.
    chmod(disk.path, 0o1777)
    try around.make("Small/y", "theirs")
    let replacing = try stage.run(
      "copy", "Inbox/tree/y", "--to", disk.path, "--clash", "replace")
    #expect(
      replacing.said == ["Failed: y. It can't be removed from its folder. Nothing is lost."],
      "\(replacing)")
  }

  @Test("H13: a file with holes is copied where what is in it has room")
  func sparse() throws {
    let stage = try Stage("Inbox/")
    let disk = try SmallDisk(stage.path("Small"), kilobytes: 64)
    try stage.make("Inbox/image", "begins")
    try #require(truncate(stage.path("Inbox/image"), 1 << 20) == 0)
    let run = try stage.run("copy", "Inbox/image", "--to", disk.path)
    #expect(run.status == 0 && stage.read("Small/image")?.utf8.count == 1 << 20, "\(run)")
  }

  @Test("H13: a folder with a disk in it is not promised to go to the trash")
  func mountedInside() throws {
    let stage = try Stage("Inbox/tree/")
    let disk = try SmallDisk(stage.path("Inbox/tree/stick"), kilobytes: 64)
    let run = try stage.files("Inbox", keys: #"space "trash" enter escape"#)
    #expect(
      run.said.contains("Trash: refuses, another disk is mounted there."), "\(run) \(disk.path)")
  }

  @Test("A journal on a read-only disk: said once, asked about once, and the delivery goes on")
  func readOnlyJournal() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let disk = try SmallDisk(stage.base + "/state", kilobytes: 64)
    try disk.makeReadOnly()
    let held = try stage.files("Inbox", "Docs", keys: "space enter enter escape")
    #expect(held.first("confirm") != nil && stage.list("Docs") == [], "\(held)")
    let run = try stage.files("Inbox", "Docs", keys: "space enter down enter")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.every("problem").count == 1, "\(run)")
    #expect(stage.list("Docs") == ["a.txt"])
  }

  @Test(
    "A slash behind a link means the folder that it leads to, and a link that leads nowhere is none"
  )
  func slash() throws {
    let stage = try Stage("Real/x", "Docs/")
    stage.link("Link", to: "Real")
    stage.link("Nothing", to: "nowhere")
    let run = try stage.run("copy", "Link/", "--to", "Docs")
    #expect(run.status == 0 && stage.read("Docs/Real/x") == "Real/x", "\(run)")
    #expect(try stage.run("copy", "Link", "--to", "Docs").status == 0)
    #expect(stage.tree["Docs/Link"] == "-> Real")
    let missing = try stage.run("copy", "Real/x", "--to", "Nothing", transcript: false)
    #expect(missing.errors == "keydrag: There is no folder Nothing.\n")
  }

  @Test(
    "K13: a folder of the history that hangs is named to root, too, and the program ends",
    .enabled("needs root") { geteuid() == 0 },
    .enabled("needs /dev/fuse and mounts of its own") { HungDisk.obstacle == nil },
    arguments: [["history"], ["copy", "a.txt", "--to", "Docs"]])
  func hungState(words: [String]) throws {
    let stage = try Stage("a.txt", "Docs/")
    try stage.make(stage.base + "/state/")
    stage.runner = HungDisk.runner(stage.base + "/state")
    let run = try stage.run(words, transcript: false)
    #expect(run.status == 69, "\(run)")
    #expect(run.errors.contains("state can't be used. It is not responding."), "\(run)")
    #expect(stage.exists("a.txt") && !stage.exists("Docs/a.txt"))
  }

  @Test("H06 H08: where the old file would have no trash, nobody is offered to replace it")
  func noTrashForTheOld() throws {
    // Nothing can be made at the top of the disk; what is moved there goes to the trash at home.
    let (stage, around) = (try Stage("Docs/a.txt", isOrdinary: true), try Stage())
    let disk = try SmallDisk(around.path("Small"), kilobytes: 64)
    try around.make("Small/Mine/a.txt")
    chmod(around.base, 0o755)
    try stage.giveAway()
    OrdinaryUser.own(disk.path + "/Mine")
    let keys = #"space f5 "Mine" enter end escape escape"#
    let asked = try stage.files("Docs", disk.path + "/Mine", keys: keys)
    #expect(asked.said.contains { $0.hasPrefix("a.txt exists in Mine.") }, "\(asked)")
    #expect(!asked.said.contains { $0.contains("Replace") }, "\(asked)")
    let words = ["copy", "Docs/a.txt", "--to", disk.path + "/Mine"]
    let ordered = try stage.run(words + ["--clash", "replace"])
    #expect(ordered.status == 1, "\(ordered)")
    #expect(
      ordered.said.contains(
        "Failed: a.txt. There is no trash for the old one. Keep both instead. Nothing is lost."),
      "\(ordered)")
    #expect(around.read("Small/Mine/a.txt") == "Small/Mine/a.txt")
    let kept = try stage.run(words + ["--clash", "keep-both"])
    #expect(kept.status == 0 && around.exists("Small/Mine/a (2).txt"), "\(kept)")
  }

  @Test("H06 H08: where there is no trash one is asked first, and the first choice loses nothing")
  func noTrash() throws {
    // The user may write in a folder, not at the top of the disk, where its trash would be.
    let (stage, around) = (try Stage("Docs/", isOrdinary: true), try Stage())
    let disk = try SmallDisk(around.path("Small"), kilobytes: 64)
    try around.make("Small/Mine/b.txt")
    chmod(around.base, 0o755)
    // Nor in the home, whose trash takes what no other can.
    try stage.giveAway()
    stage.permit(0o500, stage.base + "/data")
    OrdinaryUser.own(disk.path + "/Mine")
    let keys = #"space "trash" enter enter escape"#
    let held = try stage.files(disk.path + "/Mine", "Docs", keys: keys)
    #expect(held.first("confirm")?.argument("reason") == "no-trash", "\(held)")
    #expect(held.said.contains { $0.hasPrefix("Deleting can't be undone.") })
    #expect(around.exists("Small/Mine/b.txt"))
    let agreed = try stage.files(
      disk.path + "/Mine", "Docs", keys: #"space "trash" enter down enter"#)
    #expect(agreed.status == 0, "\(agreed)")
    #expect(!around.exists("Small/Mine/b.txt"))
  }
}
