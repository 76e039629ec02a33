import KeyDragCore
import KeyDragFiles
import KeyDragSpeech
import Synchronization
import SystemPackage

/// From a key's bytes to the first samples at the sound output.
enum SpeechBenchmark {
  static let benchmark = Benchmark(name: "speech", about: "a key to its first audio sample") {
    sizes, scratch in
    let folder = try KeyBenchmark.folder(scratch)
    let quiet = try pairs(folder, sizes.strokes, isBusy: false, isAlone: false)
    let busy = try pairs(folder, sizes.strokes, isBusy: true, isAlone: false)
    let alone = try pairs(folder, sizes.strokes, isBusy: false, isAlone: true)
    let peer = "bare call, asked and heard by another thread"
    return [
      .pairs("key to first sample, in silence", quiet, peer: peer, atMost: 3),
      .pairs("key to first sample, over running speech", busy, peer: peer, atMost: 3),
      .pairs(
        "the same in silence, beside the call alone", alone, peer: "bare call on its own thread"),
      .time("silence to the sound's end", try silence(sizes.strokes), atMost: 0.005),
    ]
  }

  /// The peer is `espeak_Synth` with the words that the key led to, on the thread that owns the
  /// library, voice chosen and warm, until its first block of samples is there: asked for by another
  /// thread and awaited there, as it must be where keys are read; or the call by itself.
  private static func pairs(
    _ folder: FilePath, _ count: Int, isBusy: Bool, isAlone: Bool
  ) throws -> Pairs {
    let output = StampingOutput.Log(isBusy: isBusy)
    let voice = SpokenVoice(settings: SpeechSettings(), language: "en") { (_, bell) in
      StampingOutput(log: output, bell: bell)
    }
    let words = WordKeeper(voice)
    let stage = try KeyStage(folder, voice: words)
    _ = output.first.next(within: 20)
    var strokes = 0
    let pairs = try Pairs.measured(count) {
      if !isBusy { voice.finish(within: 20) }
      output.expect()
      strokes += 1
      let start = stage.press(strokes / 8 % 2 == 0 ? KeyBytes.down : KeyBytes.up)
      guard let first = output.first.next(within: 20) else {
        throw BenchmarkError("a key was not spoken")
      }
      try stage.settle()
      return first - start
    } peer: {
      bare(words.last, isAlone: isAlone)
    }
    output.release()
    stage.close()
    return pairs
  }

  /// The middle time from the call that wants silence until the output has let go of its sound, in
  /// seconds.
  private static func silence(_ count: Int) throws -> Double {
    let output = StampingOutput.Log(isBusy: true)
    let voice = SpokenVoice(settings: SpeechSettings(), language: "en") { (_, bell) in
      StampingOutput(log: output, bell: bell)
    }
    let text = String(repeating: "one two three four five, ", count: 40)
    var times: [Double] = []
    for _ in 0..<count {
      output.expect()
      voice.speak(Utterance(text: text, language: "en"))
      guard output.first.next(within: 20) != nil else {
        throw BenchmarkError("a text was not spoken")
      }
      let start = Clock.now
      voice.silence()
      var end = 0.0
      while end < start {
        guard let next = output.dropped.next(within: 20) else {
          throw BenchmarkError("a text was not silenced")
        }
        end = next
      }
      times.append(end - start)
    }
    output.release()
    return Median.of(times)
  }

  private static func bare(_ text: String, isAlone: Bool) -> Double {
    let first = Arrivals<Double>()
    let asked = Clock.now
    EspeakExecutor.shared.submit { library in
      let start = Clock.now
      library?.synthesize(text) { _ in
        first.add(Clock.now - start)
        return false
      }
    }
    let alone = first.next()
    return isAlone ? alone : Clock.now - asked
  }
}

/// Hands everything on and keeps the last words.
private final class WordKeeper: Voice {
  private let voice: SpokenVoice
  private let words = Mutex("")

  init(_ voice: SpokenVoice) { self.voice = voice }

  var last: String { words.withLock { $0 } }

  func speak(_ utterance: Utterance) {
    words.withLock { $0 = utterance.text }
    voice.speak(utterance)
  }

  func silence() { voice.silence() }

  func finish(within deadline: Double) { voice.finish(within: deadline) }

  func onIdle(_ handler: @escaping @Sendable () -> Void) { voice.onIdle(handler) }

  var problem: Problem? { voice.problem }
}

/// A sound output that notes when the first samples came; where it is busy, it plays them until it is
/// stopped.
private final class StampingOutput: SoundOutput {
  final class Log: Sendable {
    let first = Arrivals<Double>()
    let dropped = Arrivals<Double>()
    private let state: Mutex<(isBusy: Bool, isExpecting: Bool)>

    init(isBusy: Bool) { state = Mutex((isBusy, true)) }

    var isBusy: Bool { state.withLock { $0.isBusy } }

    func expect() { state.withLock { $0.isExpecting = true } }

    func release() { state.withLock { $0.isBusy = false } }

    func stamp() {
      let now = Clock.now
      let isWanted = state.withLock { state in
        defer { state.isExpecting = false }
        return state.isExpecting
      }
      if isWanted { first.add(now) }
    }
  }

  private let log: Log
  private let bell: WakePipe

  init(log: Log, bell: WakePipe) {
    self.log = log
    self.bell = bell
  }

  func write(_ samples: [Int16], unless isStopped: () -> Bool) {
    log.stamp()
    while log.isBusy, !isStopped() { _ = bell.wait(milliseconds: 1000) }
  }

  func finish(unless isStopped: () -> Bool) {}

  func drop() { log.dropped.add(Clock.now) }
}
