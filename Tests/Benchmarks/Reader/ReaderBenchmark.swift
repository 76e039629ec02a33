import KeyDragAccessibility
import KeyDragCore
import PrivateDesktop

/// From a message to the screen reader that was given it, on a private desktop's real bus.
enum ReaderBenchmark {
  static let benchmark = Benchmark(
    name: "reader", about: "a message until the screen reader has it, and 10,000 of them"
  ) { sizes, _ in
    if let obstacle = PrivateDesktop.obstacle { throw BenchmarkError(obstacle) }
    let desktop = try PrivateDesktop()
    let listener = try desktop.start(DesktopPrograms.plainListener)
    _ = try listener.line(within: 20)
    let reader = ScreenReader(environment: desktop.environment, patience: 20_000)
    await reader.reaches(.atspi)
    var times: [Double] = []
    for number in 0..<sizes.strokes {
      let start = Clock.now
      try announce(number, to: reader)
      // It answers a question that was put after the message, so this is longer than the way there.
      await reader.allHeard()
      times.append(Clock.now - start)
      try expect(number, from: listener)
    }
    let flood = try await flood(reader, listener, from: sizes.strokes)
    listener.end()
    return [
      Figure.time("message to the reader and its answer", Median.of(times), atMost: 0.002),
      Figure("10,000 messages in order, none lost", Text.time(flood)),
    ]
  }

  /// In batches, as nothing more may be on its way.
  private static func flood(
    _ reader: ScreenReader, _ listener: KeptProcess, from first: Int
  ) async throws -> Double {
    let start = Clock.now
    for batch in 0..<20 {
      let numbers = (first + batch * 500)..<(first + (batch + 1) * 500)
      for number in numbers { try announce(number, to: reader) }
      for number in numbers { try expect(number, from: listener) }
      await reader.allHeard()
    }
    return Clock.now - start
  }

  private static func announce(_ number: Int, to reader: ScreenReader) throws {
    let message = ReaderMessage(number: number, text: "message \(number)", urgency: .polite)
    guard reader.announce(message) == .atspi else {
      throw BenchmarkError("message \(number) was not taken")
    }
  }

  private static func expect(_ number: Int, from listener: KeptProcess) throws {
    let line = try listener.line(within: 20)
    guard line == "1 message \(number)" else {
      throw BenchmarkError("message \(number) was lost; heard: \(line)")
    }
  }
}
