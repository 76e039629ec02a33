import KeyDragCore

/// The cache that a program keeps for assistive technologies (`org.a11y.atspi.Cache`), which has
/// only what exists already.
///
/// The facts of each element are taken from here, but not which are within which: GTK 4 keeps the
/// pages of a notebook where it shows what is on them.
struct CachedElements: Sendable {
  struct Item: Sendable {
    var role: String
    var states: AccessibleStates
    var name: String
    var childCount: Int
  }

  private var items: [ElementID: Item] = [:]

  /// How many values the reply may hold: some 25 for each of 10,000 elements.
  static let limit = 250_000
  static let path = "/org/a11y/atspi/cache"

  init() {}

  /// Reads the reply; what has another shape is left out.
  init(_ values: [BusValue]?) {
    for value in values?.first?.elements ?? [] {
      // Itself, its program, what is around it, its index, children, interfaces, name, role,
      // description and states.
      guard case .tuple(let parts) = value, parts.count == 10,
        let id = AccessibleAnswers.element(parts[0]), items[id] == nil,
        case .int32(let count) = parts[4],
        case .string(let name) = parts[6], case .uint32(let role) = parts[7],
        let states = AccessibleAnswers.states(parts[9])
      else { continue }
      items[id] = Item(
        role: RoleNames.name(Int(role)), states: states,
        name: AccessibleAnswers.name([.string(name)]), childCount: Int(count))
    }
  }

  subscript(id: ElementID) -> Item? { items[id] }
}
