/// Changes inputs, in the same way each time for the same seed.
struct Mutator {
  /// Longer inputs are cut.
  private static let longest = 16_384
  /// Numbers at which lengths and counts go wrong.
  private static let edges: [UInt64] = [
    0, 1, 2, 3, 4, 7, 8, 15, 16, 27, 28, 31, 32, 63, 64, 127, 128, 255, 256, 512, 1023, 1024, 4095,
    4096,
    32_767, 32_768, 65_535, 65_536, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF,
  ]

  private var random: Seeded
  private let words: [[UInt8]]

  init(seed: UInt64, words: [String]) {
    random = Seeded(seed: seed)
    self.words = words.map { Array($0.utf8) }
  }

  /// One of the inputs with some changes; once in a while one that is nothing but chance.
  mutating func changed(_ seeds: [[UInt8]]) -> [UInt8] {
    if below(100) == 0 || seeds.isEmpty {
      return (0..<below(64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    var bytes = seeds[below(seeds.count)]
    for _ in 0...below(below(4) == 0 ? 16 : 3) { change(&bytes, seeds) }
    return bytes.count > Self.longest ? Array(bytes[..<Self.longest]) : bytes
  }

  private mutating func change(_ bytes: inout [UInt8], _ seeds: [[UInt8]]) {
    let place = below(bytes.count + 1)
    let range = place..<min(bytes.count, place + 1 + below(below(3) == 0 ? 64 : 6))
    switch below(12) {
    case 0 where !range.isEmpty: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where !range.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
    case 3: bytes.removeSubrange(range)
    case 4: bytes.insert(contentsOf: Array(bytes[range]), at: below(bytes.count + 1))
    case 5,
      6 where !words.isEmpty:
      guard !words.isEmpty else { return }
      bytes.insert(contentsOf: words[below(words.count)], at: place)
    case 7 where !words.isEmpty: bytes.replaceSubrange(range, with: words[below(words.count)])
    case 8: write(Self.edges[below(Self.edges.count)], into: &bytes, at: place)
    case 9:
      let other = seeds[below(seeds.count)]
      let start = below(other.count + 1)
      bytes.replaceSubrange(place..., with: other[start...])
    case 10 where below(20) == 0:
      // Deep nesting and long lists.
      let part = Array(bytes[range])
      bytes.insert(contentsOf: (0..<below(4000)).flatMap { _ in part }, at: place)
    case 11: bytes.removeSubrange(place...)
    default: bytes.insert(contentsOf: "\(random.next())".utf8, at: place)
    }
  }

  /// A number in one, two or four bytes, in either order.
  private mutating func write(_ number: UInt64, into bytes: inout [UInt8], at place: Int) {
    let size = [1, 2, 4][below(3)]
    var written = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    if below(2) == 0 { written.reverse() }
    bytes.replaceSubrange(place..<min(bytes.count, place + size), with: written)
  }

  private mutating func below(_ bound: Int) -> Int {
    bound > 0 ? Int(random.next() % UInt64(bound)) : 0
  }
}

/// Numbers that are the same in each run (splitmix64).
private struct Seeded {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
