/// Assigns permanent ordinals to the names that a folder has shown in this run.
///
/// Stores all names in one array with an open-addressing index, so that 100,000 names have an
/// overhead of about 15 bytes each.
///
/// Names are never removed: an ordinal keeps its meaning for the whole session.
struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  /// End of each name in `bytes`; it starts at the previous end.
  private var ends: [UInt32] = []
  /// Ordinal + 1, or 0 for a free slot; the count is a power of two.
  private var slots: [UInt32] = []

  /// Number of names, and the next ordinal.
  var count: Int { ends.count }

  /// Reserves capacity for a folder's first listing.
  ///
  /// - Parameter byteCount: of all names together.
  mutating func reserve(names: Int, bytes byteCount: Int) {
    guard names > ends.capacity else { return }
    ends.reserveCapacity(names)
    bytes.reserveCapacity(byteCount)
    growSlots(toHold: names)
  }

  /// The bytes are valid during the call. The ordinal must be assigned.
  func withName<Result>(
    _ ordinal: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let range = range(of: ordinal)
    return bytes.withUnsafeBufferPointer { all in body(UnsafeBufferPointer(rebasing: all[range])) }
  }

  func name(_ ordinal: UInt32) -> [UInt8] { withName(ordinal) { Array($0) } }

  /// `nil` for an unknown name.
  func ordinal(of name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard !slots.isEmpty else { return nil }
    let found = slots[slot(for: name)]
    return found == 0 ? nil : found - 1
  }

  func ordinal(of name: FileName?) -> UInt32? {
    name.flatMap { $0.withBytes { ordinal(of: $0) } }
  }

  /// The ordinal of a name, assigned if it is new.
  mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    // At most three quarters full, so that every probe ends at a free slot.
    if (ends.count + 1) * 4 > slots.count * 3 { growSlots(toHold: max(16, ends.count * 2)) }
    let slot = slot(for: name)
    if slots[slot] != 0 { return slots[slot] - 1 }
    bytes.append(contentsOf: name)
    ends.append(UInt32(bytes.count))
    slots[slot] = UInt32(ends.count)
    return UInt32(ends.count - 1)
  }

  private func range(of ordinal: UInt32) -> Range<Int> {
    let index = Int(ordinal)
    return (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// The slot with this name, or the free one for it. Requires a free slot.
  private func slot(for name: UnsafeBufferPointer<UInt8>) -> Int {
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] != 0, !isName(slots[slot] - 1, name) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func isName(_ ordinal: UInt32, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    withName(ordinal) { $0.elementsEqual(name) }
  }

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

  /// `Hasher` is seeded per run, so that nobody can choose file names that collide.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }
}
