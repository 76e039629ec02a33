import Foundation
import Testing

@testable import keydrag_field

@Suite("The judge of the field by the disk")
final class DiskOracleTests {
  private let home = NSTemporaryDirectory() + "field-" + UUID().uuidString
  private let payload = Payload(file: "Inbox/drop.txt", contents: Data("Call the baker\n".utf8))
  /// Of the person; Target/lu27.tmp is a program's.
  private let owned: Set<String> = ["Inbox", "Inbox/drop.txt", "Target", "Target/old.txt"]

  init() throws {
    for folder in ["Inbox", "Target"] {
      try FileManager.default.createDirectory(
        atPath: home + "/" + folder, withIntermediateDirectories: true)
    }
    try write("Inbox/drop.txt", "Call the baker\n")
    try write("Target/old.txt", "old")
    try write("Target/lu27.tmp", "for itself")
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: home + "/" + name))
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: home + "/" + name)
  }

  private func oracle() -> DiskOracle {
    DiskOracle(
      before: DirectorySnapshot(home), payload: payload, target: "Target", owned: owned)
  }

  @Test("T02 A program that dies does no damage by its own files")
  func itsOwn() throws {
    let oracle = oracle()
    try remove("Target/lu27.tmp")
    try write("Target/lu28.tmp", "for itself, too")
    let after = DirectorySnapshot(home)
    #expect(oracle.effects(after).isEmpty)
    #expect(oracle.left(after).isEmpty)
  }

  @Test("T02 A file of the person that is another or gone is damage", arguments: [true, false])
  func damage(isGone: Bool) throws {
    let oracle = oracle()
    if isGone { try remove("Target/old.txt") } else { try write("Target/old.txt", "new") }
    let after = DirectorySnapshot(home)
    #expect(oracle.effects(after) == [.damaged])
    #expect(oracle.damaged(after) == ["Target/old.txt"])
    #expect(oracle.left(after) == ["Target/old.txt"])
  }

  @Test("T02 A file of the person that others may read now, or no longer, is damage")
  func rights() throws {
    chmod(home + "/Target/old.txt", 0o644)
    let oracle = oracle()
    chmod(home + "/Target/old.txt", 0o600)
    #expect(oracle.effects(DirectorySnapshot(home)) == [.damaged])
  }

  @Test(
    "T02 A stray copy is found, and left by an Undo that does not take it back, whatever its name",
    arguments: ["Inbox/drop.txt.part", "other.tmp", "Target/lu28.tmp", "Target/drop (copy).txt"])
  func stray(name: String) throws {
    let oracle = oracle()
    try write(name, "Call the baker\n")
    let after = DirectorySnapshot(home)
    #expect(oracle.effects(after) == [name.hasPrefix("Target/") ? .copied : .elsewhere])
    #expect(oracle.left(after) == [name])
  }

  @Test("T02 A part of the carried file that is left under its name is left by Undo")
  func part() throws {
    let oracle = oracle()
    try write("Target/drop.txt", "Call")
    #expect(oracle.left(DirectorySnapshot(home)) == ["Target/drop.txt"])
  }
}
