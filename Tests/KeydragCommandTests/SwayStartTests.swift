import Foundation
import KeyDragCore
import Testing

@testable import keydrag

@Suite("Sway starts the agent by a line in its configuration")
struct SwayStartTests {
  private let home =
    FileManager.default.temporaryDirectory.path
    + "/keydrag-sway-\(UUID().uuidString.prefix(8))"
  private var start: SwayStart {
    SwayStart(home: home, settings: home + "/settings", system: home + "/system")
  }

  private func write(_ text: String, _ name: String) throws {
    let file = URL(filePath: home + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: home + "/" + name, encoding: .utf8)
  }

  @Test("The line is added at the end of what the person has, once, and goes again alone")
  func ownFile() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let own = "set $mod Mod4\nexec waybar"
    try write(own, "dotfiles/sway")
    try FileManager.default.createDirectory(
      atPath: home + "/settings/sway", withIntermediateDirectories: true)
    let link = home + "/settings/sway/config"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: home + "/dotfiles/sway")
    #expect(!start.isOn)
    for _ in 1...2 {
      try start.turnOn(program: "/opt/key drag/keydrag")
      #expect(start.isOn)
      #expect(text("dotfiles/sway") == own + "\nexec '/opt/key drag/keydrag' desktop --captured\n")
    }
    try start.turnOff()
    #expect(!start.isOn)
    #expect(text("dotfiles/sway") == own + "\n")
    // Through the link, which stays one.
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("/sway"))
  }

  @Test("What is no text stays as it is, byte for byte; what can't be read whole is left alone")
  func foreignBytes() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    try write("", ".sway/config")
    let own = Data([0xFF, 0x0A, 0x23, 0xC3, 0x0A])
    try own.write(to: URL(filePath: start.path))
    try start.turnOn(program: "/usr/bin/keydrag")
    try start.turnOff()
    #expect(try Data(contentsOf: URL(filePath: start.path)) == own)
    let large = Data(repeating: 0x0A, count: 4 << 20)
    try large.write(to: URL(filePath: start.path))
    #expect(throws: Reason.tooBig) { try start.turnOn(program: "/usr/bin/keydrag") }
    #expect(throws: Reason.tooBig) { try start.turnOff() }
    #expect(try Data(contentsOf: URL(filePath: start.path)) == large)
  }

  @Test("Where the person has no configuration, the system's goes on to count")
  func noFile() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    try write("exec waybar\n", "system")
    try start.turnOff()
    try start.turnOn(program: "/usr/bin/keydrag")
    #expect(
      text("settings/sway/config")
        == "include \(home)/system\nexec '/usr/bin/keydrag' desktop --captured\n")
    try start.turnOff()
    #expect(text("settings/sway/config") == "include \(home)/system\n")
  }

  @Test(
    "What starts the agent is seen, and a comment starts nothing",
    arguments: [
      ("exec keydrag desktop", true), ("  exec_always /opt/keydrag desktop", true),
      ("exec dex --autostart", true), ("# exec keydrag desktop", false), ("exec keydrag", false),
      ("bindsym k exec keydrag desktop", false),
    ])
  func seen(line: String, isOn: Bool) throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    try write("exec waybar\n" + line + "\n", ".sway/config")
    #expect(start.path == home + "/.sway/config")
    #expect(start.isOn == isOn)
    try write("", ".sway/config")
    try write(line, "settings/sway/config.d/own")
    #expect(start.isOn == isOn)
  }

  @Test("A path that sway would read otherwise is refused", arguments: ["/a'b", "/$mod", "/a\nb"])
  func refused(program: String) {
    #expect(throws: Reason.malformed) { try SwayStart.line(program: program) }
    #expect(throws: Reason.malformed) { try start.turnOn(program: program) }
    #expect(!FileManager.default.fileExists(atPath: home))
  }
}
