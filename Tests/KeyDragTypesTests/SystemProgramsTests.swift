import Foundation
import Glibc
import KeyDragCore
import Testing

@testable import KeyDragTypes

@Suite("Programs of the system", .timeLimit(.minutes(5)))
struct SystemProgramsTests {
  @Test("H30: files are opened with the default program, apart from our terminal")
  func opens() async {
    await #expect(processExitsWith: .success) {
      let desk = try Desk()
      try desk.install("reader", name: "The Reader", exec: "\(desk.folder)/reader.sh %F")
      try desk.script("reader.sh", recordingTo: "record")
      setenv("DISPLAY", ":77", 1)
      let programs = SystemPrograms()
      let found = try #require(programs.defaultProgram(for: "text/plain"))
      #expect(found.name == "The Reader")
      let odd = Array("\(desk.folder)/\u{1B}[1m odd".utf8) + [0xFF]
      #expect(programs.start(found.id, with: [Array("/tmp/a b.txt".utf8), odd]) == nil)
      let lines = try desk.record("record")
      // Its session, what its standard input leads to, how many files, and the files.
      #expect(lines[0] != Array("\(getsid(0))".utf8))
      #expect(lines[1] == Array("/dev/null".utf8))
      #expect(lines[2] == Array("2".utf8))
      #expect(lines[3] == Array("/tmp/a b.txt".utf8))
      #expect(lines[4] == odd)
    }
  }

  @Test("H30: no program is offered that could not be shown, or that needs a terminal")
  func notOffered() async {
    await #expect(processExitsWith: .success) {
      let desk = try Desk()
      try desk.install("reader", name: "The Reader", exec: "/bin/true %F")
      for name in ["DISPLAY", "WAYLAND_DISPLAY"] { unsetenv(name) }
      #expect(SystemPrograms().defaultProgram(for: "text/plain") == nil)
      setenv("WAYLAND_DISPLAY", "", 1)
      #expect(SystemPrograms().defaultProgram(for: "text/plain") == nil)
      setenv("WAYLAND_DISPLAY", "wayland-7", 1)
      #expect(SystemPrograms().defaultProgram(for: "text/plain")?.name == "The Reader")
      #expect(SystemPrograms().defaultProgram(for: "image/png") == nil)
    }
    await #expect(processExitsWith: .success) {
      let desk = try Desk()
      try desk.install("reader", name: "Pager", exec: "/bin/true %F", keys: "Terminal=true\n")
      setenv("DISPLAY", ":77", 1)
      #expect(SystemPrograms().defaultProgram(for: "text/plain") == nil)
    }
  }

  @Test("A program that takes one file at a time is not started a thousand times")
  func tooMany() async {
    await #expect(processExitsWith: .success) {
      let desk = try Desk()
      try desk.install("reader", name: "One", exec: "/bin/true %f")
      setenv("DISPLAY", ":77", 1)
      let files = Array(repeating: Array("/tmp/x".utf8), count: 1_000)
      #expect(SystemPrograms().start("reader.desktop", with: files) == .tooMany)
      #expect(SystemPrograms().start("missing.desktop", with: []) == .noProgram)
    }
  }

  @Test(
    "The Exec line tells whether one start takes several files",
    arguments: [
      ("edit %F", true), ("edit %U --new", true), ("edit %f", false), ("edit", false),
      ("edit %%F", false),
    ])
  func execLine(line: String, takesSeveral: Bool) {
    #expect(ExecLine.takesSeveral(line) == takesSeveral)
  }
}

/// A home of a test's own, with programs in it.
private final class Desk {
  let folder: String

  init() throws {
    var template = Array("/tmp/keydrag-desk-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Reason.unknown }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for part in ["data", "data/applications", "config", "none"] {
      mkdir("\(folder)/\(part)", 0o755)
    }
    setenv("XDG_DATA_HOME", "\(folder)/data", 1)
    setenv("XDG_CONFIG_HOME", "\(folder)/config", 1)
    setenv("XDG_DATA_DIRS", "\(folder)/none", 1)
    setenv("XDG_CONFIG_DIRS", "\(folder)/none", 1)
    unsetenv("DBUS_SESSION_BUS_ADDRESS")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func install(_ id: String, name: String, exec: String, keys: String = "") throws {
    try write(
      "data/applications/\(id).desktop",
      "[Desktop Entry]\nType=Application\nName=\(name)\nExec=\(exec)\nMimeType=text/plain;\n\(keys)"
    )
    try write("config/mimeapps.list", "[Default Applications]\ntext/plain=\(id).desktop\n")
  }

  /// A program that writes down how it was started, through a FIFO that the test waits at.
  func script(_ name: String, recordingTo record: String) throws {
    guard mkfifo("\(folder)/\(record)", 0o600) == 0 else { throw Reason.unknown }
    try write(
      name,
      """
      #!/bin/sh
      read -r process name state parent group session rest < /proc/$$/stat
      { printf '%s\\0' "$session" "$(readlink /proc/$$/fd/0)" "$#" "$@"; } \
      > \(folder)/\(record)
      """)
    chmod("\(folder)/\(name)", 0o755)
  }

  /// What the program wrote, split at its zero bytes.
  func record(_ name: String) throws -> [[UInt8]] {
    let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Reason.unknown }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return bytes.split(separator: 0).map { Array($0) }
  }

  private func write(_ name: String, _ text: String) throws {
    let descriptor = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Reason.unknown }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Reason.unknown }
  }
}
