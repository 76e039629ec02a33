import KeyDragCore
import SystemPackage

/// Work that must not grow with items times places.
enum FlatBenchmark {
  static let benchmark = Benchmark(name: "flat", about: "many items over many places") {
    sizes, _ in
    [(sizes.files, sizes.many / 100), (sizes.files / 10, sizes.many)].flatMap { items, places in
      figures(items: items, places: places)
    }
  }

  private static func figures(items: Int, places: Int) -> [Figure] {
    let names = ManyPlaces.names(places)
    var many = ManyPlaces(names: names, items: items)
    let pickUp = Clock.time { many.pickUp() }
    var one = ManyPlaces(names: names, items: 1)
    let alone = Clock.time { one.pickUp() }
    let step = Median.of(many.shownTimes(100))
    let wish = Clock.time { many.wish() }
    let what = "\(items) items over \(places) places"
    return [
      Figure(
        "\(what): pick-up", Text.time(pickUp), peer: "1 item: \(Text.time(alone))",
        ratio: Text.number(pickUp / alone)),
      .time("\(what): a step with words and screen", step),
      .time("\(what): a wish", wish),
    ]
  }

  static let selection = Benchmark(name: "selection", about: "100,000 files picked up at once") {
    sizes, scratch in
    let program = try Program.path()
    let folder = try scratch.folder("selected", files: sizes.many, size: 0)
    let few = try scratch.folder("few-selected", files: sizes.many / 10, size: 0)
    let other = try scratch.folder("other")
    let pairs = try Pairs.measured(max(sizes.pairs / 2, 1)) {
      try pickUpAll(program, folder, other)
    } peer: {
      try pickUpAll(program, few, other)
    }
    return [
      .pairs(
        "all of \(sizes.many) files selected, picked up and cancelled", pairs,
        peer: "\(sizes.many / 10) files")
    ]
  }

  private static func pickUpAll(
    _ program: String, _ folder: FilePath, _ other: FilePath
  ) throws -> Double {
    let child = try Child(
      [
        program, "files", folder.string, other.string, "--keys", "-", "--transcript", "-",
        "--speech", "off",
      ],
      input: true, output: true)
    try child.write("end\n")
    try child.wait(for: #""id":"item""#)
    let start = Clock.now
    try child.write(":select-all space escape\n")
    try child.wait(for: #""id":"cancelled""#)
    let time = Clock.now - start
    try child.end()
    return time
  }
}

extension ManyPlaces {
  /// Another operation, and the verdicts that it leads to.
  mutating func wish() { answer(session.apply(.command(.wishCopy))) }
}
