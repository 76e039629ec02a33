import Foundation
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

/// A program that has one file open and does nothing with it.
private final class IdleProgram {
  private let process = Process()
  private let input = Pipe()

  init(_ file: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "echo; read line", file]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Its words are known to others some time after it has been started.
    _ = try output.fileHandleForReading.read(upToCount: 1)
  }

  // The tests' own signal mask may keep a gentler one from it.
  deinit { kill(process.processIdentifier, SIGKILL) }

  var id: Int32 { process.processIdentifier }
}

/// Archives as anybody could have made them, by the packer of another program.
@Suite(
  "Files out of an archive that a program shows", .timeLimit(.minutes(2)),
  .enabled("needs libarchive: apt-get install libarchive13") { ArchivePacker.isReadable })
struct ArchiveTests {
  private let bench: Bench
  private let packer: ArchivePacker

  init() throws {
    bench = try Bench()
    packer = ArchivePacker(folder: bench.a)
  }

  private var soon: ContinuousClock.Instant { .now + .seconds(30) }

  private func taken(_ names: [String], among rows: [String], from archive: FilePath) throws
    -> [FilePath]?
  {
    let contents = try ArchiveContents(of: archive, until: soon)
    guard let entries = contents.entries(named: names, among: rows) else { return nil }
    let taking = ArchiveExtractor(folder: bench.b) { _, _ in }
    return try taking.take(entries, from: archive, until: soon)
  }

  @Test(
    "T10 What a row stands for comes out with its contents and its time", arguments: ["zip", "tar"])
  func one(kind: String) throws {
    let archive = try packer.pack(
      kind, [.file("a.txt", "first"), .file("sub/a.txt", "second"), .file("sub/übel.txt", "third")])
    let first = try #require(try taken(["a.txt"], among: ["a.txt", "sub"], from: archive))
    #expect(first == [bench.b / "a.txt"])
    #expect((bench.b / "a.txt").text == "first")
    #expect((try FileCalls.status(bench.b / "a.txt")).modificationTime.tv_sec == 1_000_000_000)
    let inner = try #require(try taken(["übel.txt"], among: ["a.txt", "übel.txt"], from: archive))
    #expect(inner.first?.text == "third")
  }

  @Test("T10 A folder comes out with all that lies in it, also one without an entry of its own")
  func folder() throws {
    let archive = try packer.pack("tar", [.file("x", "x"), .file("sub/deep/c.txt", "c")])
    _ = try taken(["sub"], among: ["x", "sub"], from: archive)
    #expect((bench.b / "sub/deep/c.txt").text == "c")
    #expect(bench.b.names == ["sub"])
  }

  @Test("T02 Rows that are not the archive's, or fit in two of its folders, name no file")
  func doubt() throws {
    let archive = try packer.pack(
      "zip", [.file("one/a.txt", "1"), .file("two/a.txt", "2"), .file("two/b.txt", "b")])
    #expect(try taken(["a.txt"], among: ["a.txt", "other"], from: archive) == nil)
    // The folder "one" has these rows and no others.
    #expect(try taken(["a.txt"], among: ["a.txt"], from: archive)?.first?.text == "1")
    // A view of all folders at once: one name is two files, the other is one.
    #expect(try taken(["a.txt"], among: ["a.txt", "b.txt", "one"], from: archive) == nil)
    #expect(try taken(["b.txt"], among: ["a.txt", "b.txt", "one"], from: archive)?.count == 1)
  }

  @Test(
    "Names that lead out of an archive lead nowhere",
    arguments: ["../out.txt", "sub/../../out.txt", "..", "/", "a\0b", ""])
  func escaping(name: String) {
    #expect(ArchiveName(bytes: Array(name.utf8)) == nil)
  }

  @Test("An absolute name is one within the archive, and a deep or long one is none")
  func absolute() throws {
    let archive = try packer.pack("tar", [.file("/etc/passwd", "mine")])
    _ = try taken(["passwd"], among: ["passwd"], from: archive)
    #expect((bench.b / "passwd").text == "mine")
    #expect(ArchiveName(bytes: Array(repeating: UInt8(ascii: "a"), count: 256)) == nil)
    #expect(ArchiveName(bytes: Array(String(repeating: "a/", count: 65).utf8)) == nil)
  }

