import KeyDragCore
import Testing

@Suite struct IDSpaceTests {
  static let numbers: [UInt64] = [
    0, 1, 0x00FF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_0000_0000, 0xFF00_0000_0000_0000, .max,
    0x0000_0007_FFFF_FFFF,
  ]

  @Test("A number comes back from outside as its world gave it", arguments: [0, 1, 2, 61, 62])
  func roundTrip(world: Int) throws {
    for number in Self.numbers {
      let joined = try #require(IDSpace.joined(number, world: world))
      let split = try #require(IDSpace.split(joined))
      #expect(split == (world, number))
    }
    for number: UInt32 in [0, 5, 0x00FF_FFFF, 0xFF00_0000, .max] {
      let joined = try #require(IDSpace.joined(number, world: world))
      let split = try #require(IDSpace.split(joined))
      #expect(split == (world, number))
    }
  }

  @Test("Equal numbers of different worlds differ outside")
  func apart() {
    for number in Self.numbers {
      let all = (0...IDSpace.visitors).compactMap { IDSpace.joined(number, world: $0) }
      #expect(all.count == IDSpace.visitors + 1)
      #expect(Set(all).count == all.count)
    }
  }

  @Test("A number that does not fit is nobody's")
  func misfits() {
    for number: UInt64 in [0x0100_0000_0000_0000, 0x7F00_0000_0000_0001, 0xFE00_0000_0000_0000] {
      #expect(IDSpace.joined(number, world: 0) == nil)
      #expect(IDSpace.joined(number, world: 3) == nil)
    }
    for number: UInt64 in [1 << 56, 0x80 << 56, 0xC0 << 56, 0xBF << 56] {
      #expect(IDSpace.split(number) == nil)
    }
    #expect(IDSpace.joined(UInt64(1), world: 63) == nil)
    #expect(IDSpace.joined(UInt64(1), world: -1) == nil)
  }

  @Test("Each world sees its own numbers as it gave them, and no other's among them")
  func seen() throws {
    for world in 0...IDSpace.lastWorld {
      var views: Set<UInt64> = []
      for owner in [0, 1, 7, world, IDSpace.visitors] {
        let joined = try #require(IDSpace.joined(UInt64(42), world: owner))
        let view = try #require(IDSpace.seen(joined, by: world))
        #expect((view == 42) == (owner == world))
        #expect(IDSpace.seen(view, by: world) == joined)
        views.insert(view)
      }
      #expect(views.count == Set([0, 1, 7, world, IDSpace.visitors]).count)
    }
  }
}
