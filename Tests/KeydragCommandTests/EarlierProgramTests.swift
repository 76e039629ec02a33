import Foundation
import GRDB
import Testing

@Suite("What an earlier program has left")
struct EarlierProgramTests {
  private let program: Program
  private var home: String { program.folder.path }

  /// The home that 0.1.0 left, with the same files in it.
  init() throws {
    program = try Program()
    try program.write(try Self.text("config-0.1.0.yaml"), to: ".config/keydrag/config.yaml")
    try program.write(
      "[Trash Info]\nPath=\(home)/Out/name\nDeletionDate=2026-11-28T18:16:20\n",
      to: ".local/share/Trash/info/name.trashinfo")
    let files = [
      ("In/copied", "copied"), ("Out/copied", "copied"), ("Out/moved", "moved"),
      ("In/name", "new"), ("Out/name", "new"), (".local/share/Trash/files/name", "old"),
      ("In/tree/leaf", "leaf"), ("Out/tree/leaf", "leaf"),
    ]
    for (name, contents) in files { try program.write(contents, to: name) }
    // By the time a file is known again.
    let time = timespec(tv_sec: 1_793_534_400, tv_nsec: 500_000_000)
    for name in files.map(\.0) + ["In/tree", "Out/tree"] {
      #expect(utimensat(AT_FDCWD, home + "/" + name, [time, time], 0) == 0)
    }
    try makeHistory()
  }

  private static func text(_ name: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Support/" + name)
    return try String(contentsOf: file, encoding: .utf8)
  }

  private func makeHistory() throws {
    let folder = home + "/.local/state/keydrag"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var text = try Self.text("history-0.1.0.sql").replacing("'HOME", with: "'" + home)
    text = try text.replacing("X'IN'", with: "X'\(numbers(of: "In").joined())'")
      .replacing("X'OUT'", with: "X'\(numbers(of: "Out").joined())'")
      .replacing("TRASHED", with: numbers(of: ".local/share/Trash/files/name")[1])
    let queue = try DatabaseQueue(path: folder + "/history.sqlite")
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: text)
      // Entries are kept for 90 days.
      try database.execute(sql: "UPDATE entry SET time = unixepoch()")
    }
    try queue.close()
  }

  /// Device and inode, as the history has them.
  private func numbers(of name: String) throws -> [String] {
    var status = stat()
    try #require(stat(home + "/" + name, &status) == 0)
    return [UInt64(status.st_dev), UInt64(status.st_ino)].map { number in
      withUnsafeBytes(of: number.littleEndian) { $0.map { String(format: "%02X", $0) }.joined() }
    }
  }

  private var tree: [String: String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: home)) ?? []
    let files = names.filter { $0.hasPrefix("In/") || $0.hasPrefix("Out/") }
    return Dictionary(
      uniqueKeysWithValues: files.map {
        ($0, (try? String(contentsOfFile: home + "/" + $0, encoding: .utf8)) ?? "/")
      })
  }

  @Test("H08: all that the history of 0.1.0 holds is taken back, with the settings of then")
  func history() throws {
    let listed = try program.run("history")
    #expect(listed.status == 0 && listed.errors.isEmpty, "\(listed)")
    let wanted = ["tree", "name", "moved", "copied"]
    #expect(listed.lines.count == 4, "\(listed)")
    for (line, name) in zip(listed.lines, wanted) { #expect(line.contains(name), "\(listed)") }
    for _ in wanted {
      let undone = try program.run("undo")
      #expect(undone.status == 0 && undone.errors.isEmpty, "\(undone)")
      // German, as is set.
      let words = ["Rückgängig", "Zurückgenommen", "wieder"]
      #expect(words.contains(where: undone.output.contains), "\(undone)")
    }
    #expect(
      tree == [
        "In/copied": "copied", "In/moved": "moved", "In/name": "new", "In/tree": "/",
        "In/tree/leaf": "leaf", "Out/name": "old",
      ])
    // A name that exists is passed over, as is set.
    let skipped = try program.run("copy", "In/name", "--to", "Out")
    #expect(skipped.status == 1 && tree["Out/name"] == "old", "\(skipped)")
    for name in wanted.reversed() {
      let redone = try program.run("redo")
      #expect(redone.status == 0, "\(redone)")
      #expect(tree.keys.contains("Out/" + name))
    }
    #expect(tree["Out/name"] == "new" && tree["In/moved"] == nil)
  }
}
