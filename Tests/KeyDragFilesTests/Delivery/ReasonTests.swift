import Foundation
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Reasons that are so")
struct ReasonTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  /// A line of the table, with what a person hears, and can do about it.
  struct Line: CustomTestStringConvertible, Sendable {
    var codes: [CInt]
    var calls: [Reason.Call]
    var look: Reason.Check = []
    var words: String

    var testDescription: String { "\(codes) \(calls) \(look.rawValue)" }
  }

  static let makes: [Reason.Call] = [.make, .makeLink]
  static let table = [
    Line(
      codes: [EACCES, EPERM], calls: [.read],
      words: "You may not read it. Its owner can change that."),
    Line(
      codes: [EACCES, EPERM], calls: [.make, .makeLink, .take, .access, .other], look: .isProtected,
      words: "It is protected against changes. An administrator can lift that with chattr -ia."),
    Line(codes: [EAGAIN], calls: [.read], words: "Devices and pipes can't be copied."),
    Line(
      codes: [EACCES, EPERM], calls: [.take], words: "It can't be removed from its folder."),
    Line(
      codes: [EPERM, ENOTSUP, ENOSYS], calls: [.makeLink], look: .isAllowed,
      words: "This disk can't hold links."),
    Line(
      codes: [EACCES, EPERM, ENOTSUP, ENOSYS], calls: [.make], look: .isAllowed,
      words: "Its disk does not allow that."),
    Line(
      codes: [EACCES], calls: [.make, .makeLink, .access, .look, .other],
      words: "Not permitted. Its owner can change that."),
    Line(
      codes: [EPERM], calls: [.make, .makeLink, .access, .look, .other],
      words: "Not permitted. Its owner can change that."),
    Line(
      codes: [ENOENT, EINVAL, EILSEQ], calls: makes,
      words: "This disk does not allow that name. Give it another name."),
    Line(
      codes: [ENOENT, ESTALE], calls: makes, look: .isFolderGone, words: "Its folder is gone."),
    Line(
      codes: [ENOENT, ESTALE], calls: [.look, .access, .read, .take, .other], words: "It is gone."),
    Line(codes: [ENXIO, ENODEV], calls: [.look], words: "It is gone."),
    Line(
      codes: [ENOTDIR, ELOOP], calls: [.read],
      words: "It has changed. Look at it before trying again."),
    Line(
      codes: [EIO, EREMOTEIO, EUCLEAN], calls: [.read],
      words: "It can't be read from its disk. The disk may be failing. Save what is on it."),
    Line(
      codes: [EIO, EREMOTEIO, EUCLEAN], calls: [.make, .take, .access, .look, .other],
      words: "The disk reports an error."),
    Line(
      codes: [ENXIO, ENODEV], calls: [.read, .make, .take, .access, .other],
      words: "The disk reports an error."),
    Line(
      codes: [ENOSPC, EDQUOT], calls: Reason.Call.allCases,
      words: "Not enough space. Free some space or choose another place."),
    Line(codes: [EFBIG], calls: Reason.Call.allCases, words: "It is too large for that disk."),
    Line(codes: [EMLINK], calls: makes, words: "Too many items."),
    Line(
      codes: [EBUSY, ETXTBSY], calls: Reason.Call.allCases, words: "It is in use."),
    Line(codes: [EROFS], calls: Reason.Call.allCases, words: "It is read-only."),
    Line(
      codes: [EEXIST, ENOTEMPTY], calls: [.make, .take, .other],
      words: "The name already exists. Rename one of them."),
    Line(
      codes: [ENAMETOOLONG], calls: Reason.Call.allCases,
      words: "The name is too long. Give it a shorter name."),
    Line(codes: [ELOOP], calls: [.look, .make, .other], words: "Its links lead in a circle."),
    Line(codes: [ENOTDIR], calls: [.look, .make, .other], words: "It is not a folder."),
    Line(codes: [EISDIR], calls: [.read, .make, .other], words: "It is a folder."),
    Line(
      codes: [ENOTCONN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH], calls: Reason.Call.allCases,
      words: "It is not responding. Try again later."),
    Line(codes: [EINTR], calls: Reason.Call.allCases, words: "It was interrupted."),
  ]

  @Test(
    "H14: each error, by call and look, is told by what people can do about it", arguments: table)
  func lines(line: Line) {
    for code in line.codes {
      for call in line.calls {
        let reason = Reason(Errno(rawValue: code), call, line.look)
        #expect(Phrasebook().sentence(for: reason) == line.words, "\(code) \(call)")
      }
    }
  }

  @Test(
    "Files that the system makes as they are read are copied as cp does, alone and in a folder",
    arguments: [
      "/proc/sys/kernel/ostype", "/proc/self/status", "/sys/kernel/mm/transparent_hugepage",
    ])
  func generated(path: String) async {
    let source = FilePath(path)
    guard source.exists else { return }
    let result = await bench.deliver(.copy, [source])
    #expect(
      result.outcome == .delivered || source.lastComponent == "transparent_hugepage", "\(result)")
    let copy = bench.b / (source.lastComponent?.string ?? "")
    #expect(copy.names.isEmpty ? copy.text?.isEmpty == false : copy.names.contains("enabled"))
    if source.lastComponent == "ostype" { #expect(copy.text == "Linux\n") }
    if !copy.names.isEmpty { #expect((copy / "enabled").text?.contains("[") == true) }
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
  }

  @Test("H08: an undo whose old folder is gone says so, and changes nothing")
  func oldFolder() async throws {
    let old = try (bench.a / "old").makeFolder()
    try (old / "x").write("x")
    #expect(await bench.deliver(.move, [old / "x"]).outcome == .delivered)
    try #require(rmdir(old.string) == 0)
    guard case .refused(_, .folderGone) = await bench.undo() else {
      Issue.record("not refused for it")
      return
    }
    #expect((bench.b / "x").text == "x")
  }

  @Test("A folder that has been removed while it is open says that it is gone")
  func removedFolder() throws {
    let folder = try OpenFolder((bench.a / "folder").makeFolder())
    try #require(rmdir(folder.path.string) == 0)
    #expect(Reason.making(.noSuchFileOrDirectory, in: folder.raw, FileName("x")) == .folderGone)
  }

  @Test(
    "H14: a disk that takes no files at all is not told to refuse a name",
    .enabled(if: geteuid() == 0))
  func noFiles() async throws {
    let file = try (bench.a / "x").write("x")
    for folder in ["/proc", "/sys"] as [FilePath] {
      for operation in [DragOperation.copy, .move] {
        let result = await bench.deliver(operation, [file], to: folder)
        #expect(result.failures.map(\.reason) == [.notSupported], "\(folder) \(operation)")
      }
    }
    // Nobody has protected it.
    #expect(FileCalls.refusal("/proc/self", W_OK | X_OK) != .protected)
  }

  @Test("H14: a disk that has gone is told as that to whoever names something on it")
  func goneDisk() {
    for code in [ENOTCONN, ETIMEDOUT, ECONNABORTED] {
      #expect(Reason(errno: code) == .notResponding)
    }
    #expect(Reason(errno: ENOENT) == .gone && Reason(errno: EACCES) == .notPermitted)
  }

  @Test(
    "H14: what is protected against changes is told as that, on either side, and nothing is left",
    .enabled(if: geteuid() == 0), arguments: ["+i", "+a"])
  func protected(flag: String) async throws {
    // In memory there are no such flags.
    let disk = try Bench(isOnDisk: true)
    let file = try (disk.a / "file").write("x")
    let other = try (disk.a / "other").write("y")
    let folder = try (disk.b / "folder").makeFolder()
    func change(_ flag: String) throws -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
      process.arguments = [flag, file.string, folder.string]
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    }
    guard access("/usr/bin/chattr", X_OK) == 0, try change(flag) else { return }
    defer { _ = try? change("-" + flag.dropFirst()) }
    for operation in [DragOperation.move, .remove] {
      let result = await disk.deliver(operation, [file])
      #expect(result.failures.map(\.reason) == [.protected], "\(operation) \(result)")
    }
    for operation in [DragOperation.copy, .move, .link] {
      let result = await disk.deliver(operation, [other], to: folder)
      #expect(result.failures.map(\.reason) == [.protected], "\(operation) \(result)")
    }
    if let elsewhere = disk.elsewhere {
      let result = await disk.deliver(.move, [file], to: elsewhere)
      #expect(result.failures.map(\.reason) == [.protected], "\(result)")
      #expect(elsewhere.names.isEmpty)
    }
    #expect(folder.names.isEmpty && disk.a.names == ["file", "other"])
    #expect(disk.b.names == ["folder"])
    // Known before the drop.
    #expect(FileCalls.refusal(folder, W_OK | X_OK) == .protected)
    try (disk.b / "file").write("new")
    let replacing = await disk.deliver(.copy, [disk.b / "file"], to: disk.a, clash: .replace)
    #expect(replacing.failures.map(\.reason) == [.protected])
  }

  @Test(
    "H14: what is protected in a folder stays where it was, by its name, and undo joins both",
    .enabled(if: geteuid() == 0 && Bench.hasOtherFileSystem), arguments: ["file", "inner"])
  func protectedPart(name: String) async throws {
    let disk = try Bench(isOnDisk: true)
    let elsewhere = try #require(disk.elsewhere)
    let tree = try (disk.a / "tree").makeFolder()
    for name in ["file", "other"] { try (tree / name).write(name) }
    try ((tree / "inner").makeFolder() / "x").write("x")
    func change(_ flag: String) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
      process.arguments = [flag, (tree / name).string]
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    guard access("/usr/bin/chattr", X_OK) == 0, try change("+i") == 0 else { return }
    defer { _ = try? change("-i") }
    let result = await disk.deliver(.move, [tree], to: elsewhere)
    #expect(result.leftOut == [DeliveryFailure(tree / name, .protected)], "\(result)")
    #expect(tree.names == [name])
    #expect((elsewhere / "tree").names == ["file", "inner", "other"].filter { $0 != name })
    #expect(await disk.undo().isDone)
    #expect(tree.names == ["file", "inner", "other"] && elsewhere.names.isEmpty)
  }
}
