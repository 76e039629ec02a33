import SystemPackage

/// A folder of very many files, from the start of the program.
enum OpeningBenchmark {
  static let benchmark = Benchmark(name: "opening", about: "a folder of 100,000 files") {
    sizes, scratch in
    let folder = try scratch.folder("many", files: sizes.many, size: 0)
    let program = try Program.path()
    _ = try StartBenchmark.ready(program, folder)
    let pairs = try Pairs.measured(sizes.pairs) {
      try StartBenchmark.ready(program, folder)
    } peer: {
      try Child.run(["ls", "-U", folder.string])
    }
    let limit = 60 << 20
    let (opened, used) = try memory(program, folder, try scratch.folder("other"))
    return [
      .pairs("start to ready, \(sizes.many) files", pairs, peer: "ls -U", atMost: 2),
      Figure(
        "resident memory, listed and sorted", Text.megabytes(opened), target: "≤ 60.0 MB",
        isMet: opened <= limit),
      Figure("resident memory after type-ahead and a pick-up", Text.megabytes(used)),
    ] + inProcess(folder, rounds: sizes.pairs)
  }

  /// The most memory that the program had, in bytes: listed, and after work with what is listed.
  private static func memory(
    _ program: String, _ folder: FilePath, _ other: FilePath
  ) throws -> (opened: Int, used: Int) {
    let child = try Child(
      [
        program, "files", folder.string, other.string, "--keys", "-", "--transcript", "-",
        "--speech", "off",
      ],
      input: true, output: true)
    try child.write("end\n")
    try child.wait(for: #""id":"item""#)
    let opened = child.memory("VmHWM")
    try child.write("\"file-001\" space\n")
    try child.wait(for: #""phase":"carrying""#)
    try child.write("escape\n")
    try child.wait(for: #""id":"cancelled""#)
    let used = child.memory("VmHWM")
    try child.end()
    return (opened, used)
  }

  private static func inProcess(_ folder: FilePath, rounds: Int) -> [Figure] {
    let figures = PlacesBenchmark(folder: folder) { LiveWorld.make(folder) }.run(rounds: rounds)
    return [
      .time("in process: counted", figures.counted), .time("in process: sorted", figures.listed),
      .time("in process: a new file is reported", figures.appearance),
    ]
  }
}
