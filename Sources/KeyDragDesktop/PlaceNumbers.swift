import KeyDragCore

/// The numbers of the places in one window: a place keeps its own from one listing to the next, and
/// what a listing has no more is forgotten.
struct PlaceNumbers: Sendable {
  /// One element may have several places.
  private struct Key: Hashable {
    var element: ElementID?
    /// Of a row; instead of the element, where the program has a new one for it each time.
    var name: String?
    var part: Int
  }

  /// The identity that a number stands for.
  struct Owner: Hashable, Sendable {
    var element: ElementID?
    /// Names a row, since its element may become another one's. Of a cell it names that together with
    /// what it lies in, which then stands in place of it: each look at a sheet makes new ones.
    var name: String?
  }

  private var numbers: [Key: DropPointID] = [:]
  /// The name of each place in the last listing.
  private var labels: [DropPointID: String] = [:]

  /// Of the last listing.
  var all: some Collection<DropPointID> { numbers.values }

  /// Numbers places by the elements that they are parts of, in their order. A program that makes a
  /// list anew has other elements in it: what alone has gone and what alone has come by one name is
  /// one.
  ///
  /// - Parameters:
  ///   - called: what a person calls each of them.
  ///   - next: gives a number that was never given before.
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

  /// The numbers of places some of which have one.
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
