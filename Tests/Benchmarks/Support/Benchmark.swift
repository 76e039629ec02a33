/// What goes wrong around a measurement.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// How much is measured.
struct Sizes: Sendable {
  /// Repetitions of a pair; at least 5 for a figure that is shown to anybody.
  var pairs = 7
  /// Files and drop points in the large tables.
  var many = 100_000
  /// Files in a transfer.
  var files = 10_000
  /// Bytes of the large file.
  var large: Int64 = 1 << 30
  /// Keys pressed.
  var strokes = 400
  /// Drags into a real program.
  var drags = 100
  /// Seconds an idle program is watched.
  var idleSeconds: UInt32 = 5

  static let quick = Sizes(
    pairs: 3, many: 10_000, files: 1_000, large: 64 << 20, strokes: 60, drags: 10,
    idleSeconds: 2)
}

/// One group of figures, by the name it is run with.
struct Benchmark: Sendable {
  let name: String
  let about: String
  let run: @Sendable (Sizes, Scratch) async throws -> [Figure]
}
