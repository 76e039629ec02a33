import CFaults
import Foundation

/// A tree with all that a file system keeps beside contents, and what is left of that after each operation,
/// beside what `cp` keeps. Takes root.
struct Kept: CustomStringConvertible {
  private let ground: Ground
  private let program: Program
  /// Each attribute, and what became of it in each way.
  private var table: [String: [String: String]] = [:]

  init(_ ground: Ground, _ program: Program) {
    (self.ground, self.program) = (ground, program)
  }

  /// By the attribute, what it is for each path.
  private typealias Facts = [String: [String: String]]

  private struct Way {
    var name: String
    var words: [String] = []
    var target: String
    var then: [String] = []
    /// The `cp` that it is compared with.
    var peer = "-a"
  }

  private var ways: [Way] {
    let tree = ground.a + "/kept"
    func order(_ operation: String, _ to: String) -> [String] { [operation, tree, "--to", to] }
    let (b, other, shared) = (ground.b, ground.other, ground.b + "/shared")
    return [
      Way(name: "copy", words: order("copy", b), target: b),
      Way(name: "copy to another disk", words: order("copy", other), target: other),
      Way(name: "move", words: order("move", b), target: b),
      Way(name: "move to another disk", words: order("move", other), target: other),
      Way(name: "undo of a move", words: order("move", b), target: ground.a, then: ["undo"]),
      Way(
        name: "undo from another disk", words: order("move", other), target: ground.a,
        then: ["undo"]),
      Way(name: "copy, shared folder", words: order("copy", shared), target: shared, peer: "-r"),
      Way(
        name: "copy from another disk, shared folder",
        words: ["copy", other + "/kept", "--to", shared], target: shared, peer: "-r"),
    ]
  }

  /// Differences from the original that `cp` does not leave.
  mutating func compare() throws -> [(way: String, worse: [String])] {
    var found: [(way: String, worse: [String])] = []
    for way in ways {
      let isFromOther = way.words[1].hasPrefix(ground.other)
      let peer = try peerFacts(way, isFromOther)
      let tree = try make(onOther: isFromOther)
      let original = facts(tree)
      var end = program.run(way.words)
      if !way.then.isEmpty { end = program.run(way.then) }
      let now = facts(way.target + "/kept")
      var worse = end.status == 0 ? [] : ["status \(end.status): \(end.text)"]
      for attribute in original.keys.sorted() {
        // Part of it is the access list there.
        if attribute == "mode", way.peer == "-r" { continue }
        let isOfFolder = Self.ofFolder.contains(attribute) && way.peer == "-r"
        let wanted = (isOfFolder ? peer : original)[attribute] ?? [:]
        func differing(_ facts: Facts) -> Set<String> {
          Set(wanted.keys.filter { facts[attribute]?[$0] != wanted[$0] })
        }
        let (ours, theirs) = (differing(now), differing(peer))
        let less = ours.subtracting(theirs)
        // A loss that a plain `cp` has, too, is no measure.
        let isLess = way.peer == "-r" && !isOfFolder ? ours : less
        table[attribute, default: [:]][way.name] =
          !isLess.isEmpty ? "LESS" : ours.isEmpty ? isOfFolder ? "folder's" : "kept" : "as cp"
        worse += isLess.sorted().map {
          "\(attribute) of \($0): \(now[attribute]?[$0] ?? "none"), not \(wanted[$0] ?? "")"
        }
      }
      found.append((way.name, worse))
    }
    return found
  }

  /// The result of `cp` in the same place.
  private func peerFacts(_ way: Way, _ isFromOther: Bool) throws -> Facts {
    let tree = try make(onOther: isFromOther)
    let target = way.target == ground.a ? ground.other : way.target
    _ = Self.run("/usr/bin/cp", way.peer, tree, target + "/peer")
    return facts(target + "/peer")
  }

  /// The attributes that are the folder's own where a group shares it.
  private static let ofFolder = ["access list", "default list", "group", "set-group"]

  /// Each attribute beside what became of it.
  var description: String {
    let names = ways.map(\.name)
    let lines = table.sorted { $0.key < $1.key }
    func pad(_ text: String) -> String {
      text + String(repeating: " ", count: max(1, 16 - text.count))
    }
    return names.enumerated().map { "\($0 + 1): \($1)" }.joined(separator: ", ") + "\n"
      + pad("kept beside cp") + names.indices.map { pad("\($0 + 1)") }.joined() + "\n"
      + lines.map { line in pad(line.key) + names.map { pad(line.value[$0] ?? "") }.joined() }
      .joined(separator: "\n")
  }

