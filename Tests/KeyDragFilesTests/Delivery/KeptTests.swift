import CLinux
import Foundation
import Glibc
import KeyDragCore
import PrivateDesktop
import SystemPackage
import Testing

@testable import KeyDragFiles

/// The table of the guide's article "What it cannot do yet", beside the real `cp -a`.
@Suite("What goes along with a file", .enabled(if: geteuid() == 0 && Bench.hasOtherFileSystem))
struct KeptTests {
  let bench: Bench
  init() throws { bench = try Bench(isOnDisk: true) }

  /// All that is to be kept of one name in a tree.
  private struct Kept: Equatable {
    var kind: FileKind
    var mode: mode_t
    var owner: uid_t
    var group: gid_t
    var modified: Int64
    var contents: [UInt8]
    var hasHoles: Bool
    var attributes: [String: [UInt8]] = [:]
    /// The names of the same file, in the tree.
    var names: [String] = []
  }

  /// By the path below the tree.
  private func kept(of tree: FilePath) throws -> [String: Kept] {
    var all: [String: Kept] = [:]
    var names: [FileIdentity: [String]] = [:]
    let paths = FileManager.default.subpaths(atPath: tree.string) ?? []
    for name in [""] + paths.sorted() {
      let path = name.isEmpty ? tree : tree.pushing(FilePath(name))
      let stamp = try FileCalls.status(path)
      names[stamp.identity, default: []].append(name)
      var kept = Kept(
        kind: stamp.kind, mode: stamp.mode, owner: stamp.owner, group: stamp.group,
        modified: stamp.modified, contents: [],
        hasHoles: stamp.kind == .file && stamp.stored + 65_536 < stamp.size)
      switch stamp.kind {
      case .link: kept.contents = try FileCalls.linkText(AT_FDCWD, FileName(path.string))
      case .file: kept.contents = path.contents ?? []
      case .folder, .special: break
      }
      if stamp.kind != .link {
        let file = try FileCalls.open(path, flags: O_RDONLY)
        for attribute in ["user.colour", "system.posix_acl_access", "system.posix_acl_default"] {
          var value = [UInt8](repeating: 0, count: 1_000)
          let count = clinux_get_attribute(file.raw, attribute, &value, value.count)
          if count >= 0 { kept.attributes[attribute] = Array(value.prefix(count)) }
        }
      }
      all[name] = kept
    }
    for (_, names) in names { for name in names { all[name]?.names = names } }
    return all
  }

