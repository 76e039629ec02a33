import Glibc
import KeyDragCore
import KeyDragFiles
import SystemPackage

/// From a key's bytes to the words in the hands of the voice.
enum KeyBenchmark {
  static let benchmark = Benchmark(name: "key", about: "a key to its announcement at the voice") {
    sizes, scratch in
    let folder = try KeyBenchmark.folder(scratch)
    let voice = StampingVoice()
    let stage = try KeyStage(folder, voice: voice)
    _ = voice.next()
    let browsing = try times(stage, voice, sizes.strokes, [KeyBytes.down, KeyBytes.up])
    var pickUps: [Double] = []
    for _ in 0..<(sizes.strokes / 4) {
      pickUps.append(try time(stage, voice, KeyBytes.space))
      try stage.settle { $0.carried != nil }
      _ = try time(stage, voice, KeyBytes.escape)
    }
    _ = try time(stage, voice, KeyBytes.space)
    try stage.settle { $0.carried != nil }
    let carrying = try times(stage, voice, sizes.strokes, [KeyBytes.tab, KeyBytes.backTab])
    stage.close()
    return [
      .time("key to voice, item to item", Median.of(browsing), atMost: 0.001),
      .time("key to voice, drop point to drop point", Median.of(carrying), atMost: 0.001),
      .time(
        "key to voice, pick-up with the verdicts of 40 folders", Median.of(pickUps), atMost: 0.001),
    ]
  }

  /// Forty folders and forty files.
  static func folder(_ scratch: Scratch) throws -> FilePath {
    let folder = try scratch.folder("keys", files: 40, size: 16)
    for number in 0..<40 { mkdir(folder.appending("Folder \(number)").string, 0o755) }
    return folder
  }

  private static func times(
    _ stage: KeyStage, _ voice: StampingVoice, _ count: Int, _ keys: [[UInt8]]
  ) throws -> [Double] {
    try (0..<count).map { try time(stage, voice, keys[$0 / 8 % keys.count]) }
  }

  private static func time(
    _ stage: KeyStage, _ voice: StampingVoice, _ key: [UInt8]
  ) throws -> Double {
    let start = stage.press(key)
    guard let spoken = voice.next() else { throw BenchmarkError("a key was not answered") }
    try stage.settle()
    return spoken - start
  }
}

/// A voice that notes when it was given words, and says them in no time.
final class StampingVoice: Voice {
  private let stamps = Arrivals<Double>()

  func speak(_ utterance: Utterance) { stamps.add(Clock.now) }

  func next() -> Double? { stamps.next(within: 20) }

  func silence() {}

  func finish(within deadline: Double) {}

  func onIdle(_ handler: @escaping @Sendable () -> Void) {}

  var problem: Problem? { nil }
}