  private static func run(_ words: String...) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func make(onOther: Bool) throws -> String {
    try ground.empty()
    let folder = (onOther ? ground.other : ground.a) + "/kept"
    let inner = folder + "/folder"
    try FileManager.default.createDirectory(
      atPath: inner + "/empty", withIntermediateDirectories: true)
    for name in ["plain", "one", "program", "folder/in", "locked"] {
      try name.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    link(folder + "/one", inner + "/two")
    symlink("plain", folder + "/link")
    let sparse = open(folder + "/sparse", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    pwrite(sparse, "end", 3, 4 << 20)
    close(sparse)
    let note = Array("a note".utf8)
    setxattr(folder + "/plain", "user.note", note, note.count, 0)
    setxattr(inner, "user.note", note, note.count, 0)
    for (name, mode) in [
      ("plain", 0o640), ("program", 0o4755), ("locked", 0o400), ("folder", 0o2751),
      ("folder/empty", 0o1755),
    ] {
      chown(folder + "/" + name, 1001, 1002)
      chmod(folder + "/" + name, mode_t(mode))
    }
    lchown(folder + "/link", 1001, 1002)
    setxattr(folder + "/plain", "system.posix_acl_access", Self.list, Self.list.count, 0)
    setxattr(inner, "system.posix_acl_default", Self.list, Self.list.count, 0)
    // The folder's own time last.
    let paths = [
      "plain", "one", "program", "folder/in", "locked", "link", "sparse", "folder/empty",
    ]
    for name in paths + ["folder", "."] {
      let times = [
        timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789),
        timespec(tv_sec: 900_000_000, tv_nsec: 987_654_321),
      ]
      utimensat(AT_FDCWD, folder + "/" + name, times, AT_SYMLINK_NOFOLLOW)
    }
    // A team's folder: its group, and what the group may do.
    let shared = ground.b + "/shared"
    mkdir(shared, 0o755)
    chown(shared, 0, 1005)
    chmod(shared, 0o2775)
    setxattr(shared, "system.posix_acl_default", Self.list, Self.list.count, 0)
    return folder
  }

  /// That user 1003 may read and write as well; see acl(5), and `posix_acl_xattr.h` of Linux.
  private static let list: [UInt8] = {
    let entries: [(tag: UInt8, rights: UInt8, id: [UInt8])] = [
      (1, 6, []), (2, 6, [0xEB, 3, 0, 0]), (4, 6, []), (16, 6, []), (32, 0, []),
    ]
    return [2, 0, 0, 0]
      + entries.flatMap {
        [$0.tag, 0, $0.rights, 0] + ($0.id.isEmpty ? [255, 255, 255, 255] : $0.id)
      }
  }()

  private func facts(_ folder: String) -> Facts {
    var facts: Facts = [:]
    var names: [ino_t: [String]] = [:]
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    for name in ["."] + paths {
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      func note(_ attribute: String, _ value: String) {
        facts[attribute, default: [:]][name] = value
      }
      func list(_ which: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = lgetxattr(path, which, &bytes, bytes.count)
        return count < 0 ? "none" : "\(bytes.prefix(count))"
      }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let isFile = status.st_mode & S_IFMT == S_IFREG
      note("mode", String(status.st_mode, radix: 8))
      note("owner", "\(status.st_uid)")
      note("group", "\(status.st_gid)")
      note("modified", "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
      if isFile { note("accessed", "\(status.st_atim.tv_sec).\(status.st_atim.tv_nsec)") }
      note("attributes", list("user.note"))
      note("access list", list("system.posix_acl_access"))
      if isFolder {
        note("default list", list("system.posix_acl_default"))
        note("set-group", "\(status.st_mode & S_ISGID != 0)")
      }
      if isFile {
        names[status.st_ino, default: []].append(name)
        note("holes", status.st_blocks * 512 < status.st_size ? "yes" : "no")
      }
      note(
        "contents",
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path))
          ?? (isFile ? contents(path) : ""))
    }
    for group in names.values {
      for name in group { facts["hard links", default: [:]][name] = "\(group.sorted())" }
    }
    return facts
  }

  /// Without a trace in the time of the last reading.
  private func contents(_ path: String) -> String {
    // O_NOATIME
    let file = open(path, O_RDONLY | O_CLOEXEC | 0o1000000)
    guard file >= 0 else { return "?" }
    defer { close(file) }
    let data = try? FileHandle(fileDescriptor: file).readToEnd() ?? Data()
    return "\(data?.hashValue ?? 0)"
  }
}
