/// One operation of the program: what is done before it, and its words.
struct Scenario {
  var name: String
  /// Commands that run before it, without a fault. One that begins with "kill" ends in its middle.
  var before: [[String]] = []
  var words: [String]
  var mounts: [Mounted] = []

  /// Whether an undo has nothing to take back but what the scenario has done.
  var isFirst: Bool { before.isEmpty && ["copy", "move"].contains(words.first) }

  /// How many of the things that were ordered have arrived whole; `nil` where they become one with others.
  func arrived(_ seen: [String: String], _ disks: Disks, inPart: Bool) -> Int? {
    guard isFirst, !words.contains(where: { $0.hasPrefix("merge") }),
      let option = words.firstIndex(of: "--to"), option + 1 < words.count
    else { return nil }
    let target = words[option + 1] + "/"
    // A number before the end of a name keeps both.
    func root(_ path: String) -> String {
      let name = path.dropFirst(target.count).prefix { $0 != "/" }
      return String(name.replacing(" (2)", with: ""))
    }
    let new = disks.expected.filter {
      $0.key.hasPrefix(target) && disks.initial[$0.key] != $0.value
    }
    return Dictionary(grouping: new, by: { root($0.key) }).values.count { parts in
      let arrived = parts.count { seen[$0.key] == $0.value }
      return inPart ? arrived > 0 : arrived == parts.count
    }
  }

  static func all(_ ground: Ground) -> [Scenario] {
    let sources = ["f1", "f2", "tree", "big"].map { ground.a + "/" + $0 }
    func order(_ operation: String, _ to: String, _ clash: String = "keep-both") -> [String] {
      [operation] + sources + ["--to", to, "--clash", clash]
    }
    let (b, other) = (ground.b, ground.other)
    let trash = ["files", ground.a, "--keys", "\"f2\" space \"trash\" enter"]
    return [
      Scenario(name: "copy", words: order("copy", b)),
      Scenario(name: "copy, replacing", words: order("copy", b, "replace")),
      Scenario(name: "copy to another disk", words: order("copy", other)),
      Scenario(name: "move", words: order("move", b)),
      Scenario(name: "move, replacing", words: order("move", b, "replace")),
      Scenario(name: "move to another disk", words: order("move", other)),
      Scenario(
        name: "move to another disk, replacing", words: order("move", other, "replace")),
      Scenario(name: "move, merging", words: order("move", b, "merge-replace")),
      Scenario(name: "move to another disk, merging", words: order("move", other, "merge")),
      Scenario(name: "trash", words: trash),
      Scenario(name: "undo of a copy", before: [order("copy", b)], words: ["undo"]),
      Scenario(
        name: "undo of a replacing copy", before: [order("copy", b, "replace")], words: ["undo"]),
      Scenario(name: "undo of a move", before: [order("move", b, "replace")], words: ["undo"]),
      Scenario(
        name: "undo of a merge", before: [order("move", b, "merge-replace")], words: ["undo"]),
      Scenario(
        name: "recovery of a merge", before: [["kill"] + order("move", b, "merge")],
        words: ["history"]),
      Scenario(
        name: "undo from another disk", before: [order("move", other)], words: ["undo"]),
      Scenario(name: "undo of trash", before: [trash], words: ["undo"]),
      Scenario(
        name: "redo of a copy", before: [order("copy", b), ["undo"]], words: ["redo"]),
      Scenario(
        name: "redo to another disk", before: [order("move", other), ["undo"]],
        words: ["redo"]),
      Scenario(
        name: "recovery of a move", before: [["kill"] + order("move", b, "replace")],
        words: ["history"]),
      Scenario(
        name: "recovery across disks", before: [["kill"] + order("move", other)],
        words: ["history"]),
      Scenario(
        name: "recovery of an undo", before: [order("copy", b), ["kill", "undo"]],
        words: ["history"]),
    ]
  }

  /// Those with something mounted in the folders, which take root.
  static func withMounts(_ ground: Ground) -> [Scenario] {
    func order(_ operation: String, _ to: String, _ clash: String = "keep-both") -> [String] {
      [operation] + ["f1", "tree"].map { ground.a + "/" + $0 } + ["--to", to, "--clash", clash]
    }
    let (b, other) = (ground.b, ground.other)
    let trash = ["files", ground.a, "--keys", "\"tree\" space \"trash\" enter"]
    let stick = Mounted(path: ground.a + "/tree/stick", isStick: true)
    let bound = Mounted(path: ground.a + "/tree/bound", isStick: false)
    let inTarget = Mounted(path: b + "/tree/stick", isStick: true)
    let inCopy = Mounted(path: other + "/tree (2)/inner", isStick: true, isLater: true)
    let overTrash = Mounted(path: ground.trash, isStick: true)
    return [
      Scenario(name: "copy, a disk inside", words: order("copy", other), mounts: [stick]),
      Scenario(name: "move, a disk inside", words: order("move", b), mounts: [stick, bound]),
      Scenario(name: "move away, a disk inside", words: order("move", other), mounts: [stick]),
      Scenario(
        name: "move away, a folder bound inside", words: order("move", other), mounts: [bound]),
      Scenario(
        name: "replacing one with a disk inside", words: order("copy", b, "replace"),
        mounts: [inTarget]),
      Scenario(
        name: "merging, a disk inside", words: order("move", b, "merge-replace"), mounts: [inTarget]
      ),
      Scenario(name: "trash, a disk inside", words: trash, mounts: [stick]),
      Scenario(name: "trash, a folder bound inside", words: trash, mounts: [bound]),
      Scenario(name: "trash, a disk over it", words: trash, mounts: [overTrash]),
      Scenario(
        name: "undo of a copy, a disk inside", before: [order("copy", other)], words: ["undo"],
        mounts: [inCopy]),
      Scenario(
        name: "undo of a move, a disk inside", before: [order("move", other)], words: ["undo"],
        mounts: [inCopy]),
      Scenario(
        name: "recovery, a disk inside", before: [["kill"] + order("move", other)],
        words: ["history"], mounts: [stick]),
    ]
  }
}