  @Test("Nothing is written through a link in an archive")
  func link() throws {
    let outside = bench.a / "outside"
    try FileManager.default.createDirectory(
      atPath: outside.string, withIntermediateDirectories: true)
    let archive = try packer.pack(
      "tar", [.link("sub/door", to: outside.string), .file("sub/door/x.txt", "x")])
    #expect(throws: Reason.notDraggable) {
      try taken(["sub"], among: ["sub"], from: archive)
    }
    #expect(outside.names.isEmpty)
  }

  @Test("T02 A device, and a file that is only another name, are not carried as something else")
  func special() throws {
    let archive = try packer.pack(
      "tar", [.device("null"), .file("a", "a"), .hardLink("b", to: "a")])
    for name in ["null", "b"] {
      #expect(throws: Reason.notDraggable) {
        try taken([name], among: ["null", "a", "b"], from: archive)
      }
    }
  }

  @Test("An archive that swells when it is unpacked is left after 256 MiB")
  func bomb() throws {
    let archive = try packer.pack("zip", [.zeros("big", megabytes: 300)])
    #expect(throws: Reason.tooBig) { try taken(["big"], among: ["big"], from: archive) }
  }

  @Test("What is no archive is none, and a torn one gives nothing")
  func damaged() throws {
    let text = bench.a / "notes.zip"
    try text.write("no archive at all")
    #expect(throws: Reason.malformed) { try ArchiveContents(of: text, until: soon) }
    let whole = try packer.pack("zip", [.noise("a.bin", kilobytes: 64)])
    let bytes = try #require(whole.contents)
    // The table at the end is whole, and what it tells of is not.
    try Data(bytes.prefix(200) + Array(repeating: 0, count: 30_000) + bytes.dropFirst(30_200))
      .write(to: URL(filePath: whole.string))
    #expect(throws: Reason.malformed) { try taken(["a.bin"], among: ["a.bin"], from: whole) }
  }

  @Test("The end of the time ends the reading")
  func late() throws {
    let archive = try packer.pack("zip", [.file("a", "a")])
    #expect(throws: Reason.tooBig) { try ArchiveContents(of: archive, until: .now) }
  }

  @Test("T10 The archive is found by the program that was started with it, and by its recent files")
  func guess() throws {
    let archive = try packer.pack("zip", [.file("a.txt", "a"), .file("b.txt", "b")])
    let recent = bench.b / "recently-used.xbel"
    let idle = try IdleProgram("/dev/null")
    var shown = DisplayedFolder(
      title: "packed.zip [read only]", rows: ["a.txt", "b.txt"], processID: idle.id)
    let guess = ArchiveResolver(recent: recent)
    #expect(try guess.entries(named: ["a.txt"], in: shown, until: soon) == nil)
    let address = "file://\(archive.string)"
    try recent.write("<xbel>\n  <bookmark href=\"\(address)\" added=\"x\">\n</xbel>")
    let listed = try guess.entries(named: ["a.txt"], in: shown, until: soon)
    #expect(listed?.archive == archive)
    shown.rows = ["a.txt", "c.txt"]
    #expect(try guess.entries(named: ["a.txt"], in: shown, until: soon) == nil)
    shown.rows = ["a.txt", "b.txt"]
    shown.title = "Other"
    #expect(try guess.entries(named: ["a.txt"], in: shown, until: soon) == nil)

    let program = try IdleProgram(archive.string)
    shown.title = "packed.zip"
    shown.processID = program.id
    let started = try ArchiveResolver(recent: bench.b / "none")
      .entries(named: ["b.txt"], in: shown, until: soon)
    #expect(started?.archive == archive)
    // Each is ended with its last use.
    withExtendedLifetime((idle, program)) {}
  }

  @Test("T02 Of two archives of one name with the same rows neither is taken")
  func twins() throws {
    let one = try packer.pack("zip", [.file("a.txt", "one")])
    let two = try ArchivePacker(folder: bench.b).pack("zip", [.file("a.txt", "two")])
    let recent = bench.b / "recently-used.xbel"
    try recent.write(
      [one, two].map { "<bookmark href=\"file://\($0.string)\"" + ">" }.joined(separator: "\n"))
    let idle = try IdleProgram("/dev/null")
    let shown = DisplayedFolder(title: "packed.zip", rows: ["a.txt"], processID: idle.id)
    #expect(throws: Reason.notDraggable) {
      try ArchiveResolver(recent: recent).entries(named: ["a.txt"], in: shown, until: soon)
    }
  }
}
