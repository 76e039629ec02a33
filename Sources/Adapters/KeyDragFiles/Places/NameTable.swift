/// The names a folder has shown in this run, each with a number that stays its own.
///
/// All names lie one after the other in one array and are found by open addressing, so that 100,000
/// of them cost about 15 bytes each beyond their own.
///
/// Names are never removed: an ordinal that the session holds means the same name to the end.
struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  /// The end of each name in `bytes`; it begins where the one before it ends.
  private var ends: [UInt32] = []
  /// Ordinal + 1, or 0 for a free slot; always a power of two of them.
  private var slots: [UInt32] = []

  /// How many names there are; the next ordinal.
  var count: Int { ends.count }

  /// Makes room once for a folder that is read for the first time.
  ///
  /// - Parameter byteCount: of all names together.
  mutating func reserve(names: Int, bytes byteCount: Int) {
    guard names > ends.capacity else { return }
    ends.reserveCapacity(names)
    bytes.reserveCapacity(byteCount)
    growSlots(toHold: names)
  }

  /// The bytes are valid during the call. The ordinal has to be one that was given.
  func withName<Result>(
    _ ordinal: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let range = range(of: ordinal)
    return bytes.withUnsafeBufferPointer { all in body(UnsafeBufferPointer(rebasing: all[range])) }
  }

  /// A copy of the bytes.
  func name(_ ordinal: UInt32) -> [UInt8] { withName(ordinal) { Array($0) } }

  /// `nil` for a name that was never seen.
  func ordinal(of name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard !slots.isEmpty else { return nil }
    let found = slots[slot(for: name)]
    return found == 0 ? nil : found - 1
  }

  /// The number of this name; a new name gets the next one.
  mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    // At most three quarters are taken, so that a free slot ends each search.
    if (ends.count + 1) * 4 > slots.count * 3 { growSlots(toHold: max(16, ends.count * 2)) }
    let slot = slot(for: name)
    if slots[slot] != 0 { return slots[slot] - 1 }
    bytes.append(contentsOf: name)
    ends.append(UInt32(bytes.count))
    slots[slot] = UInt32(ends.count)
    return UInt32(ends.count - 1)
  }

  /// In `bytes`.
  private func range(of ordinal: UInt32) -> Range<Int> {
    let index = Int(ordinal)
    return (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// The slot that holds this name, or the free one where it belongs.
  ///
  /// To be called only with slots, one of which at least is free.
  private func slot(for name: UnsafeBufferPointer<UInt8>) -> Int {
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] != 0, !isName(slots[slot] - 1, name) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func isName(_ ordinal: UInt32, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    withName(ordinal) { $0.elementsEqual(name) }
  }

  /// Finds all names a slot anew; the ordinals stay.
  private mutating func growSlots(toHold names: Int) {
    var size = 16
    while size * 3 < (names + 1) * 4 { size *= 2 }
    guard size > slots.count else { return }
    slots = [UInt32](repeating: 0, count: size)
    for ordinal in ends.indices.map({ UInt32($0) }) {
      let free = withName(ordinal) { slot(for: $0) }
      slots[free] = ordinal + 1
    }
  }

  /// Seeded, because the names in a folder are not ours to choose.
  ///
  /// `Hasher` takes its seed anew in each run: names can't be chosen to fall into one slot.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }
}
