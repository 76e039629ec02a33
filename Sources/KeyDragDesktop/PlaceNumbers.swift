import KeyDragCore

/// The numbers of the places in one window: a place keeps its own from one listing to the next, and
/// what a listing has no more is forgotten.
struct PlaceNumbers: Sendable {
  /// One element may have several places.
  private struct Key: Hashable {
    var element: ElementID?
    /// Instead of the element, where the program has a new one for it each time.
    var name: String?
    var part: Int
  }

  /// What a number stands for.
  struct Owner: Hashable, Sendable {
    var element: ElementID?
    /// Names it together with what it lies in, which then stands in place of it: each look at the
    /// cells of a sheet makes new ones.
    var name: String?
  }

  private var numbers: [Key: DropPointID] = [:]

  var all: some Collection<DropPointID> { numbers.values }

  /// Numbers places by the elements that they are parts of, in their order.
  ///
  /// - Parameter next: gives a number that was never given before.
  mutating func number(
    _ owners: [Owner], next: () -> DropPointID
  ) -> [DropPointID] {
    var parts: [Owner: Int] = [:]
    var listed: [Key: DropPointID] = [:]
    let result = owners.map { owner in
      let key = Key(element: owner.element, name: owner.name, part: parts[owner, default: 0])
      parts[owner] = key.part + 1
      let number = numbers[key] ?? next()
      listed[key] = number
      return number
    }
    numbers = listed
    return result
  }
}
