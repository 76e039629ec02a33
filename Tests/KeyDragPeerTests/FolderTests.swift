import Foundation
import Glibc
import KeyDragCore
import KeyDragThreads
import PeerBasket
import Testing

@testable import KeyDragPeer

@Suite struct FolderTests {
  @Test("The folder is made for its user alone")
  func made() throws {
    let stage = try PeerStage()
    _ = try stage.folder()
    var status = stat()
    #expect(stat(stage.meeting, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    #expect(status.st_uid == geteuid())
    _ = try PeerFolder(environment: ["XDG_RUNTIME_DIR": stage.base])
  }

  @Test(
    "A folder that others may look into is refused, and said", arguments: [0o750, 0o701, 0o777])
  func open(mode: Int) throws {
    let stage = try PeerStage()
    mkdir(stage.meeting, 0o700)
    chmod(stage.meeting, mode_t(mode))
    #expect(throws: PeerError.notPrivate(folder: stage.meeting)) { try stage.folder() }
    let problem = try #require(PeerError.notPrivate(folder: stage.meeting).problem)
    #expect(
      Phrasebook().problemText(problem)
        == "Other keydrag programs can't be reached: \(stage.meeting) must be your own folder "
        + "and closed to others. Remove it.")
  }

  @Test("A link or a file in the folder's place is refused")
  func link() throws {
    let stage = try PeerStage()
    mkdir(stage.base + "/elsewhere", 0o700)
    symlink(stage.base + "/elsewhere", stage.meeting)
    #expect(throws: PeerError.notPrivate(folder: stage.meeting)) { try stage.folder() }
    unlink(stage.meeting)
    #expect(FileManager.default.createFile(atPath: stage.meeting, contents: nil))
    #expect(throws: PeerError.notPrivate(folder: stage.meeting)) { try stage.folder() }
  }

  @Test("Without a runtime folder, or with one whose name is too long, that is said")
  func impossible() throws {
    #expect(throws: PeerError.noRuntimeFolder) { try PeerFolder(environment: [:]) }
    #expect(throws: PeerError.noRuntimeFolder) {
      try PeerFolder(environment: ["XDG_RUNTIME_DIR": "run"])
    }
    let stage = try PeerStage()
    let long = stage.base + "/" + String(repeating: "x", count: 80)
    mkdir(long, 0o700)
    #expect(throws: PeerError.pathTooLong(folder: long + "/keydrag")) {
      try PeerFolder(environment: ["XDG_RUNTIME_DIR": long])
    }
    #expect(PeerSocket.reason(EIO) == .deviceError && PeerSocket.reason(ENOTCONN) == .notResponding)
    #expect(throws: PeerError.failed(.gone)) {
      try PeerFolder(environment: ["XDG_RUNTIME_DIR": stage.base + "/nowhere"])
    }
  }

  @Test("The longest folder that is let through leaves room for any socket's name")
  func longest() throws {
    let stage = try PeerStage()
    let room = LocalSocket.longestPath - 1 - PeerName(process: .max, random: .max).text.utf8.count
    let path = stage.base + "/" + String(repeating: "x", count: room - stage.base.utf8.count - 1)
    let folder = try PeerFolder(path: path)
    let descriptor = try PeerSocket.listen(in: folder, as: PeerName(process: .max, random: .max))
    close(descriptor)
    #expect(throws: PeerError.pathTooLong(folder: path + "x")) { try PeerFolder(path: path + "x") }
  }

  @Test("A socket whose program is gone is removed by whoever finds it; nothing else is touched")
  func stale() async throws {
    let stage = try PeerStage()
    let folder = try stage.folder()
    // Bound and then closed: what a program that was ended leaves behind.
    let dead = PeerName(process: 4_000_001, random: 1)
    close(try PeerSocket.listen(in: folder, as: dead))
    let link = PeerName(process: 4_000_002, random: 2).text
    symlink(dead.text, folder.path(of: link))
    let file = PeerName(process: 4_000_003, random: 3).text
    #expect(FileManager.default.createFile(atPath: folder.path(of: file), contents: nil))
    #expect(FileManager.default.createFile(atPath: folder.path(of: "notes.txt"), contents: nil))
    #expect(stage.names.count == 4)
    // The world that looks around here has found everything when it has found this one.
    let service = try PeerService(in: folder, program: "last", places: BasketWorld())
    let world = try PeerWorld(in: stage.folder(), program: "looks", patience: .calm)
    let reports = ReportBox()
    world.observe { reports.add($0) }
    _ = await reports.appearance()
    world.close()
    service.close()
    #expect(Set(stage.names) == [link, file, "notes.txt"])
  }

  @Test("What the kernel tells of a folder is read to its end, whatever it is")
  func events() {
    func event(_ mask: Int32, _ name: String) -> [UInt8] {
      var padded = Array(name.utf8)
      while !padded.count.isMultiple(of: 16) { padded.append(0) }
      let numbers: [UInt32] = [1, UInt32(bitPattern: mask), 0, UInt32(padded.count)]
      return numbers.flatMap { withUnsafeBytes(of: $0, Array.init) } + padded
    }
    func read(_ bytes: [UInt8]) -> [FolderEvents.Event] {
      bytes.withUnsafeBytes { FolderEvents.events($0) }
    }
    let moved = Int32(IN_MOVED_TO)
    let both = event(moved, "a.sock") + event(Int32(IN_Q_OVERFLOW), "")
    #expect(read(both) == [.came("a.sock"), .overflowed])
    for count in 0..<both.count { #expect(read(Array(both[..<count])).count <= 1) }
    #expect(read(event(moved, "b")) == [.came("b")])
  }
}
