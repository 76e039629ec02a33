import SystemPackage

/// From a key to its answer while three large copies run, beside the same keys before them.
enum LoadBenchmark {
  static let benchmark = Benchmark(name: "load", about: "key to answer while three copies run") {
    sizes, scratch in
    let source = try scratch.folder("loaded", files: 20, size: 16)
    let target = try scratch.folder("taking")
    for number in 0..<copies {
      let file = try scratch.file("large-\(number)", size: sizes.large)
      try Child.run(["mv", file.string, source.appending("a-large-\(number).bin").string])
    }
    let child = try begun(source, target)
    let idle = try times(of: sizes.strokes, child)
    try child.write("!home\n")
    try child.wait(for: #""id":"item""#)
    for _ in 0..<copies {
      try child.write("!space\n")
      try child.wait(for: #""id":"drop-point""#)
      try child.write("!enter\n")
      try child.wait(for: #""stage":"started""#)
    }
    let loaded = try times(of: sizes.strokes, child)
    try child.write("!ctrl+c\n")
    _ = try? child.end()
    let beside = try beside(source, target, sizes)
    let worst = percentile(loaded)
    return [
      Figure(
        "key to answer, three copies of \(sizes.large >> 20) MiB, 99th percentile",
        Text.time(worst),
        peer: "nothing runs: \(Text.time(percentile(idle))), cp runs beside it: "
          + Text.time(percentile(beside)),
        target: "≤ 50.0 ms", isMet: worst <= 0.05)
    ]
  }

  private static let copies = 3

  private static func begun(_ source: FilePath, _ target: FilePath) throws -> Child {
    let child = try Child(
      [
        try Program.path(), "files", source.string, target.string, "--keys", "-", "--transcript",
        "-", "--speech", "off",
      ], input: true, output: true)
    try child.wait(for: #""id":"ready""#)
    return child
  }

  /// The same keys while other programs make the same copies: what the machine itself takes.
  private static func beside(_ source: FilePath, _ target: FilePath, _ sizes: Sizes) throws
    -> [Double]
  {
    let child = try begun(source, target)
    let others = try (0..<copies).map { number in
      try Child([
        "cp", source.appending("a-large-\(number).bin").string,
        target.appending("other-\(number).bin").string,
      ])
    }
    defer { withExtendedLifetime(others) {} }
    let times = try times(of: sizes.strokes, child)
    try child.write("!ctrl+c\n")
    _ = try? child.end()
    return times
  }

  private static func times(of strokes: Int, _ child: Child) throws -> [Double] {
    try child.write("!end\n")
    try child.wait(for: #""id":"item""#)
    return try (0..<strokes).map { number in
      let start = Clock.now
      try child.write(number.isMultiple(of: 2) ? "!up\n" : "!down\n")
      return try child.wait(for: #""id":"item""#) - start
    }
  }

  private static func percentile(_ times: [Double]) -> Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? .nan : sorted[min(sorted.count * 99 / 100, sorted.count - 1)]
  }
}
