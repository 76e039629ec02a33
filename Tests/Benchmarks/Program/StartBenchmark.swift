import SystemPackage

/// From the start of the program to its first announcement.
enum StartBenchmark {
  static let benchmark = Benchmark(name: "start", about: "start to the first announcement") {
    sizes, scratch in
    let folder = try scratch.folder("small", files: 20, size: 16)
    let program = try Program.path()
    _ = try ready(program, folder)
    let pairs = try Pairs.measured(sizes.pairs * 3) {
      try ready(program, folder)
    } peer: {
      try Child.run(["true"])
    }
    return [
      Figure(
        "start to first announcement, 20 files", Text.time(pairs.own),
        peer: "starting true: \(Text.time(pairs.peer))", target: "≤ 60.0 ms",
        isMet: pairs.own <= 0.06)
    ]
  }

  /// Seconds from just before the program is started until `ready` is on the transcript pipe.
  static func ready(_ program: String, _ folder: FilePath) throws -> Double {
    let child = try Child(
      [program, "files", folder.string, "--keys", "-", "--transcript", "-", "--speech", "off"],
      input: true, output: true)
    let time = try child.wait(for: #""id":"ready""#) - child.started
    try child.end()
    return time
  }
}