  private func makeTree() throws -> FilePath {
    let tree = try (bench.a / "tree").makeFolder()
    let inner = try (tree / "inner").makeFolder()
    let team = try (tree / "team").makeFolder()
    try (tree / "plain").write("plain")
    try (inner / "several").write("several")
    for (old, new) in [("inner/several", "again"), ("inner/several", "team/third")] {
      let result = link((tree.pushing(FilePath(old))).string, (tree.pushing(FilePath(new))).string)
      try #require(result == 0)
    }
    // One name alone of these is in the tree.
    try #require(link((tree / "plain").string, (bench.a / "outside").string) == 0)
    try FileCalls.makeLink(
      AT_FDCWD, FileName(bytes: (tree / "link").rawBytes), to: Array("plain".utf8))
    let sparse = try (tree / "sparse").write("start")
    let file = try FileCalls.open(sparse, flags: O_RDWR)
    try FileCalls.checked { ftruncate(file.raw, 1 << 20) }
    let colour = Array("blue".utf8)
    // Version 2; then tag, rights and number (acl(5)).
    var list: [UInt8] = [2, 0, 0, 0]
    for (tag, rights, number): (UInt16, UInt16, UInt32) in [
      (1, 7, .max), (4, 5, .max), (8, 7, 54_321), (16, 7, .max), (32, 5, .max),
    ] {
      withUnsafeBytes(of: tag.littleEndian) { list += $0 }
      withUnsafeBytes(of: rights.littleEndian) { list += $0 }
      withUnsafeBytes(of: number.littleEndian) { list += $0 }
    }
    for path in [tree / "plain", inner / "several", inner] {
      let open = try FileCalls.open(path, flags: O_RDONLY)
      for (name, value) in [("user.colour", colour), ("system.posix_acl_access", list)] {
        try #require(clinux_set_attribute(open.raw, name, value, value.count) == 0, "\(name)")
      }
    }
    let open = try FileCalls.open(team, flags: O_RDONLY)
    try #require(
      clinux_set_attribute(open.raw, "system.posix_acl_default", list, list.count) == 0)
    let modes: [(String, mode_t)] = [
      ("plain", 0o4751), ("inner/several", 0o600), ("inner", 0o711), ("team", 0o2775),
    ]
    for (index, (name, mode)) in modes.enumerated() {
      let path = tree.pushing(FilePath(name))
      chown(path.string, uid_t(10_000 + index), gid_t(20_000 + index))
      chmod(path.string, mode)
    }
    lchown((tree / "link").string, 10_100, 20_100)
    for (index, name) in ["plain", "inner/several", "link", "sparse", "inner", "team", ""]
      .enumerated()
    {
      (name.isEmpty ? tree : tree.pushing(FilePath(name))).setTimes(1_000_000_000 + index, index)
    }
    return tree
  }

  /// The files that `cp -a` makes of these, in a folder.
  private func copyAll(_ paths: [FilePath], to folder: FilePath) throws -> [String: Kept] {
    let twin = try (folder / "cp").makeFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cp")
    process.arguments = ["-a"] + paths.map(\.string) + [twin.string]
    try process.run()
    process.waitUntilExit()
    return try kept(of: twin)
  }

  private func compare(_ ours: [String: Kept], _ theirs: [String: Kept], _ what: String) {
    #expect(Set(ours.keys) == Set(theirs.keys), "\(what)")
    for (name, own) in ours { #expect(own == theirs[name], "\(what): \(name)") }
  }

  @Test(
    "H08: copies and moves keep what cp -a keeps, on one disk and across two, and undo all of it",
    arguments: [DragOperation.copy, .move], [false, true])
  func table(operation: DragOperation, isElsewhere: Bool) async throws {
    let tree = try makeTree()
    let target = try (isElsewhere ? #require(bench.elsewhere) : bench.b) / "to"
    try target.makeFolder()
    let before = try kept(of: tree)
    _ = try copyAll([tree], to: target.folder)
    let theirs = try kept(of: target.folder / "cp" / "tree")
    #expect(before["again"]?.names == ["again", "inner/several", "team/third"])
    let result = await bench.deliver(operation, [tree], to: target)
    #expect(result.outcome == .delivered && result.lostAttributes.isEmpty, "\(result)")
    compare(try kept(of: target / "tree"), theirs, "there")
    if operation == .move { compare(theirs, before, "cp -a") }
    let undone = await bench.undo()
    #expect(undone.isDone, "\(undone)")
    compare(try kept(of: tree), before, "after undo")
    #expect(target.names.isEmpty)
    #expect(await bench.redo().isDone)
    compare(try kept(of: target / "tree"), theirs, "after redo")
  }

  @Test(
    "H08: names of one file that are picked up one by one become files of their own where cp -a keeps one",
    arguments: [DragOperation.copy, .move], [false, true])
  func namesByThemselves(operation: DragOperation, isElsewhere: Bool) async throws {
    let files = [try (bench.a / "one").write("one"), bench.a / "two"]
    try #require(link(files[0].string, files[1].string) == 0)
    let target = try (isElsewhere ? #require(bench.elsewhere) : bench.b) / "to"
    try target.makeFolder()
    let theirs = try copyAll(files, to: target.folder)
    #expect(theirs["one"]?.names == ["one", "two"])
    let result = await bench.deliver(operation, files, to: target)
    #expect(result.outcome == .delivered, "\(result)")
    let isRenamed = operation == .move && !isElsewhere
    let ours = try kept(of: target)
    #expect(ours["one"]?.names == (isRenamed ? ["one", "two"] : ["one"]))
    #expect(ours["two"]?.contents == theirs["two"]?.contents)
    #expect(await bench.undo().isDone)
    let isOne = operation == .copy || isRenamed
    #expect(try kept(of: bench.a)["one"]?.names == (isOne ? ["one", "two"] : ["one"]))
    #expect(target.names.isEmpty && files.allSatisfy { $0.text == "one" })
  }

  @Test("Where a disk has no hard links, each name of a file is a file by itself, and undone")
  func withoutLinks() async throws {
    guard PoorDisk.obstacle == nil, Bench.canMount else { return }
    let tree = try makeTree()
    let before = try kept(of: tree)
    let disk = try PoorDisk(
      of: try (bench.root / "behind").makeFolder().string,
      at: try (bench.root / "disk").makeFolder().string, ["no-hard-links"],
      log: (bench.root / "log").string)
    defer { disk.close() }
    let there = FilePath(disk.place)
    for operation in [DragOperation.copy, .move] {
      let result = await bench.deliver(operation, [tree], to: there)
      #expect(result.outcome == .delivered, "\(result)")
      #expect((there / "tree" / "again").text == "several")
      #expect(await bench.undo().isDone)
      #expect(there.names.isEmpty)
      #expect(tree.names == ["again", "inner", "link", "plain", "sparse", "team"])
    }
    #expect(before.count == (try kept(of: tree)).count)
  }
}
