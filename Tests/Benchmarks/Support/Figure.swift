/// One line of the table: what was measured, beside what, and what it has to be.
package struct Figure: Sendable {
  package var name: String
  package var measured: String
  package var peer = ""
  package var ratio = ""
  package var target = ""
  /// `nil` for what is told without a promise.
  package var isMet: Bool?
  /// The first pairs, for a look at how far they lie apart.
  package var pairs: [String] = []

  package init(
    _ name: String, _ measured: String, peer: String = "", ratio: String = "", target: String = "",
    isMet: Bool? = nil
  ) {
    self.name = name
    self.measured = measured
    self.peer = peer
    self.ratio = ratio
    self.target = target
    self.isMet = isMet
  }

  /// A time, in seconds, that must not be longer than `limit`.
  static func time(_ name: String, _ seconds: Double, atMost limit: Double? = nil) -> Figure {
    guard let limit else { return Figure(name, Text.time(seconds)) }
    return Figure(
      name, Text.time(seconds), target: "≤ \(Text.time(limit))", isMet: seconds <= limit)
  }

  /// A time beside a peer's in the same run; the ratio is the median of the pairs' own.
  static func pairs(
    _ name: String, _ pairs: Pairs, peer: String, atMost limit: Double? = nil
  ) -> Figure {
    Figure(
      name, Text.time(pairs.own), peer: "\(peer): \(Text.time(pairs.peer))",
      ratio: Text.number(pairs.ratio), target: limit.map { "≤ \(Text.number($0)) ×" } ?? "",
      isMet: limit.map { pairs.ratio <= $0 }
    ).showing(pairs)
  }

  /// How fast against a peer: the peer's time by ours.
  static func speed(
    _ name: String, _ pairs: Pairs, peer: String, atLeast limit: Double? = nil
  ) -> Figure {
    Figure(
      name, Text.time(pairs.own), peer: "\(peer): \(Text.time(pairs.peer))",
      ratio: Text.number(pairs.speed), target: limit.map { "≥ \(Text.number($0)) ×" } ?? "",
      isMet: limit.map { pairs.speed >= $0 }
    ).showing(pairs)
  }

  private func showing(_ pairs: Pairs) -> Figure {
    var figure = self
    figure.pairs = pairs.times.prefix(12).map {
      "\(Text.time($0.own)) beside \(Text.time($0.peer))"
    }
    return figure
  }

  var row: String {
    let verdict = isMet.map { $0 ? "yes" : "**no**" } ?? ""
    return "| " + [name, measured, peer, ratio, target, verdict].joined(separator: " | ") + " |"
  }

  static let head = """
    | figure | measured (median) | peer (median) | ratio | target | met |
    |---|---|---|---|---|---|
    """
}

/// Times of a thing and of its peer, taken in turns; seconds.
struct Pairs {
  private(set) var times: [(own: Double, peer: Double)] = []

  init(_ times: [(own: Double, peer: Double)] = []) { self.times = times }

  var own: Double { Median.of(times.map(\.own)) }
  var peer: Double { Median.of(times.map(\.peer)) }
  var ratio: Double { Median.of(times.map { $0.own / max($0.peer, 1e-9) }) }
  var speed: Double { Median.of(times.map { $0.peer / max($0.own, 1e-9) }) }

  /// Takes turns, and also in who comes first, so that neither always meets the warmer machine.
  static func measured(
    _ count: Int, own: () throws -> Double, peer: () throws -> Double
  ) rethrows -> Pairs {
    var pairs = Pairs()
    for round in 0..<count {
      if round.isMultiple(of: 2) {
        let first = try own()
        pairs.times.append((first, try peer()))
      } else {
        let first = try peer()
        pairs.times.append((try own(), first))
      }
    }
    return pairs
  }
}

enum Median {
  static func of(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

/// Numbers with three digits that count.
enum Text {
  static func time(_ seconds: Double) -> String {
    if seconds.isNaN { return "none" }
    if seconds >= 1 { return number(seconds) + " s" }
    if seconds >= 1e-3 { return number(seconds * 1e3) + " ms" }
    return number(seconds * 1e6) + " µs"
  }

  static func megabytes(_ bytes: Int) -> String { number(Double(bytes) / 1_048_576) + " MB" }

  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "none" }
    let places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return places == 0 ? String(Int(rounded)) : String(rounded)
  }
}
