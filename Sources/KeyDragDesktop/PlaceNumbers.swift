import KeyDragCore

/// The numbers of the places in one window: a place keeps its own from one listing to the next, and
/// what a listing has no more is forgotten.
struct PlaceNumbers: Sendable {
  /// One element may have several places.
  private struct Key: Hashable {
    var element: ElementID?
    var part: Int
  }

  private var numbers: [Key: DropPointID] = [:]

  var all: some Collection<DropPointID> { numbers.values }

  /// Numbers places by the elements that they are parts of, in their order.
  ///
  /// - Parameter next: gives a number that was never given before.
  mutating func number(
    _ elements: [ElementID?], next: () -> DropPointID
  ) -> [DropPointID] {
    var parts: [ElementID?: Int] = [:]
    var listed: [Key: DropPointID] = [:]
    let result = elements.map { element in
      let key = Key(element: element, part: parts[element, default: 0])
      parts[element] = key.part + 1
      let number = numbers[key] ?? next()
      listed[key] = number
      return number
    }
    numbers = listed
    return result
  }
}
