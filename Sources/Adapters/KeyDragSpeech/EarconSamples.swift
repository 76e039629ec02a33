import Glibc
import KeyDragCore

/// A segment of an earcon: a tone that may glide, with overtones.
private struct Tone {
  /// Hertz at the beginning and at the end.
  var from: Double
  var to: Double
  var seconds: Double
  /// Shares of the partials, by multiple of the fundamental frequency; they add up to 1.
  var partials: [(multiple: Double, share: Double)] = [(1, 1)]

  init(_ from: Double, to: Double? = nil, _ seconds: Double) {
    self.from = from
    self.to = to ?? from
    self.seconds = seconds
  }

  func with(_ partials: [(multiple: Double, share: Double)]) -> Tone {
    var tone = self
    tone.partials = partials
    return tone
  }
}

/// Synthesises the sounds of ``Earcon``.
package enum EarconSamples {
  /// The loudest sample: 12 dB below full scale, so that it never startles and words stay louder.
  package static let peak = 8230.0

  /// 16-bit mono samples of 60 to 150 ms at `rate` hertz; `volume` is 0 to 100.
  package static func samples(for earcon: Earcon, rate: Int, volume: Int = 100) -> [Int16] {
    guard (4000...192_000).contains(rate) else { return [] }
    let loudness = peak * Double(min(max(volume, 0), 100)) / 100
    return tones(of: earcon).flatMap { render($0, rate: Double(rate), loudness: loudness) }
  }

  /// Rising tones begin something or arrive, falling ones leave or fail; two equal tones are a
  /// copy, two an octave apart a link, a buzz is a refusal.
  private static func tones(of earcon: Earcon) -> [Tone] {
    switch earcon {
    case .pickUp: [Tone(440, to: 700, 0.08)]
    case .copy: [Tone(660, 0.04), Tone(0, 0.02), Tone(660, 0.04)]
    case .move: [Tone(392, 0.05), Tone(523, 0.05)]
    case .link: [Tone(523, 0.04), Tone(0, 0.03), Tone(1047, 0.05)]
    case .remove: [Tone(900, to: 250, 0.14)]
    case .open: [Tone(523, 0.04), Tone(659, 0.04), Tone(784, 0.05)]
    case .notAllowed: [Tone(130, 0.13).with([(1, 0.4), (2, 0.3), (3, 0.3)])]
    case .delivered: [Tone(784, 0.05), Tone(1175, 0.1)]
    case .failed: [Tone(220, 0.07), Tone(165, 0.08)].map { $0.with([(1, 0.6), (2, 0.4)]) }
    case .cancelled: [Tone(600, 0.03), Tone(0, 0.03), Tone(400, 0.04)]
    }
  }

  /// A tone without a frequency is a pause.
  private static func render(_ tone: Tone, rate: Double, loudness: Double) -> [Int16] {
    let count = Int(tone.seconds * rate)
    guard tone.from > 0 else { return Array(repeating: 0, count: count) }
    var phase = 0.0
    return (0..<count).map { index in
      let done = Double(index) / Double(count)
      phase += 2 * Double.pi * (tone.from + (tone.to - tone.from) * done) / rate
      let wave = tone.partials.reduce(0) { $0 + $1.share * sin($1.multiple * phase) }
      return Int16(loudness * wave * envelope(index, of: count, rate: rate))
    }
  }

  /// Rises in 5 ms and falls in 15, to avoid clicks.
  private static func envelope(_ index: Int, of count: Int, rate: Double) -> Double {
    let rise = min(1, Double(index) / (0.005 * rate))
    let fall = min(1, Double(count - 1 - index) / (0.015 * rate))
    return 0.5 - 0.5 * cos(Double.pi * min(rise, fall))
  }
}
