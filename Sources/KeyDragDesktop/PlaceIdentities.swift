import KeyDragCore

/// Stable numbers for the places in one window: a place keeps its own from one listing to the next,
/// and places missing from a listing are forgotten.
struct PlaceIdentities: Sendable {
  /// One element may have several places.
  private struct Key: Hashable {
    var element: ElementID?
    /// As in ``Owner``.
    var name: String?
    var part: Int
  }

  /// The identity that a number stands for.
  struct Owner: Hashable, Sendable {
    var element: ElementID?
    /// The name of a row, since its element may be reused for another. For a cell `element` is its
    /// table, and this its name in it: each reading of a sheet has new elements.
    var name: String?
  }

  private var numbers: [Key: DropPointID] = [:]
  private var labels: [DropPointID: String] = [:]

  var all: some Collection<DropPointID> { numbers.values }

  /// Numbers places by their elements, in order. A program that rebuilds a list has new elements in
  /// it: a place that vanished and one that appeared are the same if they alone have a name.
  ///
  /// - Parameters:
  ///   - called: the spoken name of each.
  ///   - next: supplies a number that was never used.
  mutating func number(
    _ owners: [Owner], called names: [String], next: () -> DropPointID
  ) -> [DropPointID] {
    var parts: [Owner: Int] = [:]
    let keys = owners.map { owner in
      let key = Key(element: owner.element, name: owner.name, part: parts[owner, default: 0])
      parts[owner] = key.part + 1
      return key
    }
    let result = numbers.isEmpty ? keys.map { _ in next() } : again(keys, names, next)
    numbers = Dictionary(zip(keys, result)) { first, _ in first }
    labels = Dictionary(zip(result, names)) { first, _ in first }
    return result
  }

  /// Numbers places some of which have a number already.
  private func again(
    _ keys: [Key], _ names: [String], _ next: () -> DropPointID
  ) -> [DropPointID] {
    let known = Set(keys)
    let gone = Dictionary(grouping: numbers.filter { !known.contains($0.key) }.values) {
      labels[$0] ?? ""
    }
    let come = Dictionary(grouping: keys.indices.filter { numbers[keys[$0]] == nil }) { names[$0] }
    return keys.indices.map { index in
      if let number = numbers[keys[index]] { return number }
      let name = names[index]
      guard !name.isEmpty, come[name]?.count == 1, gone[name]?.count == 1,
        let old = gone[name]?.first
      else { return next() }
      return old
    }
  }
}
