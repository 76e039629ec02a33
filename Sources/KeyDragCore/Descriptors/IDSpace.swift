/// How the numbers of several worlds are kept apart where they are joined.
///
/// A world numbers its things as it likes, as long as the top byte of a number is all zeros or all
/// ones. World 0 keeps its numbers. In those of world 1 to 61 the top byte becomes `10kkkkkk`, or
/// `11kkkkkk` where it was all ones, with the world's number in `kkkkkk`. Number 62 is for items that
/// come from another program altogether.
package enum IDSpace {
  /// The greatest number of a world that can be joined.
  package static let lastWorld = 61
  /// Marks items that another program holds.
  package static let visitors = 62

  /// The number a thing of a world has outside; `nil` when its own one does not fit.
  package static func joined<Number: FixedWidthInteger & UnsignedInteger>(
    _ local: Number, world: Int
  ) -> Number? {
    guard (0...visitors).contains(world) else { return nil }
    let shift = Number.bitWidth - 8
    let top = local >> shift
    guard top == 0 || top == 0xFF else { return nil }
    if world == 0 { return local }
    let mark: Number = (top == 0 ? 0x80 : 0xC0) | Number(world)
    return (local & ~(Number(0xFF) << shift)) | mark << shift
  }

  /// The world a number from outside belongs to, and the number in it; `nil` for one that no world
  /// could have given.
  package static func split<Number: FixedWidthInteger & UnsignedInteger>(
    _ joined: Number
  ) -> (world: Int, local: Number)? {
    let shift = Number.bitWidth - 8
    let top = joined >> shift
    if top == 0 || top == 0xFF { return (0, joined) }
    let world = Int(top & 0x3F)
    guard top >= 0x80, (1...visitors).contains(world) else { return nil }
    let rest = joined & ~(Number(0xFF) << shift)
    return (world, top & 0x40 == 0 ? rest : rest | Number(0xFF) << shift)
  }

  /// A number from outside as the given world sees it: its own ones as it gave them, those of world 0
  /// marked in its stead, all others unchanged. The same call leads back.
  package static func seen<Number: FixedWidthInteger & UnsignedInteger>(
    _ number: Number, by world: Int
  ) -> Number? {
    guard let (owner, local) = split(number) else { return nil }
    if owner == world { return local }
    return owner == 0 ? joined(local, world: world) : number
  }
}
