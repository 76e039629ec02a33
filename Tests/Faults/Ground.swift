import Foundation

/// The folders of one run, on two file systems, and all that lies in them.
struct Ground {
  /// Holds what belongs to the campaign and not to the program that is tried.
  let base: String
  let root: String
  /// On another file system than ``root``.
  let other: String
  /// The tops of the two file systems, where they are in memory and nobody else's.
  private let disks: [String]
  private let otherTop: String
  /// A folder that is another disk meanwhile.
  let veil = Veil()

  var a: String { root + "/A" }
  var b: String { root + "/B" }
  /// The journal and the trash.
  var state: String { root + "/state" }
  var trash: String { root + "/data/Trash" }

  /// - Parameter inMemory: whether both file systems are made anew, in memory, which takes root.
  init(inMemory: Bool = false) throws {
    let name = "keydrag-faults-\(getpid())"
    base = NSTemporaryDirectory() + name
    disks = inMemory ? [base + "/disk", base + "/other"] : []
    root = (disks.first ?? base) + "/" + name
    otherTop = disks.last ?? "/dev/shm"
    other = otherTop + "/" + name
    for folder in [base] + disks {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    for disk in disks {
      guard Glibc.mount("keydrag-faults", disk, "tmpfs", 0, "size=\(Self.enough),mode=755") == 0
      else {
        throw CocoaError(.fileWriteNoPermission)
      }
    }
    try empty()
  }

  /// As big as a disk in memory is where it does not matter, in bytes.
  private static let enough = 256 << 20

  /// How many bytes are used of the disk that has a path; `nil` where it is not ours.
  func used(_ path: String) -> Int? {
    var status = statvfs()
    guard let disk = disk(of: path), statvfs(disk, &status) == 0 else { return nil }
    return Int((status.f_blocks - status.f_bfree) * status.f_frsize)
  }

  /// Leaves so many bytes free on the disk that has a path, or enough.
  @discardableResult
  func leave(_ bytes: Int?, on path: String) -> Bool {
    guard let disk = disk(of: path), let used = used(path) else { return false }
    let size = bytes.map { used + $0 } ?? Self.enough
    return Glibc.mount(nil, disk, nil, UInt(MS_REMOUNT), "size=\(size)") == 0
  }

  private func disk(of path: String) -> String? { disks.first { path.hasPrefix($0 + "/") } }

  func empty() throws {
    remove()
    for folder in [a, b, state, other, root + "/home", root + "/run"] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }

  /// Things to mount inside the others: a disk, and a folder of the first disk.
  private var mountables: [String] { [base + "/stick", root + "/bound"] }

  /// Mounts a stick or a folder of the same disk; takes root.
  func place(_ mounted: Mounted) throws {
    try FileManager.default.createDirectory(
      atPath: mounted.path, withIntermediateDirectories: true)
    let source = mountables[mounted.isStick ? 0 : 1]
    let isMounted = Glibc.mount(source, mounted.path, nil, UInt(MS_BIND), nil) == 0
    guard isMounted else { throw CocoaError(.fileWriteNoPermission) }
  }

  /// The contents of a mount, looked at from elsewhere.
  var mounted: [String: String] { contents(of: mountables) }

  /// Unmounts all below the folders, the last that was mounted first.
  private func unmountAll() {
    veil.lift()
    let lines = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
    for line in lines.split(separator: "\n").reversed() {
      let path = String(line.split(separator: " ")[4]).replacing("\\040", with: " ")
      let isOurs = [root, other, base + "/stick"].contains {
        path == $0 || path.hasPrefix($0 + "/")
      }
      if isOurs { umount2(path, Int32(MNT_DETACH)) }
    }
  }

  private func remove() {
    unmountAll()
    for trash in sharedTrashes {
      for note in ownNotes(in: trash) {
        try? FileManager.default.removeItem(atPath: trash + "/files/" + note)
        try? FileManager.default.removeItem(atPath: trash + "/info/" + note + Self.noteEnd)
      }
    }
    for folder in [root, other, base + "/stick"] {
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  /// Removes all, at the end.
  func end() {
    remove()
    for disk in disks { umount2(disk, Int32(MNT_DETACH)) }
    try? FileManager.default.removeItem(atPath: base)
  }

  var environment: [String] {
    [
      "HOME=\(root)/home", "XDG_STATE_HOME=\(state)", "XDG_DATA_HOME=\(root)/data",
      "XDG_CONFIG_HOME=\(root)/home", "XDG_RUNTIME_DIR=\(root)/run", "LANG=C.UTF-8",
      "PATH=/usr/bin:/bin",
    ]
  }

  /// Files with contents that occur once, some in a tree, and some names that clash.
  ///
  /// - Parameter isRich: whether some are there that not every disk can hold.
  func fill(isRich: Bool = false) throws {
    try FileManager.default.createDirectory(
      atPath: a + "/tree/inner", withIntermediateDirectories: true)
    let special = isRich ? ["tree/X", "tree/a:b"] : []
    for name in ["f1", "f2", "tree/x", "tree/inner/y"] + special {
      try write("new \(name) \(mark)", a + "/" + name)
    }
    try write("big ", a + "/big", times: 60_000)
    try FileManager.default.createSymbolicLink(
      atPath: a + "/tree/link", withDestinationPath: "nowhere")
    for folder in [b, other] {
      try FileManager.default.createDirectory(
        atPath: folder + "/tree/inner", withIntermediateDirectories: true)
      for name in ["f1", "tree/x"] {
        try write("old \(name) \(folder == b) \(mark)", folder + "/" + name)
      }
    }
  }

  /// Files on what is mounted then, all of it on disks of its own.
  func fillMountables() throws {
    for folder in mountables {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let isStick = folder == mountables[0]
      if isStick, Glibc.mount("keydrag-faults", folder, "tmpfs", 0, "size=\(Self.enough)") != 0 {
        throw CocoaError(.fileWriteNoPermission)
      }
      try write("mounted \(isStick) ", folder + "/mounted")
    }
  }

  private func write(_ text: String, _ path: String, times: Int = 50) throws {
    let whole = String(repeating: text, count: times)
    try whole.write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// Every file and link below the given folders by its path, with its contents; folders as "/".
  func contents(of folders: [String]) -> [String: String] {
    var all: [String: String] = [:]
    for folder in folders {
      let real = veil.real(folder)
      let walk = FileManager.default.enumerator(atPath: real)
      while let name = walk?.nextObject() as? String {
        let (path, place) = (folder + "/" + name, real + "/" + name)
        if let link = try? FileManager.default.destinationOfSymbolicLink(atPath: place) {
          all[path] = "-> " + link
        } else if walk?.fileAttributes?[.type] as? FileAttributeType == .typeDirectory {
          all[path] = "/"
        } else {
          all[path] = (try? String(contentsOfFile: place, encoding: .utf8)) ?? "?"
        }
      }
    }
    return all
  }

  /// What a person sees: without the trash, in which names are the program's own.
  var seen: [String: String] {
    // FUSE keeps what is removed while it is open, for so long, under a name of its own.
    contents(of: [a, b, other]).filter { path, _ in
      !path.contains("/.Trash-") && !path.contains("/.fuse_hidden")
    }
  }

  /// All that must never be lost.
  var everything: [String: String] {
    let shared = contents(of: sharedTrashes.map { $0 + "/files" })
    // A disk of our own has nobody else's things.
    let ours = disks.isEmpty ? shared.filter { $0.value.contains(mark) } : shared
    return seen.merging(contents(of: [trash + "/files"])) { own, _ in own }
      .merging(ours) { own, _ in own }
      .merging(mounted.filter { !$0.key.hasSuffix(Self.noteEnd) }) { own, _ in own }
  }

  /// The disks' own trashes are everybody's: only what came from here counts.
  private var sharedTrashes: [String] {
    let tops = [Self.top(of: root), otherTop + "/"] + [a, b, other].map { $0 + "/" }
    return tops.map { $0 + ".Trash-\(getuid())" }
  }

  /// The last folder upwards on the same disk, with a slash at its end.
  private static func top(of path: String) -> String {
    var top = URL(filePath: path).deletingLastPathComponent().standardizedFileURL
    func device(_ folder: URL) -> dev_t? {
      var status = stat()
      return stat(folder.path, &status) == 0 ? status.st_dev : nil
    }
    while top.path != "/", case let above = top.deletingLastPathComponent(),
      device(above) == device(top)
    {
      top = above
    }
    return top.path.hasSuffix("/") ? top.path : top.path + "/"
  }

  private static let noteEnd = ".trashinfo"

  private func text(ofNote name: String, in trash: String) -> String {
    let path = veil.real(trash + "/info/") + name + Self.noteEnd
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// The things in a trash that have a note of ours, there or not.
  private func ownNotes(in trash: String) -> Set<String> {
    let notes =
      (try? FileManager.default.contentsOfDirectory(atPath: veil.real(trash + "/info"))) ?? []
    let names = notes.map { String($0.dropLast(Self.noteEnd.count)) }
    let mark = other.dropFirst(otherTop.count + 1) + "/"
    let isOurs = ([self.trash] + [a, b, other]).contains { trash.hasPrefix($0) }
    return Set(names.filter { isOurs || text(ofNote: $0, in: trash).contains(mark) })
  }

  /// What is in a trash without its note, notes without their thing, and notes that tell nothing.
  var badNotes: [String] {
    let known = Set(everything.keys)
    var bad: [String] = []
    for folder in [trash] + sharedTrashes {
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: veil.real(folder + "/files"))) ?? []
      let things = Set(
        names.filter { name in
          let path = folder + "/files/" + name
          return known.contains { $0 == path || $0.hasPrefix(path + "/") }
        })
      let notes = ownNotes(in: folder)
      bad += things.symmetricDifference(notes).map { folder + "/" + $0 }
      bad += notes.filter { !text(ofNote: $0, in: folder).contains("\nDeletionDate=") }
    }
    return bad.sorted()
  }

  /// Stands in every file that may get into a trash of others.
  private var mark: String { "from \(root) " }
}

/// Something that is mounted in the folders.
struct Mounted {
  var path: String
  /// A disk of its own, and not a folder of the same disk.
  var isStick: Bool
  /// Whether that is done after the commands that come before a scenario.
  var isLater = false
}
