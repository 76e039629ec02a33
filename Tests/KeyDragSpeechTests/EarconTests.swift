import KeyDragCore
import Testing

@testable import KeyDragSpeech

@Suite struct EarconTests {
  @Test("H28: every earcon is short and stays 12 dB below full scale", arguments: Earcon.allCases)
  func shape(_ earcon: Earcon) {
    let samples = EarconSamples.samples(for: earcon, rate: 22_050)
    #expect((60.0...150.0).contains(Double(samples.count) * 1000 / 22_050))
    let peak = samples.map { abs(Int($0)) }.max() ?? 0
    #expect((2000...8230).contains(peak))
    #expect(samples.first == 0)
    #expect(abs(Int(samples.last ?? 1)) < 50)
  }

  @Test("H28: every two earcons sound different")
  func distinct() {
    let sounds = Earcon.allCases.map { (name: $0, shape: crossings($0)) }
    for (index, one) in sounds.enumerated() {
      for other in sounds[(index + 1)...] {
        #expect(
          distance(one.shape, other.shape) > 0.15, "\(one.name.rawValue) and \(other.name.rawValue)"
        )
      }
    }
  }

  @Test("the volume applies to earcons, and a senseless rate gives none")
  func volume() {
    let loud = EarconSamples.samples(for: .pickUp, rate: 22_050).map { Int($0) }.max() ?? 0
    let half = EarconSamples.samples(for: .pickUp, rate: 22_050, volume: 50).map { Int($0) }.max()
    #expect(abs((half ?? 0) * 2 - loud) < 10)
    #expect(EarconSamples.samples(for: .pickUp, rate: 0).isEmpty)
  }

  /// How often the sound crosses zero in each tenth of the longest length: its melody and rhythm.
  private func crossings(_ earcon: Earcon) -> [Double] {
    let samples = EarconSamples.samples(for: earcon, rate: 22_050)
    var result = [Double](repeating: 0, count: 10)
    for index in samples.indices.dropFirst()
    where (samples[index] < 0) != (samples[index - 1] < 0) {
      result[min(9, index * 10 / 3308)] += 1
    }
    return result
  }

  private func distance(_ one: [Double], _ other: [Double]) -> Double {
    let difference = zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) }
    return difference / max(1, (one + other).reduce(0, +))
  }
}
