import Foundation
import Glibc
import KeyDragCore
import KeyDragDesktop
import PrivateDesktop
import SystemPackage

/// A file into a folder beside it, as it is done by nobody's wish, a move: by the agent's keys, and by a
/// pointer.
enum ThunarBenchmark {
  static let benchmark = Benchmark(
    name: "thunar", about: "drags into a real file manager, beside a pointer's"
  ) { sizes, scratch in
    let stage = try await OpenFolder(try scratch.folder("shown"))
    let (keys, words) = try stage.byKeys(sizes.drags)
    let pointer = try stage.dragWithPointer(sizes.drags)
    var figure = Figure(
      "a file into a folder of Thunar, by \(stage.keys) keys", Text.time(Median.of(keys)),
      peer: "by an XTEST pointer: \(Text.time(Median.of(pointer)))",
      ratio: Text.number(Median.of(keys) / Median.of(pointer)))
    figure.pairs = zip(keys, pointer).prefix(12).map {
      "\(Text.time($0)) beside \(Text.time($1))"
    }
    return [
      .time("chord to the first word, on a file", Median.of(words), atMost: 0.030), figure,
      Figure(
        "of \(sizes.drags) drags by keys have landed", String(keys.count),
        peer: "by a pointer: \(pointer.count)", target: String(sizes.drags),
        isMet: keys.count == sizes.drags),
    ]
  }
}

/// Thunar with a folder open that holds another one and a file.
private final class OpenFolder {
  /// Strokes for one drag; a chord is one.
  let keys = 3

  private static let text = "what is dragged"

  private let floor: DesktopFloor
  private let thunar: KeptProcess
  private let hands: Hands
  private let source: FilePath
  private let landed: FilePath
  private let file: (x: Int, y: Int)
  private let folder: (x: Int, y: Int)

  init(_ path: FilePath) async throws {
    floor = try DesktopFloor()
    try floor.desktop.chooseThunarView()
    source = path.appending("a.txt")
    landed = path.appending("Sorted").appending("a.txt")
    guard mkdir(path.appending("Sorted").string, 0o755) == 0 else {
      throw BenchmarkError("no folder: errno \(errno)")
    }
    try Scratch.write(Array(Self.text.utf8), to: source, times: 1)
    thunar = try floor.desktop.start(["/usr/bin/thunar", path.string])
    hands = try Hands(floor)
    let world = try floor.world()
    defer { world.close() }
    let listing = try await floor.window("shown", of: world, having: "a.txt")
    file = try await Self.place("a.txt", in: listing, floor, world)
    folder = try await Self.place("Sorted", in: listing, floor, world)
  }

  private static func place(
    _ name: String, in listing: Listing, _ floor: DesktopFloor, _ world: DesktopWorld
  ) async throws -> (x: Int, y: Int) {
    let point = try floor.point(name, in: listing)
    guard let center = await world.currentLocation(of: point.id)?.rectangle?.center else {
      throw BenchmarkError("\(name) is nowhere")
    }
    return (center.x, center.y)
  }

  /// The seconds of each drag that landed, from the chord to the file, and to the first word.
  func byKeys(_ count: Int) throws -> (drags: [Double], words: [Double]) {
    let agent = try floor.agent()
    try choose(agent)
    var (times, words): ([Double], [Double]) = ([], [])
    for _ in 0..<count {
      try hands.press("End")
      rest()
      let start = try hands.press("Control_L", "Alt_L", "space")
      words.append(try agent.wait(for: #""id":"picked-up""#) - start)
      try agent.wait(for: #""verdict":"refuse""#)
      try hands.press("Tab")
      try agent.wait(for: #""verdict":"accept""#)
      try hands.press("Return")
      let end = try agent.wait(for: #""id":"delivered""#)
      if hasLanded() { times.append(end - start) }
      try putBack()
    }
    kill(agent.process, SIGTERM)
    try agent.end(status: 130)
    return (times, words)
  }

  /// The file is chosen as a person would: there are two rows, and it is the last. An agent that has
  /// just begun to look around may not know yet what is in focus.
  private func choose(_ agent: Child) throws {
    try hands.press("Home")
    rest()
    try hands.press("End")
    for _ in 0..<10 {
      rest()
      try hands.press("Control_L", "Alt_L", "space")
      while true {
        let line = try agent.line()
        if line.contains(#""id":"nothing-to-pick-up""#) { break }
        guard line.contains(#""id":"picked-up""#) else { continue }
        guard line.contains("a.txt") else { throw BenchmarkError("something else: \(line)") }
        try agent.wait(for: #""verdict":"refuse""#)
        rest()
        try hands.press("Escape")
        try agent.wait(for: #""id":"cancelled""#)
        return
      }
    }
    throw BenchmarkError("nothing is in focus")
  }

  /// The same with the pointer, from the press of its button.
  func dragWithPointer(_ count: Int) throws -> [Double] {
    var times: [Double] = []
    for _ in 0..<count {
      rest()
      let start = try hands.drag(from: file, to: folder)
      let deadline = start + 5
      while !hasLanded(), Clock.now < deadline { usleep(1_000) }
      if hasLanded() { times.append(Clock.now - start) }
      try putBack()
    }
    return times
  }

  /// Between two drags hands rest, and what the file manager has to do for the last is done.
  private func rest() { usleep(300_000) }

  private func hasLanded() -> Bool {
    access(source.string, F_OK) != 0
      && FileManager.default.contents(atPath: landed.string) == Data(Self.text.utf8)
  }

  /// For the next drag; the file manager shows it again while hands rest.
  private func putBack() throws {
    if access(source.string, F_OK) != 0, rename(landed.string, source.string) != 0 {
      throw BenchmarkError("it is nowhere: errno \(errno)")
    }
    rest()
  }
}
