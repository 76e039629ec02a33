/// One operation of the program: what is done before it, and its words.
struct Scenario {
  var name: String
  /// Commands that run before it, without a fault. One that begins with "kill" ends in its middle.
  var before: [[String]] = []
  var words: [String]

  /// Whether an undo has nothing to take back but what the scenario has done.
  var isFirst: Bool { before.isEmpty && ["copy", "move"].contains(words.first) }

  /// How many of the things that were ordered have arrived whole; `nil` where they become one with others.
  func arrived(_ seen: [String: String], _ disks: Disks) -> Int? {
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
    return Dictionary(grouping: new, by: { root($0.key) }).values.count {
      $0.allSatisfy { seen[$0.key] == $0.value }
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
}
